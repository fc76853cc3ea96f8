//! Float functions of single lanes: the few whose every bit is fixed, exactly;
//! the others as `pure` functions under their own names.

use duet_ir::{FloatCc, FunctionBuilder, Value};

use super::Call;
use super::ops::*;
use super::relational::magnitude;

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    // `nan` is the one function here whose argument is an integer.
    if !call.element()?.is_float() && call.base() != "nan" {
        return None;
    }
    match (call.base(), call.args) {
        ("fabs", [_]) => return Some(call.lane_wise(b, fabs)),
        ("copysign", [_, _]) => return Some(call.lane_wise(b, copysign)),
        ("sign", [_]) => return Some(call.lane_wise(b, sign)),
        ("step", [_, _]) => return Some(call.lane_wise(b, step)),
        _ => {}
    }
    if PURE.binary_search(&call.base()).is_err() {
        return None;
    }
    let ty = call.result.ty;
    Some(call.lane_wise(b, |b, lane| pure(b, call.base(), lane, ty)))
}

/// Functions that are unknown but for their names, in alphabetical order.
const PURE: [&str; 97] = [
    "acos",
    "acosh",
    "acospi",
    "amd_max3",
    "amd_median3",
    "amd_min3",
    "asin",
    "asinh",
    "asinpi",
    "atan",
    "atan2",
    "atan2pi",
    "atanh",
    "atanpi",
    "cbrt",
    "ceil",
    "clamp",
    "cos",
    "cosh",
    "cospi",
    "degrees",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "half_cos",
    "half_divide",
    "half_exp",
    "half_exp10",
    "half_exp2",
    "half_log",
    "half_log10",
    "half_log2",
    "half_powr",
    "half_recip",
    "half_rsqrt",
    "half_sin",
    "half_sqrt",
    "half_tan",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "mad",
    "max",
    "maxmag",
    "min",
    "minmag",
    "mix",
    "nan",
    "native_cos",
    "native_divide",
    "native_exp",
    "native_exp10",
    "native_exp2",
    "native_log",
    "native_log10",
    "native_log2",
    "native_powr",
    "native_recip",
    "native_rsqrt",
    "native_sin",
    "native_sqrt",
    "native_tan",
    "nextafter",
    "pow",
    "pown",
    "powr",
    "radians",
    "remainder",
    "rint",
    "rootn",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sinpi",
    "smoothstep",
    "sqrt",
    "tan",
    "tanh",
    "tanpi",
    "tgamma",
    "trunc",
];

/// Clears the sign bit.
fn fabs(b: &mut FunctionBuilder, lane: &[Value]) -> Value {
    let ty = b.func.type_of(lane[0]);
    let bits = to_bits(b, lane[0]);
    let magnitude = magnitude(b, bits);
    from_bits(b, magnitude, ty)
}

/// The magnitude of x with the sign of y.
fn copysign(b: &mut FunctionBuilder, lane: &[Value]) -> Value {
    let ty = b.func.type_of(lane[0]);
    let (x, y) = (to_bits(b, lane[0]), to_bits(b, lane[1]));
    let magnitude = magnitude(b, x);
    let bits = width(b, y);
    let sign_bit = constant(b, 1 << (bits - 1), y);
    let sign = and(b, y, sign_bit);
    let result = or(b, magnitude, sign);
    from_bits(b, result, ty)
}

/// 1 or -1 by the sign of x; zeros keep theirs, NaN gives 0.
fn sign(b: &mut FunctionBuilder, lane: &[Value]) -> Value {
    let ty = b.func.type_of(lane[0]);
    let zero = float(b, 0.0, ty);
    let (one, minus_one) = (float(b, 1.0, ty), float(b, -1.0, ty));
    let is_nan = compare_floats(b, FloatCc::Uno, lane[0], lane[0]);
    let positive = compare_floats(b, FloatCc::Ogt, lane[0], zero);
    let negative = compare_floats(b, FloatCc::Olt, lane[0], zero);
    let rest = b.select(is_nan, zero, lane[0]);
    let not_positive = b.select(negative, minus_one, rest);
    b.select(positive, one, not_positive)
}

/// `x < edge ? 0 : 1`; the edge comes first.
fn step(b: &mut FunctionBuilder, lane: &[Value]) -> Value {
    let ty = b.func.type_of(lane[1]);
    let below = compare_floats(b, FloatCc::Olt, lane[1], lane[0]);
    let (zero, one) = (float(b, 0.0, ty), float(b, 1.0, ty));
    b.select(below, zero, one)
}

#[cfg(test)]
mod tests {
    use super::PURE;

    #[test]
    fn names_are_sorted_for_the_search() {
        assert!(PURE.is_sorted());
    }
}
