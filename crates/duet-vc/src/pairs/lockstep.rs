//! Which accesses of two threads are unordered, if their warp runs in lock step.
//!
//! See [`duet_product::Apart`] for the argument. In short: the same instruction at
//! the same visit, or two places on different ways from one visit of a branch.
//!
//! *The same visit* is a fact about the two walks: the loops around the place that
//! were cut on the way have the same count of visits, and what is uniform there is
//! the same. Only headers that dominate the place, in the iteration of both accesses,
//! are compared: only those have been visited by both threads, the last time in
//! the same visit. SOUNDNESS: if the pair need not start the interval at the same
//! visit, nothing is ordered and nothing is equal
//! (kernels/warp/lockstep-other-trip-bug).

use duet_analysis::Loop;
use duet_ir::{BarrierScope, Block};
use duet_product::{Apart, Family, Interval, KernelFacts, Mates, Row};
use duet_smt::TermId;

use super::Walker;
use super::pair::PairWalk;
use crate::{SiteTerm, Walk};

/// How the two threads of a row go through an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// Each at its own pace.
    Own,
    /// In lock step.
    Locked,
}

/// The scope whose uniformity counts for warps in lock step, of whatever size.
const SCOPE: BarrierScope = BarrierScope::Block;

/// Are two threads at the same visit of `place` at the same visit of the loop's header,
/// the last time they were there?
fn same_visit(facts: &KernelFacts<'_>, id: Loop, place: Block) -> bool {
    let loops = &facts.loops;
    loops.around(loops.data(id).header).all(|around| {
        loops.contains(around, place) || !facts.uniformity.may_be_left_apart(around, SCOPE)
    })
}

impl Walker<'_> {
    /// How the threads of the row go through the interval.
    pub fn steps(&self, row: &Row, aligned: &Family, interval: &Interval) -> Steps {
        let unaligned = self.facts.unaligned_loops(row, aligned);
        let together = interval.starts_together(self.facts.func, &self.facts.loops, &unaligned);
        match row.mates {
            Mates::LockStep(_) if together => Steps::Locked,
            Mates::Any
            | Mates::SameWarp
            | Mates::OtherWarps
            | Mates::LockStep(_)
            | Mates::OtherLockStepWarps(_) => Steps::Own,
        }
    }

    /// The condition under which the two accesses are not ordered; `None` if they
    /// always are.
    pub fn unordered(&mut self, pair: &PairWalk, a: &SiteTerm, b: &SiteTerm) -> Option<TermId> {
        if pair.steps == Steps::Own {
            return Some(self.pool.tt());
        }
        let facts = self.facts;
        let (at_a, at_b) = (facts.block_of(a.inst)?, facts.block_of(b.inst)?);
        let mut cases = vec![];
        if a.inst == b.inst && a.at.node == b.at.node {
            cases.push(self.at_one_visit(pair, a, b, at_a, None));
        }
        for apart in facts.apart.iter().filter(|apart| apart.parts(at_a, at_b)) {
            cases.push(self.at_one_visit(pair, a, b, apart.branch, Some(apart)));
        }
        (!cases.is_empty()).then(|| self.pool.or(&cases))
    }

    /// What holds of the walks to `a` and `b` if both threads were at one visit of
    /// `place`, and then, if it is a branch, on its ways.
    fn at_one_visit(
        &mut self,
        pair: &PairWalk,
        a: &SiteTerm,
        b: &SiteTerm,
        place: Block,
        apart: Option<&Apart>,
    ) -> TermId {
        let facts = self.facts;
        let header_block = |id: Loop| facts.loops.data(id).header;
        let mut equal = vec![];
        for one in &pair.first.headers {
            let Some(other) = pair.second.headers.iter().find(|other| other.node == one.node)
            else {
                continue;
            };
            let header = header_block(one.id);
            let passed = |walk: &Walk, site: &SiteTerm| {
                let here = site.at.node == one.node;
                let before = walk.is_before(one.node, site.at.node);
                site.context == one.context && (here || before)
            };
            let before = facts.dominators.dominates(header, place)
                && apart.is_none_or(|apart| !apart.passes(header))
                && passed(&pair.first, a)
                && passed(&pair.second, b);
            if !before {
                continue;
            }
            if same_visit(facts, one.id, place) {
                equal.push(self.pool.eq(one.visits, other.visits));
            }
            let params = &facts.func.blocks[header].params;
            for (index, &param) in params.iter().enumerate() {
                if !facts.uniformity.may_be_divergent_at(param, place, SCOPE) {
                    equal.push(self.pool.eq(one.params[index], other.params[index]));
                }
            }
        }
        self.pool.and(&equal)
    }
}
