//! Assumptions that signed arithmetic stays in its range.
//!
//! Arithmetic is exact modulo 2^w. A proof may assume on top of it that certain
//! operations of the source, whose overflow the language leaves undefined, don't
//! overflow, and that certain unsigned ones whose results are put into a signed
//! variable yield what signed arithmetic would: then the ideal result fits the
//! variable. Which ones is the caller's business ([`InRange`]); here is what the
//! assumption says.
//!
//! SOUNDNESS: of unsigned arithmetic it is not assumed that the result is not
//! negative in its variable. `int left = threadIdx.x - 1` is computed in unsigned,
//! and is meant to be -1 for the first thread of every launch: an assumption that no
//! launch meets would prove anything (kernels/soundness/35-negative-in-signed).

use std::collections::BTreeSet;

use duet_ir::{BinaryOp, CastOp, Function, Inst, InstData, Value};
use duet_smt::{TermId, TermPool};

/// The operations that are assumed to stay in range.
pub type InRange = BTreeSet<Inst>;

/// May the operation be assumed to stay in range?
///
/// SOUNDNESS: never unsigned arithmetic by itself, whose wrap-around is ordinary
/// (kernels/traps/15-wrapping-product).
pub fn may_be_assumed(func: &Function, inst: Inst) -> bool {
    use BinaryOp::*;
    if matches!(func.insts[inst], InstData::Cast { op: CastOp::Trunc, .. }) {
        return func.into_signed[inst];
    }
    let InstData::Binary { op, nsw, args } = &func.insts[inst] else { return false };
    let width = func.type_of(args[0]).bits().unwrap_or(0);
    match op {
        Add | Sub => (*nsw || func.into_signed[inst]) && width >= 2,
        // Twice the width is needed to say it.
        Mul => {
            // A literal that is negative as a signed number was not meant to be one.
            let huge = |&arg: &Value| func.const_bits(arg).is_some_and(|b| b >> (width - 1) != 0);
            let signed = *nsw || func.into_signed[inst] && !args.iter().any(huge);
            signed && (2..=32).contains(&width)
        }
        UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub | FMul
        | FDiv | FRem => false,
    }
}

/// A number keeps its value in fewer bits: read with a sign, which says less than
/// that it does as an unsigned one.
pub fn keeps_its_value(pool: &mut TermPool, number: TermId, narrow: TermId) -> TermId {
    let missing = pool.width(number) - pool.width(narrow);
    let wide = pool.bits().sign_extend(missing, narrow);
    pool.eq(number, wide)
}

/// The result of the operation on the signed numbers `a` and `b` is in range.
///
/// For a sum that is to say: if both are not negative, nor is the sum, and if both are
/// negative, so is the sum. Other sums cannot overflow. `a - b` is the sum of `a` and
/// `-b`, with zero among the negative.
pub fn stays_in_range(
    pool: &mut TermPool,
    func: &Function,
    inst: Inst,
    (a, b): (TermId, TermId),
    result: TermId,
) -> Option<TermId> {
    use BinaryOp::*;
    let InstData::Binary { op, nsw, .. } = &func.insts[inst] else { return None };
    let zero = pool.bv(pool.width(result), 0);
    let [at_least, sum_at_least] = [a, result].map(|term| pool.compare().sle(zero, term));
    let other_at_least = match op {
        Add if !nsw => pool.compare().sle(zero, b),
        Sub if !nsw => pool.compare().slt(b, zero),
        Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd
        | FSub | FMul | FDiv | FRem => {
            return ideal_is_in_range(pool, *op, (a, b), pool.width(result));
        }
    };
    let [below, other_below, sum_below] =
        [at_least, other_at_least, sum_at_least].map(|term| pool.not(term));
    let both = pool.and2(at_least, other_at_least);
    let neither = pool.and2(below, other_below);
    let (upper, lower) = (pool.implies(both, sum_at_least), pool.implies(neither, sum_below));
    Some(pool.and2(upper, lower))
}

/// The ideal result, in enough bits to hold it, is between the least and the greatest
/// number of the width: inequalities serve the index algebra best.
fn ideal_is_in_range(
    pool: &mut TermPool,
    op: BinaryOp,
    (a, b): (TermId, TermId),
    width: u32,
) -> Option<TermId> {
    use BinaryOp::*;
    let extra = if width <= 32 { width } else { 1 };
    let (wide_a, wide_b) = (pool.bits().sign_extend(extra, a), pool.bits().sign_extend(extra, b));
    let ideal = match op {
        Add => pool.bits().add(wide_a, wide_b),
        Sub => pool.bits().sub(wide_a, wide_b),
        Mul => pool.bits().mul(wide_a, wide_b),
        UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub | FMul
        | FDiv | FRem => return None,
    };
    let (least, greatest) = (1u128 << (width - 1), (1u128 << (width - 1)) - 1);
    let least = pool.bv(width + extra, least.wrapping_neg());
    let greatest = pool.bv(width + extra, greatest);
    let (above, below) = (pool.compare().sle(least, ideal), pool.compare().sle(ideal, greatest));
    Some(pool.and2(above, below))
}
