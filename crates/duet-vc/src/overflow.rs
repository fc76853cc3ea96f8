//! Assumptions that signed arithmetic stays in its range.
//!
//! Arithmetic is exact modulo 2^w. A proof may assume on top of it that certain
//! operations of the source, whose overflow the language leaves undefined, don't
//! overflow, and that certain unsigned results fit the signed variable that they
//! are put into. Which ones is the caller's business ([`InRange`]); here is what
//! the assumption says.

use std::collections::BTreeSet;

use duet_ir::{BinaryOp, CastOp, Function, Inst, InstData};
use duet_smt::{TermId, TermPool};

/// The operations that are assumed to stay in range.
pub type InRange = BTreeSet<Inst>;

/// May the operation be assumed to stay in range?
///
/// SOUNDNESS: never unsigned arithmetic by itself, whose wrap-around is ordinary
/// (kernels/traps/15-wrapping-product).
pub fn may_be_assumed(func: &Function, inst: Inst) -> bool {
    if matches!(func.insts[inst], InstData::Cast { op: CastOp::Trunc, .. }) {
        return func.into_signed[inst];
    }
    let InstData::Binary { op, nsw, args } = &func.insts[inst] else { return false };
    let width = func.type_of(args[0]).bits().unwrap_or(0);
    match op {
        BinaryOp::Add | BinaryOp::Sub => (*nsw || func.into_signed[inst]) && width >= 2,
        // Twice the width is needed to say it.
        BinaryOp::Mul => (*nsw || func.into_signed[inst]) && (2..=32).contains(&width),
        _ => false,
    }
}

/// A number keeps its value in fewer bits: read with a sign, which says less than
/// that it does as an unsigned one.
pub fn keeps_its_value(pool: &mut TermPool, number: TermId, narrow: TermId) -> TermId {
    let missing = pool.width(number) - pool.width(narrow);
    let wide = pool.sign_extend(missing, narrow);
    pool.eq(number, wide)
}

/// The result of an operation on `a` and `b` is in range: that of the ideal
/// operation, or, for an unsigned one, not above the largest signed number.
pub fn stays_in_range(
    pool: &mut TermPool,
    func: &Function,
    inst: Inst,
    (a, b): (TermId, TermId),
    result: TermId,
) -> Option<TermId> {
    let InstData::Binary { op, nsw, .. } = &func.insts[inst] else { return None };
    let width = pool.width(result);
    if !nsw {
        let zero = pool.bv(width, 0);
        return Some(pool.sle(zero, result));
    }
    // The ideal result, in enough bits to hold it, is between the least and the
    // greatest number of the width: inequalities serve the index algebra best.
    let extra = if width <= 32 { width } else { 1 };
    let (wide_a, wide_b) = (pool.sign_extend(extra, a), pool.sign_extend(extra, b));
    let ideal = match op {
        BinaryOp::Add => pool.bv_add(wide_a, wide_b),
        BinaryOp::Sub => pool.bv_sub(wide_a, wide_b),
        BinaryOp::Mul => pool.bv_mul(wide_a, wide_b),
        _ => return None,
    };
    let (least, greatest) = (1u128 << (width - 1), (1u128 << (width - 1)) - 1);
    let least = pool.bv(width + extra, least.wrapping_neg());
    let greatest = pool.bv(width + extra, greatest);
    let (above, below) = (pool.sle(least, ideal), pool.sle(ideal, greatest));
    Some(pool.and2(above, below))
}
