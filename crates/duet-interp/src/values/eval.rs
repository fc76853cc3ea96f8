//! Integer operations on bit patterns of any width to 128, as the header of
//! `duet-ir` defines them. The step loop has its own versions for 64 bits and
//! less; tests hold the two together.

use duet_ir::{AtomicOp, BinaryOp, FoldOp, IntCc, UnaryOp};

/// All ones of a width from 1 to 128.
pub(crate) fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

/// The signed reading of `bits`.
pub(crate) fn signed(bits: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width.clamp(1, 128));
    ((bits << shift) as i128) >> shift
}

/// An operation on integers. Division by zero yields all ones, the remainder the
/// dividend; the caller reports it.
pub(crate) fn binary(op: BinaryOp, x: u128, y: u128, width: u8) -> u128 {
    use BinaryOp::*;
    let (sx, sy) = (signed(x, width), signed(y, width));
    let too_far = y >= u128::from(width);
    let result = match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        UDiv => x.checked_div(y).unwrap_or(u128::MAX),
        URem => x.checked_rem(y).unwrap_or(x),
        SDiv if y == 0 => u128::MAX,
        SDiv => sx.wrapping_div(sy) as u128,
        SRem if y == 0 => x,
        SRem => sx.wrapping_rem(sy) as u128,
        Shl | LShr if too_far => 0,
        Shl => x << y,
        LShr => x >> y,
        AShr => (sx >> y.min(u128::from(width) - 1)) as u128,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        FAdd | FSub | FMul | FDiv | FRem => unreachable!("an operation on floats"),
    };
    result & mask(width)
}

/// Does the signed operation leave the range of its width? The remainder counts
/// where its quotient does: the source languages leave both undefined.
pub(crate) fn overflows(op: BinaryOp, x: u128, y: u128, width: u8) -> bool {
    use BinaryOp::*;
    let (sx, sy) = (signed(x, width), signed(y, width));
    let exact = match op {
        Add => sx.checked_add(sy),
        Sub => sx.checked_sub(sy),
        Mul => sx.checked_mul(sy),
        Shl => return shift_overflows(sx, y, width),
        SDiv | SRem if sy == -1 => sx.checked_neg(),
        UDiv | SDiv | URem | SRem | LShr | AShr | And | Or | Xor | FAdd | FSub | FMul | FDiv
        | FRem => return false,
    };
    exact.is_none_or(|exact| signed(exact as u128, width) != exact)
}

/// A left shift that loses bits or the sign, or is too far.
fn shift_overflows(x: i128, by: u128, width: u8) -> bool {
    let shifted = binary(BinaryOp::Shl, x as u128 & mask(width), by, width);
    by >= u128::from(width) || signed(shifted, width) >> by != x
}

/// An integer operation on one operand.
pub(crate) fn unary(op: UnaryOp, x: u128, width: u8) -> u128 {
    let spare = 128 - u32::from(width);
    match op {
        UnaryOp::CountLeadingZeros => u128::from(x.leading_zeros() - spare) & mask(width),
        UnaryOp::CountTrailingZeros => {
            u128::from(x.trailing_zeros().min(u32::from(width))) & mask(width)
        }
        UnaryOp::PopCount => u128::from(x.count_ones()) & mask(width),
        UnaryOp::ReverseBits => x.reverse_bits() >> spare,
        // For widths that are no whole number of bytes: the bytes of the width
        // rounded up, cut again.
        UnaryOp::SwapBytes => (x.swap_bytes() >> (spare & !7)) & mask(width),
        UnaryOp::FNeg => x ^ (1 << (width - 1)),
    }
}

/// An integer comparison.
pub(crate) fn compare(cc: IntCc, x: u128, y: u128, width: u8) -> bool {
    let (sx, sy) = (signed(x, width), signed(y, width));
    match cc {
        IntCc::Eq => x == y,
        IntCc::Ne => x != y,
        IntCc::Ult => x < y,
        IntCc::Ule => x <= y,
        IntCc::Ugt => x > y,
        IntCc::Uge => x >= y,
        IntCc::Slt => sx < sy,
        IntCc::Sle => sx <= sy,
        IntCc::Sgt => sx > sy,
        IntCc::Sge => sx >= sy,
    }
}

/// What an integer atomic stores; `args` as in [`AtomicOp`].
pub(crate) fn atomic(op: AtomicOp, old: u128, args: &[u128], width: u8) -> u128 {
    let x = args.first().copied().unwrap_or(0);
    let pick = |cc, a: u128, b: u128| if compare(cc, a, b, width) { a } else { b };
    let result = match op {
        AtomicOp::Add => old.wrapping_add(x),
        AtomicOp::Sub => old.wrapping_sub(x),
        AtomicOp::Exchange | AtomicOp::Store => x,
        AtomicOp::SMin => pick(IntCc::Slt, old, x),
        AtomicOp::SMax => pick(IntCc::Sgt, old, x),
        AtomicOp::UMin => pick(IntCc::Ult, old, x),
        AtomicOp::UMax => pick(IntCc::Ugt, old, x),
        AtomicOp::And => old & x,
        AtomicOp::Or => old | x,
        AtomicOp::Xor => old ^ x,
        AtomicOp::IncWrap => {
            if old >= x {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::DecWrap => {
            if old == 0 || old > x {
                x
            } else {
                old - 1
            }
        }
        AtomicOp::CompareExchange => {
            if old == x {
                args[1]
            } else {
                old
            }
        }
        AtomicOp::Load => old,
        AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => unreachable!("an atomic on floats"),
    };
    result & mask(width)
}

/// An operation that arrays are folded with.
pub(crate) fn folded(op: FoldOp, x: u128, y: u128, width: u8) -> u128 {
    let is_less = |x: u128, y: u128| signed(x, width) < signed(y, width);
    match op {
        FoldOp::Add => binary(BinaryOp::Add, x, y, width),
        FoldOp::SMax => {
            if is_less(x, y) {
                y
            } else {
                x
            }
        }
        FoldOp::SMin => {
            if is_less(y, x) {
                y
            } else {
                x
            }
        }
        FoldOp::UMax => x.max(y),
        FoldOp::UMin => x.min(y),
        FoldOp::Or => x | y,
        FoldOp::And => x & y,
        FoldOp::Xor => x ^ y,
        // The sum of all elements, without an end.
        FoldOp::Fits => x.saturating_add(y),
        // Runs do not know it, and skip what depends on it.
        FoldOp::Declared | FoldOp::Associative | FoldOp::Commutative => x,
    }
}
