//! Integer functions, exactly as OpenCL defines them. Sums and products that may
//! not fit are computed at twice the width.

use duet_ir::{BinaryOp, FunctionBuilder, IntCc, Type, UnaryOp, Value};

use super::Call;
use super::ops::*;

/// Builds one lane; the flag tells whether the first argument is signed.
type LaneOp = fn(&mut FunctionBuilder, &[Value], bool) -> Value;

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    let element = call.element()?;
    if element.is_float() {
        return None;
    }
    let (arity, op) = operation(call.base())?;
    if call.args.len() != arity {
        return None;
    }
    Some(call.lane_wise(b, |b, lane| op(b, lane, element.is_signed())))
}

/// Number of arguments and meaning of a function.
fn operation(base: &str) -> Option<(usize, LaneOp)> {
    let entry: (usize, LaneOp) = match base {
        "abs" => (1, abs),
        "abs_diff" => (2, abs_diff),
        "add_sat" => (2, add_sat),
        "sub_sat" => (2, sub_sat),
        "hadd" => (2, |b, lane, signed| half_sum(b, lane, signed, 0)),
        "rhadd" => (2, |b, lane, signed| half_sum(b, lane, signed, 1)),
        "clamp" => (3, clamp),
        "clz" => (1, |b, lane, _| b.unary(UnaryOp::CountLeadingZeros, lane[0])),
        "ctz" => (1, |b, lane, _| b.unary(UnaryOp::CountTrailingZeros, lane[0])),
        "popcount" => (1, |b, lane, _| b.unary(UnaryOp::PopCount, lane[0])),
        "bit_reverse" => (1, |b, lane, _| b.unary(UnaryOp::ReverseBits, lane[0])),
        "mad_hi" => (3, mad_hi),
        "mad_sat" => (3, mad_sat),
        "mad24" => (3, mad24),
        "mul24" => (2, mul24),
        "mul_hi" => (2, mul_hi),
        "max" => (2, |b, lane, signed| max(b, lane[0], lane[1], signed)),
        "min" => (2, |b, lane, signed| min(b, lane[0], lane[1], signed)),
        "rotate" => (2, rotate),
        "upsample" => (2, upsample),
        "amd_bitalign" => (3, |b, lane, _| align(b, lane, 1)),
        "amd_bytealign" => (3, |b, lane, _| align(b, lane, 8)),
        "amd_min3" => (3, |b, lane, signed| fold3(b, lane, signed, min)),
        "amd_max3" => (3, |b, lane, signed| fold3(b, lane, signed, max)),
        "amd_median3" => (3, median3),
        _ => return None,
    };
    Some(entry)
}

fn abs(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    if !signed {
        return lane[0];
    }
    let zero = constant(b, 0, lane[0]);
    let negated = sub(b, zero, lane[0]);
    let negative = is_negative(b, lane[0]);
    b.select(negative, negated, lane[0])
}

/// |x - y|, which fits the unsigned type.
fn abs_diff(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let below = less(b, lane[0], lane[1], signed);
    let up = sub(b, lane[1], lane[0]);
    let down = sub(b, lane[0], lane[1]);
    b.select(below, up, down)
}

/// A wide number cut to the range of a type and then to the type. An unsigned
/// number is taken as not negative.
fn saturate(b: &mut FunctionBuilder, wide: Value, to: Type, signed: bool) -> Value {
    let bits = to.bits().expect("an integer");
    let high = constant(b, largest(bits, signed), wide);
    let below = min(b, wide, high, signed);
    let inside = if signed {
        let low = constant(b, smallest(bits, true), wide);
        max(b, below, low, true)
    } else {
        below
    };
    b.resize(inside, to, signed)
}

fn add_sat(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let (x, y) = (widen(b, lane[0], signed), widen(b, lane[1], signed));
    let sum = b.add(x, y);
    let ty = b.func.type_of(lane[0]);
    saturate(b, sum, ty, signed)
}

fn sub_sat(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    if !signed {
        let below = less(b, lane[0], lane[1], false);
        let difference = sub(b, lane[0], lane[1]);
        let zero = constant(b, 0, lane[0]);
        return b.select(below, zero, difference);
    }
    let (x, y) = (widen(b, lane[0], true), widen(b, lane[1], true));
    let difference = sub(b, x, y);
    let ty = b.func.type_of(lane[0]);
    saturate(b, difference, ty, true)
}

/// (x + y + round) >> 1, without overflow.
fn half_sum(b: &mut FunctionBuilder, lane: &[Value], signed: bool, round: u128) -> Value {
    let (x, y) = (widen(b, lane[0], signed), widen(b, lane[1], signed));
    let sum = b.add(x, y);
    let round = constant(b, round, sum);
    let rounded = b.add(sum, round);
    let one = constant(b, 1, sum);
    let half = shr(b, rounded, one, signed);
    let ty = b.func.type_of(lane[0]);
    b.resize(half, ty, signed)
}

