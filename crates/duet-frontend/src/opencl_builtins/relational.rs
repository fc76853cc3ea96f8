//! Relational functions, `select`, `bitselect` and the shuffles.
//!
//! A comparison yields 1 or 0 as a scalar, -1 or 0 per lane of a vector. Tests of
//! one float look at its bits; tests of two are float comparisons.

use duet_ir::{FloatCc, FloatType, FunctionBuilder, IntCc, Type, Value};

use super::Call;
use super::ops::*;

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    match (call.base(), call.args) {
        ("any", [x]) => Some(vec![combine_signs(b, x, call.result.ty, or)]),
        ("all", [x]) => Some(vec![combine_signs(b, x, call.result.ty, and)]),
        ("select", [_, _, _]) => Some(call.lane_wise(b, |b, lane| select(b, lane, call))),
        ("bitselect", [_, _, _]) => Some(call.lane_wise(b, bitselect)),
        ("shuffle", [x, mask]) => Some(shuffle(b, x, mask)),
        ("shuffle2", [x, y, mask]) => Some(shuffle(b, &[x.clone(), y.clone()].concat(), mask)),
        _ if call.element()?.is_float() => float_test(b, call),
        _ => None,
    }
}

/// The top bits of all lanes, combined to 1 or 0.
fn combine_signs(
    b: &mut FunctionBuilder,
    lanes: &[Value],
    ty: Type,
    op: fn(&mut FunctionBuilder, Value, Value) -> Value,
) -> Value {
    let mut result = is_negative(b, lanes[0]);
    for &lane in &lanes[1..] {
        let negative = is_negative(b, lane);
        result = op(b, result, negative);
    }
    b.resize(result, ty, false)
}

/// `c ? y : x`, where a vector's lane is true by its top bit and a scalar if it
/// is not zero.
fn select(b: &mut FunctionBuilder, lane: &[Value], call: &Call) -> Value {
    let condition = if call.is_vector() {
        is_negative(b, lane[2])
    } else {
        let zero = constant(b, 0, lane[2]);
        b.compare(IntCc::Ne, lane[2], zero)
    };
    b.select(condition, lane[1], lane[0])
}

/// The bits of y where those of c are set, else those of x.
fn bitselect(b: &mut FunctionBuilder, lane: &[Value]) -> Value {
    let ty = b.func.type_of(lane[0]);
    let [x, y, c] = [lane[0], lane[1], lane[2]].map(|value| to_bits(b, value));
    let others = b.not(c);
    let from_x = and(b, x, others);
    let from_y = and(b, y, c);
    let bits = or(b, from_x, from_y);
    from_bits(b, bits, ty)
}

/// Lanes of `from`, a power of two of them, by the low bits of the mask's lanes.
fn shuffle(b: &mut FunctionBuilder, from: &[Value], mask: &[Value]) -> Vec<Value> {
    mask.iter().map(|&index| pick(b, from, index)).collect()
}

fn pick(b: &mut FunctionBuilder, from: &[Value], index: Value) -> Value {
    let low_bits = constant(b, from.len() as u128 - 1, index);
    let index = and(b, index, low_bits);
    let mut result = from[0];
    for (number, &lane) in from.iter().enumerate().skip(1) {
        let number = constant(b, number as u128, index);
        let here = b.compare(IntCc::Eq, index, number);
        result = b.select(here, lane, result);
    }
    result
}

fn float_test(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    let comparison = comparison(call.base());
    if comparison.is_none() && !ONE_FLOAT.contains(&call.base()) {
        return None;
    }
    if call.args.len() != if comparison.is_some() { 2 } else { 1 } {
        return None;
    }
    Some(call.lane_wise(b, |b, lane| {
        let holds = match comparison {
            Some(cc) => compare_floats(b, cc, lane[0], lane[1]),
            None => test(b, call.base(), lane[0]),
        };
        b.resize(holds, call.result.ty, call.is_vector())
    }))
}

/// The comparison of two floats that a function is.
fn comparison(base: &str) -> Option<FloatCc> {
    Some(match base {
        "isequal" => FloatCc::Oeq,
        "isnotequal" => FloatCc::Une,
        "isgreater" => FloatCc::Ogt,
        "isgreaterequal" => FloatCc::Oge,
        "isless" => FloatCc::Olt,
        "islessequal" => FloatCc::Ole,
        "islessgreater" => FloatCc::One,
        "isordered" => FloatCc::Ord,
        "isunordered" => FloatCc::Uno,
        _ => return None,
    })
}

/// The tests of one float.
const ONE_FLOAT: [&str; 5] = ["isfinite", "isinf", "isnan", "isnormal", "signbit"];

/// A test of one float, on its bits.
fn test(b: &mut FunctionBuilder, base: &str, x: Value) -> Value {
    let (infinity, smallest_normal) = landmarks(b.func.type_of(x));
    let bits = to_bits(b, x);
    if base == "signbit" {
        return is_negative(b, bits);
    }
    let magnitude = magnitude(b, bits);
    let infinity = constant(b, infinity, bits);
    match base {
        "isfinite" => b.compare(IntCc::Ult, magnitude, infinity),
        "isinf" => b.compare(IntCc::Eq, magnitude, infinity),
        "isnan" => b.compare(IntCc::Ugt, magnitude, infinity),
        _ => {
            let smallest = constant(b, smallest_normal, bits);
            let not_small = b.compare(IntCc::Uge, magnitude, smallest);
            let finite = b.compare(IntCc::Ult, magnitude, infinity);
            and(b, not_small, finite)
        }
    }
}

/// The bits of a float but for its sign.
pub(super) fn magnitude(b: &mut FunctionBuilder, bits: Value) -> Value {
    let ones = largest(width(b, bits), true);
    let mask = constant(b, ones, bits);
    and(b, bits, mask)
}

/// Bits of infinity and of the smallest normal number.
fn landmarks(ty: Type) -> (u128, u128) {
    match ty {
        Type::Float(FloatType::F16) => (0x7c00, 0x0400),
        Type::Float(FloatType::BF16) => (0x7f80, 0x0080),
        Type::Float(FloatType::F64) => (0x7ff << 52, 1 << 52),
        _ => (0xff << 23, 1 << 23),
    }
}
