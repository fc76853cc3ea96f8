//! Arithmetic on bit patterns of a width, as the header of `duet-ir` defines it.
//! Written apart from the interpreter's, which is the oracle of the tests.

use duet_ir::IntCc;

/// All ones of a width from 1 to 128.
pub fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// The signed reading of bits.
pub fn signed(bits: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width);
    ((bits << unused) as i128) >> unused
}

/// An integer comparison of bits of a width.
pub fn compare(cc: IntCc, a: u128, b: u128, width: u8) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    match cc {
        IntCc::Eq => a == b,
        IntCc::Ne => a != b,
        IntCc::Ult => a < b,
        IntCc::Ule => a <= b,
        IntCc::Ugt => a > b,
        IntCc::Uge => a >= b,
        IntCc::Slt => x < y,
        IntCc::Sle => x <= y,
        IntCc::Sgt => x > y,
        IntCc::Sge => x >= y,
    }
}

/// The comparison that holds when this one does not.
pub fn negate(cc: IntCc) -> IntCc {
    match cc {
        IntCc::Eq => IntCc::Ne,
        IntCc::Ne => IntCc::Eq,
        IntCc::Ult => IntCc::Uge,
        IntCc::Ule => IntCc::Ugt,
        IntCc::Ugt => IntCc::Ule,
        IntCc::Uge => IntCc::Ult,
        IntCc::Slt => IntCc::Sge,
        IntCc::Sle => IntCc::Sgt,
        IntCc::Sgt => IntCc::Sle,
        IntCc::Sge => IntCc::Slt,
    }
}

/// The comparison with its operands exchanged.
pub fn swap(cc: IntCc) -> IntCc {
    match cc {
        IntCc::Eq | IntCc::Ne => cc,
        IntCc::Ult => IntCc::Ugt,
        IntCc::Ule => IntCc::Uge,
        IntCc::Ugt => IntCc::Ult,
        IntCc::Uge => IntCc::Ule,
        IntCc::Slt => IntCc::Sgt,
        IntCc::Sle => IntCc::Sge,
        IntCc::Sgt => IntCc::Slt,
        IntCc::Sge => IntCc::Sle,
    }
}

/// The greatest common divisor; of 0 and `x` it is `x`.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
