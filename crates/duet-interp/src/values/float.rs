//! Floats as bit patterns: the four formats, their arithmetic with one correct
//! rounding, comparisons and conversions.
//!
//! `f32` and `f64` are the machine's. The 16-bit formats are computed in `f64`
//! and rounded once more: for sum, difference, product, quotient and remainder
//! that is the correctly rounded result, since 53 bits are more than twice their
//! precision plus two.

use duet_ir::{BinaryOp, FloatCc, FloatType};

use crate::values::eval::{mask, signed};

/// Width of a format in bits.
pub(crate) fn width(ty: FloatType) -> u8 {
    match ty {
        FloatType::F16 | FloatType::BF16 => 16,
        FloatType::F32 => 32,
        FloatType::F64 => 64,
    }
}

/// Bits of the fraction and largest exponent of a 16-bit format.
fn shape(ty: FloatType) -> (u32, i32) {
    match ty {
        FloatType::F16 => (10, 15),
        FloatType::BF16 => (7, 127),
        FloatType::F32 => (23, 127),
        FloatType::F64 => (52, 1023),
    }
}

/// The value of a pattern, exactly.
pub(crate) fn to_f64(ty: FloatType, bits: u64) -> f64 {
    match ty {
        FloatType::F64 => f64::from_bits(bits),
        FloatType::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatType::BF16 => f64::from(f32::from_bits((bits as u32) << 16)),
        FloatType::F16 => half_to_f64(bits as u16),
    }
}

/// The value of an IEEE half.
fn half_to_f64(bits: u16) -> f64 {
    let sign = u64::from(bits >> 15) << 63;
    let (exponent, fraction) = (bits >> 10 & 31, u64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction as f64 * f64::from_bits((1023 - 24) << 52),
        31 => f64::from_bits(0x7ff << 52 | fraction << 42),
        _ => f64::from_bits((u64::from(exponent) + 1023 - 15) << 52 | fraction << 42),
    };
    f64::from_bits(magnitude.to_bits() | sign)
}

/// The pattern nearest to a value, ties to even.
pub(crate) fn from_f64(ty: FloatType, value: f64) -> u64 {
    match ty {
        FloatType::F64 => value.to_bits(),
        FloatType::F32 => u64::from((value as f32).to_bits()),
        FloatType::F16 | FloatType::BF16 => narrow_f64(ty, value),
    }
}

/// Rounds to a 16-bit format.
fn narrow_f64(ty: FloatType, value: f64) -> u64 {
    let (fraction_bits, max_exponent) = shape(ty);
    let infinity = ((2 * max_exponent + 1) as u64) << fraction_bits;
    let sign = u64::from(value.is_sign_negative()) << 15;
    if value.is_nan() {
        return sign | infinity | 1 << (fraction_bits - 1);
    }
    if value.is_infinite() {
        return sign | infinity;
    }
    let bits = value.abs().to_bits();
    let (mantissa, exponent) = match (bits >> 52) as i32 {
        0 => (bits, -1074),
        biased => (bits & ((1 << 52) - 1) | 1 << 52, biased - 1075),
    };
    sign | round(ty, u128::from(mantissa), exponent)
}

/// The 16-bit pattern nearest to `mantissa * 2^exponent`, ties to even, without
/// sign. Too large becomes infinity.
fn round(ty: FloatType, mantissa: u128, exponent: i32) -> u64 {
    let (fraction_bits, max_exponent) = shape(ty);
    if mantissa == 0 {
        return 0;
    }
    let min_exponent = 1 - max_exponent;
    let top = 127 - mantissa.leading_zeros() as i32 + exponent;
    // The weight of the last bit that the result keeps.
    let unit = top.max(min_exponent) - fraction_bits as i32;
    let quotient = shift_to_even(mantissa, unit - exponent);
    // Adding the exponent field to the significand carries into it as it should.
    let field = (top.max(min_exponent) - min_exponent) as u64;
    let bits = (field << fraction_bits) + quotient;
    bits.min(((2 * max_exponent + 1) as u64) << fraction_bits)
}

/// `mantissa / 2^shift`, to nearest even.
fn shift_to_even(mantissa: u128, shift: i32) -> u64 {
    if shift <= 0 {
        return (mantissa << -shift) as u64;
    }
    if shift > 127 {
        return 0;
    }
    let (quotient, rest) = (mantissa >> shift, mantissa & mask(shift as u8));
    let half = 1u128 << (shift - 1);
    let up = rest > half || rest == half && quotient & 1 == 1;
    (quotient + u128::from(up)) as u64
}

/// An operation on floats.
pub(crate) fn binary(op: BinaryOp, ty: FloatType, x: u64, y: u64) -> u64 {
    use BinaryOp::*;
    if ty == FloatType::F32 {
        let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
        let result = match op {
            FAdd => x + y,
            FSub => x - y,
            FMul => x * y,
            FDiv => x / y,
            FRem => x % y,
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor => {
                unreachable!("an operation on integers")
            }
        };
        return u64::from(result.to_bits());
    }
    let (x, y) = (to_f64(ty, x), to_f64(ty, y));
    let result = match op {
        FAdd => x + y,
        FSub => x - y,
        FMul => x * y,
        FDiv => x / y,
        FRem => x % y,
        Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor => {
            unreachable!("an operation on integers")
        }
    };
    from_f64(ty, result)
}