/// min(max(x, low), high)
fn clamp(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let above = max(b, lane[0], lane[1], signed);
    min(b, above, lane[2], signed)
}

fn mul_hi(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let (x, y) = (widen(b, lane[0], signed), widen(b, lane[1], signed));
    let product = b.mul(x, y);
    let bits = u128::from(width(b, lane[0]));
    let count = constant(b, bits, product);
    let high = shr(b, product, count, signed);
    let ty = b.func.type_of(lane[0]);
    b.resize(high, ty, signed)
}

fn mad_hi(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let high = mul_hi(b, &lane[..2], signed);
    b.add(high, lane[2])
}

/// x * y + z fits twice the width: at most 2^(2w) - 2^w unsigned, and below
/// 2^(2w-1) in magnitude signed.
fn mad_sat(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let (x, y) = (widen(b, lane[0], signed), widen(b, lane[1], signed));
    let z = widen(b, lane[2], signed);
    let product = b.mul(x, y);
    let sum = b.add(product, z);
    let ty = b.func.type_of(lane[0]);
    saturate(b, sum, ty, signed)
}

/// The product of two numbers of 24 bits; unknown where one needs more.
fn mul24(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let x_fits = fits_24_bits(b, lane[0], signed);
    let y_fits = fits_24_bits(b, lane[1], signed);
    let fits = and(b, x_fits, y_fits);
    let product = b.mul(lane[0], lane[1]);
    if b.func.const_bits(fits) == Some(1) {
        return product;
    }
    let name = if signed { "mul24" } else { "umul24" };
    let ty = b.func.type_of(product);
    // SOUNDNESS: the specification leaves this case to the implementation; test
    // `mul24_is_unknown_beyond_24_bits`.
    let other = pure(b, name, &lane[..2], ty);
    b.select(fits, product, other)
}

fn fits_24_bits(b: &mut FunctionBuilder, x: Value, signed: bool) -> Value {
    let high = constant(b, largest(24, signed), x);
    if !signed {
        return b.compare(IntCc::Ule, x, high);
    }
    let low = constant(b, smallest(24, true), x);
    let above = b.compare(IntCc::Sge, x, low);
    let below = b.compare(IntCc::Sle, x, high);
    and(b, above, below)
}

fn mad24(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let product = mul24(b, &lane[..2], signed);
    b.add(product, lane[2])
}

/// Rotates left by `lane[1]` modulo the width, a power of two.
fn rotate(b: &mut FunctionBuilder, lane: &[Value], _: bool) -> Value {
    let bits = u128::from(width(b, lane[0]));
    let mask = constant(b, bits - 1, lane[0]);
    let left = and(b, lane[1], mask);
    let zero = constant(b, 0, lane[0]);
    let back = sub(b, zero, lane[1]);
    let right = and(b, back, mask);
    let high = b.binary(BinaryOp::Shl, lane[0], left);
    let low = b.binary(BinaryOp::LShr, lane[0], right);
    or(b, high, low)
}

/// (high << width) | low, twice as wide.
fn upsample(b: &mut FunctionBuilder, lane: &[Value], _: bool) -> Value {
    let (high, low) = (widen(b, lane[0], false), widen(b, lane[1], false));
    let bits = u128::from(width(b, lane[0]));
    let count = constant(b, bits, high);
    let shifted = b.binary(BinaryOp::Shl, high, count);
    or(b, shifted, low)
}

/// 32 bits out of `lane[0]:lane[1]`, from bit `lane[2] * unit`, which counts
/// modulo 32 bits.
fn align(b: &mut FunctionBuilder, lane: &[Value], unit: u128) -> Value {
    let both = upsample(b, &lane[..2], false);
    let mask = constant(b, 32 / unit - 1, lane[2]);
    let position = and(b, lane[2], mask);
    let unit = constant(b, unit, lane[2]);
    let count = b.mul(position, unit);
    let count = widen(b, count, false);
    let shifted = shr(b, both, count, false);
    let ty = b.func.type_of(lane[0]);
    b.resize(shifted, ty, false)
}

fn fold3(
    b: &mut FunctionBuilder,
    lane: &[Value],
    signed: bool,
    op: fn(&mut FunctionBuilder, Value, Value, bool) -> Value,
) -> Value {
    let first = op(b, lane[0], lane[1], signed);
    op(b, first, lane[2], signed)
}

/// max(min(x, y), min(max(x, y), z))
fn median3(b: &mut FunctionBuilder, lane: &[Value], signed: bool) -> Value {
    let low = min(b, lane[0], lane[1], signed);
    let high = max(b, lane[0], lane[1], signed);
    let inner = min(b, high, lane[2], signed);
    max(b, low, inner, signed)
}
