//! Geometric functions: unknown functions of all lanes of their arguments.
//!
//! The specification gives formulas, but an implementation may sum in any order, fuse a
//! product with a sum, or scale to avoid overflow (PoCL's `dot` fuses). SOUNDNESS: a
//! result is therefore not what the formula, written out in the kernel, yields
//! (kernels/soundness/111-dot-is-no-formula).

use duet_ir::{FunctionBuilder, Value};

use super::Call;
use super::ops::*;

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    if !call.element()?.is_float() {
        return None;
    }
    let vector = match (call.base(), call.args) {
        ("dot" | "distance" | "fast_distance", [_, _]) => false,
        ("length" | "fast_length", [_]) => false,
        ("normalize" | "fast_normalize", [_]) => true,
        ("cross", [x, _]) if x.len() >= 3 => true,
        _ => return None,
    };
    let lanes: Vec<Value> = call.args.concat();
    let ty = call.result.ty;
    if !vector {
        return Some(vec![pure(b, call.base(), &lanes, ty)]);
    }
    // A fourth lane of a cross product is 0, and those of the arguments are not used.
    let used = if call.base() == "cross" { cross_lanes(call) } else { lanes };
    let lane = |b: &mut FunctionBuilder, number: usize| match (call.base(), number) {
        ("cross", 3) => float(b, 0.0, ty),
        (base, _) => pure(b, &format!("{base}.{number}"), &used, ty),
    };
    Some((0..call.result.count).map(|number| lane(b, number)).collect())
}

/// The first three lanes of both arguments.
fn cross_lanes(call: &Call) -> Vec<Value> {
    call.args.iter().flat_map(|arg| arg[..3].to_vec()).collect()
}
