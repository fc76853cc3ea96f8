//! Short names for what the built-ins are made of.

use duet_ir::{
    BinaryOp, CastOp, FloatCc, FloatType, FunctionBuilder, InstData, IntCc, Type, Value,
};

pub(super) fn sub(b: &mut FunctionBuilder, x: Value, y: Value) -> Value {
    b.binary(BinaryOp::Sub, x, y)
}

pub(super) fn and(b: &mut FunctionBuilder, x: Value, y: Value) -> Value {
    b.binary(BinaryOp::And, x, y)
}

pub(super) fn or(b: &mut FunctionBuilder, x: Value, y: Value) -> Value {
    b.binary(BinaryOp::Or, x, y)
}

/// Shift right, keeping the sign of a signed number.
pub(super) fn shr(b: &mut FunctionBuilder, x: Value, count: Value, signed: bool) -> Value {
    b.binary(if signed { BinaryOp::AShr } else { BinaryOp::LShr }, x, count)
}

/// Width of an integer or float value.
pub(super) fn width(b: &FunctionBuilder, x: Value) -> u32 {
    b.func.type_of(x).bits().expect("a number")
}

/// A constant of the same type as `like`.
pub(super) fn constant(b: &mut FunctionBuilder, bits: u128, like: Value) -> Value {
    let ty = b.func.type_of(like);
    b.int(bits, ty)
}

/// `x < y` in the order of the type.
pub(super) fn less(b: &mut FunctionBuilder, x: Value, y: Value, signed: bool) -> Value {
    b.compare(if signed { IntCc::Slt } else { IntCc::Ult }, x, y)
}

pub(super) fn min(b: &mut FunctionBuilder, x: Value, y: Value, signed: bool) -> Value {
    let below = less(b, y, x, signed);
    b.select(below, y, x)
}

pub(super) fn max(b: &mut FunctionBuilder, x: Value, y: Value, signed: bool) -> Value {
    let below = less(b, x, y, signed);
    b.select(below, y, x)
}

/// Is the sign bit set?
pub(super) fn is_negative(b: &mut FunctionBuilder, x: Value) -> Value {
    let zero = constant(b, 0, x);
    b.compare(IntCc::Slt, x, zero)
}

/// Twice as wide, so that sums, differences and products are exact.
pub(super) fn widen(b: &mut FunctionBuilder, x: Value, signed: bool) -> Value {
    let wide = Type::Int((2 * width(b, x)) as u8);
    b.resize(x, wide, signed)
}

/// Largest number of an integer type, as bits.
pub(super) fn largest(bits: u32, signed: bool) -> u128 {
    (1u128 << (bits - u32::from(signed))) - 1
}

/// Smallest number of an integer type, as bits of any wider type.
pub(super) fn smallest(bits: u32, signed: bool) -> u128 {
    if signed { (1u128 << (bits - 1)).wrapping_neg() } else { 0 }
}

/// A float of type `ty` for a number that is exact in it.
pub(super) fn float(b: &mut FunctionBuilder, number: f32, ty: Type) -> Value {
    let bits = match ty {
        Type::Float(FloatType::F64) => u128::from(f64::from(number).to_bits()),
        Type::Float(FloatType::F16) => u128::from(half_bits(number)),
        Type::Float(FloatType::BF16) => u128::from(number.to_bits() >> 16),
        _ => u128::from(number.to_bits()),
    };
    b.int(bits, ty)
}

/// The half of a normal number (or zero) that is exact in it.
fn half_bits(number: f32) -> u16 {
    let bits = number.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    if bits << 1 == 0 {
        return sign;
    }
    let exponent = ((bits >> 23) & 0xff) as i32 - 127 + 15;
    debug_assert!(exponent > 0 && exponent < 31 && bits & 0x1fff == 0);
    sign | (exponent as u16) << 10 | ((bits >> 13) & 0x3ff) as u16
}

/// A float's bits as an integer.
pub(super) fn to_bits(b: &mut FunctionBuilder, x: Value) -> Value {
    let ty = Type::Int(width(b, x) as u8);
    b.cast(CastOp::Bitcast, x, ty)
}

/// The float with these bits.
pub(super) fn from_bits(b: &mut FunctionBuilder, x: Value, ty: Type) -> Value {
    b.cast(CastOp::Bitcast, x, ty)
}

/// A float comparison.
pub(super) fn compare_floats(b: &mut FunctionBuilder, cc: FloatCc, x: Value, y: Value) -> Value {
    b.value(InstData::FloatCompare { cc, args: [x, y] })
}

/// A function known by its name only.
pub(super) fn pure(b: &mut FunctionBuilder, name: &str, args: &[Value], ty: Type) -> Value {
    b.value(InstData::Pure { name: name.to_owned(), args: args.to_vec(), ty })
}
