//! `convert_T[_sat][_rounding]`.
//!
//! Between integers a conversion keeps the low bits or, with `_sat`, the nearest
//! number of the type. A float is first rounded to a whole number by a `pure`
//! function (`rint`, `ceil`, `floor`; truncation, the default, needs none), then
//! converted: with saturation if the name says `_sat`, else out of range to a value
//! that the specification leaves open. To a float
//! the default is to nearest even; another mode is `pure`, unless the number is
//! exact in the type anyway.

use duet_ir::{CastOp, FunctionBuilder, Type, Value};

use super::Call;
use super::ops::*;
use crate::mangled::Scalar;

/// A rounding mode; without one, conversions to integers truncate and others go
/// to nearest even.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    NearestEven,
    Zero,
    Up,
    Down,
}

/// What a function's name says.
struct Conversion {
    to: Scalar,
    saturate: bool,
    mode: Option<Mode>,
}

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    let conversion = parse(call.base())?;
    let from = call.element()?;
    let [arg] = call.args else { return None };
    if arg.len() != call.result.count || call.result.ty.is_float() != conversion.to.is_float() {
        return None;
    }
    Some(call.lane_wise(b, |b, lane| convert(b, lane[0], from, &conversion, call.result.ty)))
}

/// Reads `convert_uchar4_sat_rte`.
fn parse(base: &str) -> Option<Conversion> {
    let mut parts = base.strip_prefix("convert_")?.split('_');
    let element = parts.next()?.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut conversion =
        Conversion { to: Scalar::from_name(element)?, saturate: false, mode: None };
    for part in parts {
        match part {
            "sat" => conversion.saturate = true,
            _ => conversion.mode = Some(mode(part)?),
        }
    }
    Some(conversion)
}

fn mode(name: &str) -> Option<Mode> {
    Some(match name {
        "rte" => Mode::NearestEven,
        "rtz" => Mode::Zero,
        "rtp" => Mode::Up,
        "rtn" => Mode::Down,
        _ => return None,
    })
}

fn convert(
    b: &mut FunctionBuilder,
    x: Value,
    from: Scalar,
    conversion: &Conversion,
    ty: Type,
) -> Value {
    match (from.is_float(), conversion.to.is_float()) {
        (false, false) if conversion.saturate => saturate(b, x, from, conversion.to, ty),
        (false, false) => b.resize(x, ty, from.is_signed()),
        (true, false) => float_to_int(b, x, conversion, ty),
        (false, true) => int_to_float(b, x, from, conversion, ty),
        (true, true) => float_to_float(b, x, from, conversion, ty),
    }
}

/// The nearest number of the target type. Bounds that the source type cannot
/// exceed are not tested, so every bound fits the source type.
fn saturate(b: &mut FunctionBuilder, x: Value, from: Scalar, to: Scalar, ty: Type) -> Value {
    let (have, wanted) = (width(b, x), ty.bits().expect("an integer"));
    let value_bits = |bits, scalar: Scalar| bits - u32::from(scalar.is_signed());
    let mut inside = x;
    if value_bits(wanted, to) < value_bits(have, from) {
        let high = constant(b, largest(wanted, to.is_signed()), x);
        inside = min(b, inside, high, from.is_signed());
    }
    if from.is_signed() && (!to.is_signed() || wanted < have) {
        let low = constant(b, smallest(wanted, to.is_signed()), x);
        inside = max(b, inside, low, true);
    }
    b.resize(inside, ty, from.is_signed())
}

fn float_to_int(b: &mut FunctionBuilder, x: Value, conversion: &Conversion, ty: Type) -> Value {
    let rounding = match conversion.mode {
        Some(Mode::NearestEven) => Some("rint"),
        Some(Mode::Up) => Some("ceil"),
        Some(Mode::Down) => Some("floor"),
        Some(Mode::Zero) | None => None,
    };
    let float_type = b.func.type_of(x);
    let whole = match rounding {
        Some(name) => pure(b, name, &[x], float_type),
        None => x,
    };
    // SOUNDNESS: the two kinds agree in range only (kernels/soundness/70-out-of-range).
    let op = match (conversion.to.is_signed(), conversion.saturate) {
        (true, true) => CastOp::FToSSat,
        (true, false) => CastOp::FToS,
        (false, true) => CastOp::FToUSat,
        (false, false) => CastOp::FToU,
    };
    b.cast(op, whole, ty)
}

fn int_to_float(
    b: &mut FunctionBuilder,
    x: Value,
    from: Scalar,
    conversion: &Conversion,
    ty: Type,
) -> Value {
    let exact = width(b, x) - u32::from(from.is_signed()) <= significand_bits(conversion.to);
    if exact || to_nearest(conversion) {
        let op = if from.is_signed() { CastOp::SToF } else { CastOp::UToF };
        return b.cast(op, x, ty);
    }
    unknown(b, x, from, conversion, ty)
}

fn float_to_float(
    b: &mut FunctionBuilder,
    x: Value,
    from: Scalar,
    conversion: &Conversion,
    ty: Type,
) -> Value {
    let (bits, wanted) = (width(b, x), ty.bits().expect("a float"));
    if bits <= wanted {
        return b.cast(CastOp::FExt, x, ty);
    }
    if to_nearest(conversion) {
        return b.cast(CastOp::FTrunc, x, ty);
    }
    unknown(b, x, from, conversion, ty)
}

fn to_nearest(conversion: &Conversion) -> bool {
    matches!(conversion.mode, None | Some(Mode::NearestEven))
}

/// Whole numbers of so many bits are exact.
fn significand_bits(float: Scalar) -> u32 {
    match float {
        Scalar::Half => 11,
        Scalar::Float => 24,
        _ => 53,
    }
}

/// A conversion to float in a mode the IR has no operation for; the name tells
/// the source type too, as `int` and `uint` have the same IR type.
fn unknown(
    b: &mut FunctionBuilder,
    x: Value,
    from: Scalar,
    conversion: &Conversion,
    ty: Type,
) -> Value {
    let mode = match conversion.mode {
        Some(Mode::Up) => "rtp",
        Some(Mode::Down) => "rtn",
        _ => "rtz",
    };
    let name = format!("convert_{}_{mode}_{}", conversion.to.name(), from.name());
    pure(b, &name, &[x], ty)
}
