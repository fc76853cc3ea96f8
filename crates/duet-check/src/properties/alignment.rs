//! Accesses must be aligned to the element of their array.
//!
//! An array whose accesses all have one size is modelled by elements of that size:
//! two accesses then overlap only if their offsets are equal, and a read sees a
//! write only at its own offset. That holds for offsets that are multiples of the
//! size. The source language promises it (an access that is not aligned is
//! undefined, and traps on a GPU), but a cast can break the promise:
//! `*(int *)(bytes + tid) = tid`. SOUNDNESS: so it is shown for every access, most
//! often from the form of the offset (kernels/soundness/08-misaligned).

use duet_ir::Rule;
use std::collections::HashMap;

use duet_ask::Question;
use duet_smt::solver::SolverError;
use duet_smt::{Op, TermId, TermPool};

use crate::check::Check;

impl Check<'_, '_> {
    /// Every access of one thread by itself.
    pub(crate) fn check_alignment(&mut self) -> Result<(), SolverError> {
        let walk = self.walker.walk_alone();
        let facts = self.walker.facts_alone();
        let mut known = HashMap::new();
        for site in &walk.sites {
            let granule = self.facts.module.arrays[site.array].granule;
            let zeros = granule.trailing_zeros();
            if granule <= 1 || low_zeros(&self.walker.pool, site.offset, &mut known) >= zeros {
                continue;
            }
            let low = self.walker.pool.bits().extract(zeros - 1, 0, site.offset);
            let zero = self.walker.pool.bv(zeros, 0);
            let mut given = facts.clone();
            given.extend(walk.facts_at(site.at));
            let is_misaligned = self.walker.pool.ne(low, zero);
            let question = Question {
                given,
                when: vec![site.guard],
                goal: vec![is_misaligned],
                places: vec![site.inst],
                ..Question::about("alignment")
            };
            if let Some(open) = self.ask(&question)? {
                self.report_open(Rule::MisalignedAccess, site.inst, None, open);
            }
        }
        Ok(())
    }
}

/// How many of the lowest bits are zero, as far as the form of the term says: of an operator
/// that is not listed none is known to be.
#[allow(clippy::wildcard_enum_match_arm)]
fn low_zeros(pool: &TermPool, term: TermId, known: &mut HashMap<TermId, u32>) -> u32 {
    if let Some(&zeros) = known.get(&term) {
        return zeros;
    }
    let args = pool.args(term).to_vec();
    let mut of = |term: TermId| low_zeros(pool, term, known);
    let width = pool.sort(term).width().unwrap_or(0);
    let zeros = match pool.op(term) {
        Op::BvConst { bits, .. } => bits.trailing_zeros(),
        Op::BvAdd | Op::BvOr | Op::BvXor => args.into_iter().map(of).min().unwrap_or(0),
        Op::BvMul => args.into_iter().map(of).sum(),
        Op::BvAnd => args.into_iter().map(of).max().unwrap_or(0),
        Op::BvShl => match pool.op(args[1]) {
            Op::BvConst { bits, .. } => of(args[0]).saturating_add(bits.min(128) as u32),
            _ => of(args[0]),
        },
        Op::Ite => of(args[1]).min(of(args[2])),
        Op::ZeroExtend(_) | Op::SignExtend(_) => of(args[0]),
        Op::Extract { lo: 0, .. } => of(args[0]),
        // The last piece is the low one; if it is all zero, what follows it counts.
        Op::Concat => args
            .iter()
            .rev()
            .scan(true, |all, &piece| {
                let zeros = of(piece);
                let counted = if *all { zeros } else { 0 };
                *all &= zeros >= pool.width(piece);
                Some(counted)
            })
            .sum(),
        _ => 0,
    };
    let zeros = zeros.min(width);
    known.insert(term, zeros);
    zeros
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros(pool: &TermPool, term: TermId) -> u32 {
        low_zeros(pool, term, &mut HashMap::new())
    }

    #[test]
    fn a_scaled_index_is_aligned_and_a_bare_one_is_not() {
        let mut pool = TermPool::new();
        let (x, four) = (pool.bv_var("x", 64), pool.bv(64, 4));
        let scaled = pool.bits().mul(x, four);
        assert_eq!(zeros(&pool, scaled), 2);
        assert_eq!(zeros(&pool, x), 0);
        let one = pool.bv(64, 1);
        let beside = pool.bits().add(scaled, one);
        assert_eq!(zeros(&pool, beside), 0);
    }

    #[test]
    fn zero_is_a_multiple_of_everything_but_no_wider_than_it_is() {
        let mut pool = TermPool::new();
        let zero = pool.bv(8, 0);
        assert_eq!(zeros(&pool, zero), 8);
        let wide = pool.raw(Op::ZeroExtend(8), &[zero]);
        assert_eq!(zeros(&pool, wide), 8);
    }

    #[test]
    fn pieces_count_from_the_low_end() {
        let mut pool = TermPool::new();
        let (x, zero) = (pool.bv_var("x", 8), pool.bv(8, 0));
        let low = pool.raw(Op::Concat, &[x, zero]);
        let high = pool.raw(Op::Concat, &[zero, x]);
        assert_eq!((zeros(&pool, low), zeros(&pool, high)), (8, 0));
    }
}
