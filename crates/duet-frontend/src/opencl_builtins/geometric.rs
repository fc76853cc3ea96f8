//! Geometric functions: the specification's formulas, summed from the first lane
//! to the last, every operation rounded on its own.
//!
//! ASSUMPTION: implementations may sum in another order, fuse a product with a
//! sum, or scale to avoid overflow in `length`; the formula stands for them all.

use duet_ir::{BinaryOp, FunctionBuilder, Value};

use super::Call;
use super::ops::*;

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    if !call.element()?.is_float() {
        return None;
    }
    Some(match (call.base(), call.args) {
        ("dot", [x, y]) => vec![dot(b, x, y)],
        ("cross", [x, y]) if x.len() >= 3 => cross(b, x, y),
        ("length", [x]) => vec![length(b, x, "sqrt")],
        ("fast_length", [x]) => vec![length(b, x, "half_sqrt")],
        ("distance", [x, y]) => vec![distance(b, x, y, "sqrt")],
        ("fast_distance", [x, y]) => vec![distance(b, x, y, "half_sqrt")],
        ("normalize", [x]) => normalize(b, x),
        ("fast_normalize", [x]) => fast_normalize(b, x),
        _ => return None,
    })
}

/// x0*y0 + x1*y1 + …
fn dot(b: &mut FunctionBuilder, x: &[Value], y: &[Value]) -> Value {
    let mut sum = b.binary(BinaryOp::FMul, x[0], y[0]);
    for (&x, &y) in x.iter().zip(y).skip(1) {
        let product = b.binary(BinaryOp::FMul, x, y);
        sum = b.binary(BinaryOp::FAdd, sum, product);
    }
    sum
}

/// The cross product of the first three lanes; a fourth is 0.
fn cross(b: &mut FunctionBuilder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let mut lanes: Vec<Value> = [(1, 2), (2, 0), (0, 1)]
        .into_iter()
        .map(|(i, j)| {
            let plus = b.binary(BinaryOp::FMul, x[i], y[j]);
            let minus = b.binary(BinaryOp::FMul, x[j], y[i]);
            b.binary(BinaryOp::FSub, plus, minus)
        })
        .collect();
    if x.len() == 4 {
        lanes.push(constant(b, 0, x[0]));
    }
    lanes
}

fn length(b: &mut FunctionBuilder, x: &[Value], root: &str) -> Value {
    let square = dot(b, x, x);
    let ty = b.func.type_of(square);
    pure(b, root, &[square], ty)
}

fn distance(b: &mut FunctionBuilder, x: &[Value], y: &[Value], root: &str) -> Value {
    let difference: Vec<Value> =
        x.iter().zip(y).map(|(&x, &y)| b.binary(BinaryOp::FSub, x, y)).collect();
    length(b, &difference, root)
}

/// x / length(x)
fn normalize(b: &mut FunctionBuilder, x: &[Value]) -> Vec<Value> {
    let length = length(b, x, "sqrt");
    x.iter().map(|&x| b.binary(BinaryOp::FDiv, x, length)).collect()
}

/// x * half_rsqrt(dot(x, x))
fn fast_normalize(b: &mut FunctionBuilder, x: &[Value]) -> Vec<Value> {
    let scale = length(b, x, "half_rsqrt");
    x.iter().map(|&x| b.binary(BinaryOp::FMul, x, scale)).collect()
}