/// A comparison of floats.
pub(crate) fn compare(cc: FloatCc, ty: FloatType, x: u64, y: u64) -> bool {
    use FloatCc::*;
    let (x, y) = (to_f64(ty, x), to_f64(ty, y));
    let unordered = x.is_nan() || y.is_nan();
    match cc {
        Oeq => x == y,
        One => !unordered && x != y,
        Olt => x < y,
        Ole => x <= y,
        Ogt => x > y,
        Oge => x >= y,
        Ord => !unordered,
        Ueq => unordered || x == y,
        Une => x != y,
        Ult => unordered || x < y,
        Ule => unordered || x <= y,
        Ugt => unordered || x > y,
        Uge => unordered || x >= y,
        Uno => unordered,
    }
}

/// Does the number, cut to a whole one, fit an integer of so many bits?
pub(crate) fn fits(ty: FloatType, bits: u64, width: u8, signed: bool) -> bool {
    let whole = to_f64(ty, bits).trunc();
    let (low, high) = match signed {
        true => (-f64::powi(2.0, i32::from(width) - 1), f64::powi(2.0, i32::from(width) - 1)),
        false => (0.0, f64::powi(2.0, i32::from(width))),
    };
    // NaN is in no range.
    low <= whole && whole < high
}

/// Float to unsigned integer: truncates, saturates, NaN to 0.
pub(crate) fn to_unsigned(ty: FloatType, bits: u64, width: u8) -> u128 {
    (to_f64(ty, bits) as u128).min(mask(width))
}

/// Float to signed integer: truncates, saturates, NaN to 0.
pub(crate) fn to_signed(ty: FloatType, bits: u64, width: u8) -> u128 {
    let max = (mask(width) >> 1) as i128;
    (to_f64(ty, bits) as i128).clamp(-max - 1, max) as u128 & mask(width)
}

/// Unsigned integer to float, to nearest even.
pub(crate) fn from_unsigned(ty: FloatType, bits: u128) -> u64 {
    match ty {
        FloatType::F64 => (bits as f64).to_bits(),
        FloatType::F32 => u64::from((bits as f32).to_bits()),
        FloatType::F16 | FloatType::BF16 => round(ty, bits, 0),
    }
}

/// Signed integer to float, to nearest even.
pub(crate) fn from_signed(ty: FloatType, bits: u128, int_width: u8) -> u64 {
    let value = signed(bits, int_width);
    let sign = u64::from(value < 0) << (width(ty) - 1);
    sign | from_unsigned(ty, value.unsigned_abs())
}

/// Float to float: exact to a wider format, to nearest even to a narrower one.
pub(crate) fn convert(from: FloatType, bits: u64, to: FloatType) -> u64 {
    from_f64(to, to_f64(from, bits))
}

/// Minimum or maximum of a float atomic: a NaN loses.
pub(crate) fn min_max(ty: FloatType, x: u64, y: u64, max: bool) -> u64 {
    let (a, b) = (to_f64(ty, x), to_f64(ty, y));
    let keep_first = b.is_nan() || if max { a >= b } else { a <= b };
    if keep_first { x } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_round_trip() {
        for ty in [FloatType::F16, FloatType::BF16] {
            for bits in 0..=u64::from(u16::MAX) {
                let value = to_f64(ty, bits);
                if !value.is_nan() {
                    assert_eq!(from_f64(ty, value), bits, "{ty:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn narrowing_rounds_once_to_nearest_even() {
        // Between 1 and the next half lie ties and values just beside them.
        let ulp = 2f64.powi(-10);
        assert_eq!(from_f64(FloatType::F16, 1.0 + ulp / 2.0), 0x3c00);
        assert_eq!(from_f64(FloatType::F16, 1.0 + ulp / 2.0 + 2f64.powi(-52)), 0x3c01);
        assert_eq!(from_f64(FloatType::F16, 1.0 + 1.5 * ulp), 0x3c02);
        assert_eq!(from_f64(FloatType::F16, 65519.99), 0x7bff);
        assert_eq!(from_f64(FloatType::F16, 65520.0), 0x7c00);
        assert_eq!(from_f64(FloatType::F16, -2f64.powi(-25)), 0x8000);
        assert_eq!(from_f64(FloatType::F16, 2f64.powi(-25) * 1.0001), 1);
    }

    #[test]
    fn integers_become_the_nearest_half() {
        assert_eq!(from_unsigned(FloatType::F16, 2049), from_f64(FloatType::F16, 2048.0));
        assert_eq!(from_unsigned(FloatType::F16, 2051), from_f64(FloatType::F16, 2052.0));
        assert_eq!(from_unsigned(FloatType::F16, u128::MAX), 0x7c00);
        assert_eq!(from_unsigned(FloatType::BF16, 1 << 127), 0x7f00);
        assert_eq!(from_signed(FloatType::F16, 0xff, 8), 0xbc00);
    }

    #[test]
    fn conversion_to_integers_saturates() {
        let f = |x: f32| u64::from(x.to_bits());
        assert_eq!(to_signed(FloatType::F32, f(1e20), 32), 0x7fff_ffff);
        assert_eq!(to_signed(FloatType::F32, f(-1e20), 32), 0x8000_0000);
        assert_eq!(to_unsigned(FloatType::F32, f(-3.0), 32), 0);
        assert_eq!(to_unsigned(FloatType::F32, f(300.7), 8), 255);
        assert_eq!(to_signed(FloatType::F32, f(f32::NAN), 32), 0);
        assert_eq!(to_signed(FloatType::F32, f(-2.9), 16), 0xfffe);
    }
}
