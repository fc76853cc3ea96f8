//! Which literals a question is likely to be about.
//!
//! A kernel with many guards and many operations that are assumed to stay in range asks
//! whether two products of sizes and ids are equal, next to dozens of facts about other
//! values; the search spends its work on those. So the last equation is taken for the
//! question (callers state what may not be at the end), and what speaks of other symbols
//! than it does is left out of a first attempt.
//!
//! SOUNDNESS: a refutation of some of the literals is one of all of them. A wrong choice
//! costs the first attempt and nothing else: what is refuted is checked like any other
//! proof (test `the_checker_rejects_changed_proofs`).

use super::meaning;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{Sort, TermId};
use rustc_hash::FxHashSet;

/// How often symbols are drawn in by equations and bounds.
const ROUNDS: usize = 3;
/// An equation with more symbols draws none in.
const MOST_DRAWN: usize = 6;

type Leaves = FxHashSet<TermId>;

/// The literals that the question is about; `None` if that is nearly all of them, or if
/// it multiplies no symbols: then the search does not get lost.
pub(super) fn relevant(pool: &TermPool, literals: &[TermId]) -> Option<Vec<TermId>> {
    let &question = literals.iter().rev().find(|&&t| is_equation(pool, t))?;
    if !multiplies(pool, question) {
        return None;
    }
    let leaves: Vec<Leaves> = literals.iter().map(|&t| leaves_of(pool, t)).collect();
    let mut core = leaves_of(pool, question);
    for _ in 0..ROUNDS {
        for (&literal, own) in literals.iter().zip(&leaves) {
            if draws_in(pool, literal, own) && !own.is_disjoint(&core) {
                core.extend(own);
            }
        }
    }
    let says_more = |&t: &TermId| {
        let common = meaning::common_parts(pool, t);
        common.into_iter().any(|part| leaves_of(pool, part).is_subset(&core))
    };
    let is_kept = |(t, own): &(&TermId, &Leaves)| own.is_subset(&core) || says_more(t);
    let kept = literals.iter().zip(&leaves).filter(is_kept);
    let kept: Vec<TermId> = kept.map(|(&t, _)| t).collect();
    (kept.len() * 5 <= literals.len() * 4).then_some(kept)
}

/// Is the question whether products of symbols are equal?
pub(crate) fn is_about_products(pool: &TermPool, literals: &[TermId]) -> bool {
    let question = literals.iter().rev().find(|&&t| is_equation(pool, t));
    question.is_some_and(|&question| multiplies(pool, question))
}

/// An equation of sums or products.
fn is_equation(pool: &TermPool, t: TermId) -> bool {
    let is_number = |&a: &TermId| matches!(pool.sort(a), Sort::BitVec(_) | Sort::Int);
    let is_plain = |&a: &TermId| is_leaf(pool, a) || pool.as_bv(a).is_some();
    let args = pool.args(t);
    pool.op(t) == Op::Eq && args.iter().all(is_number) && !args.iter().any(is_plain)
}

/// Is there a product of two symbols below?
fn multiplies(pool: &TermPool, t: TermId) -> bool {
    let symbolic = |t: TermId| pool.args(t).iter().filter(|&&a| pool.as_bv(a).is_none()).count();
    pool.reachable(&[t]).into_iter().any(|t| pool.op(t) == Op::BvMul && symbolic(t) > 1)
}

/// An equation between few symbols, or a bound of one symbol by another: what is known
/// of the one tells something of the other.
fn draws_in(pool: &TermPool, literal: TermId, leaves: &Leaves) -> bool {
    match pool.op(literal) {
        Op::Eq => leaves.len() <= MOST_DRAWN,
        Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
            pool.args(literal).iter().all(|&a| is_leaf(pool, a))
        }
        _ => false,
    }
}

/// A term that is no sum, product or extension.
fn is_leaf(pool: &TermPool, t: TermId) -> bool {
    match pool.op(t) {
        Op::ZeroExtend(_) | Op::SignExtend(_) => is_leaf(pool, pool.args(t)[0]),
        Op::BvAdd | Op::BvMul | Op::BvConst { .. } | Op::IntConst(_) => false,
        op => !is_transparent(op),
    }
}

/// What the search looks through.
fn is_transparent(op: Op) -> bool {
    use Op::{
        And, BvAdd, BvMul, BvNot, Concat, Eq, Extract, IntAdd, IntLe, IntMul, Not, Or, SignExtend,
        Sle, Slt, Ule, Ult, ZeroExtend,
    };
    matches!(
        op,
        And | Or
            | Not
            | Eq
            | Ult
            | Ule
            | Slt
            | Sle
            | IntLe
            | BvAdd
            | BvMul
            | BvNot
            | IntAdd
            | IntMul
            | Concat
            | ZeroExtend(_)
            | SignExtend(_)
            | Extract { lo: 0, .. }
    )
}

/// The symbols and opaque terms of a term, and what the opaque ones are made of.
fn leaves_of(pool: &TermPool, t: TermId) -> Leaves {
    let mut leaves = Leaves::default();
    let mut seen = Leaves::default();
    let mut open = vec![t];
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        let op = pool.op(t);
        if !is_transparent(op) && !matches!(op, Op::BvConst { .. } | Op::IntConst(_)) {
            leaves.insert(t);
        }
        open.extend(pool.args(t));
    }
    leaves
}
