//! Operations on known integers, as the header of `duet-ir` defines them. What is
//! not specified (division by zero) is unknown.

use duet_ir::{BinaryOp, CastOp, IntCc};

/// All ones of a width from 1 to 128.
fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width.clamp(1, 128))
}

/// The signed reading of bits.
fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((bits << unused) as i128) >> unused
}

/// An operation on two integers of a width.
pub fn binary(op: BinaryOp, a: u128, b: u128, width: u32) -> Option<u128> {
    let (x, y) = (signed(a, width), signed(b, width));
    let far = b >= u128::from(width);
    let bits = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::SDiv => x.checked_div(y)? as u128,
        BinaryOp::SRem => x.checked_rem(y)? as u128,
        BinaryOp::Shl if far => 0,
        BinaryOp::Shl => a << b,
        BinaryOp::LShr if far => 0,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (x >> b.min(127)) as u128,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return None;
        }
    };
    Some(bits & mask(width))
}

/// A conversion between integers.
pub fn cast(op: CastOp, bits: u128, from: u32, to: u32) -> Option<u128> {
    match op {
        CastOp::Trunc => Some(bits & mask(to)),
        CastOp::ZExt => Some(bits),
        CastOp::SExt => Some(signed(bits, from) as u128 & mask(to)),
        CastOp::FToU
        | CastOp::FToUSat
        | CastOp::FToSSat
        | CastOp::FToS
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt
        | CastOp::Bitcast => None,
    }
}

/// A comparison of integers of a width.
pub fn compare(cc: IntCc, a: u128, b: u128, width: u32) -> bool {
    duet_analysis::compare(cc, a, b, width as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_wrap_and_unspecified_ones_are_unknown() {
        assert_eq!(binary(BinaryOp::Add, 255, 1, 8), Some(0));
        assert_eq!(binary(BinaryOp::Shl, 1, 8, 8), Some(0));
        assert_eq!(binary(BinaryOp::AShr, 0x80, 9, 8), Some(0xff));
        assert_eq!(binary(BinaryOp::SDiv, 0xfe, 2, 8), Some(0xff));
        assert_eq!(binary(BinaryOp::UDiv, 1, 0, 8), None);
    }

    #[test]
    fn conversions_and_comparisons_read_the_sign_when_told() {
        assert_eq!(cast(CastOp::SExt, 0x80, 8, 16), Some(0xff80));
        assert_eq!(cast(CastOp::ZExt, 0x80, 8, 16), Some(0x80));
        assert!(compare(IntCc::Slt, 0x80, 0, 8));
        assert!(!compare(IntCc::Ult, 0x80, 0, 8));
    }
}
