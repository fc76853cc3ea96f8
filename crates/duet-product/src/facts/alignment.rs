//! Do two threads of a row go through an interval, and through the iterations of a loop,
//! together?

use std::collections::BTreeSet;

use duet_analysis::Loop;
use duet_ir::BarrierScope;

use super::KernelFacts;
use crate::{Family, Interval, Row, Scope, all_meet_again};

impl KernelFacts<'_> {
    /// Do the two threads go the same way? SOUNDNESS: what is uniform at one visit
    /// differs between two visits (kernels/soundness/04-same-barrier-other-trip).
    pub fn goes_one_way(&self, row: &Row, family: &Family, interval: &Interval) -> bool {
        let unaligned = self.unaligned_loops(row, family);
        interval.starts_together(self.func, &self.loops, &unaligned)
            && self.branches_are_uniform(row, interval)
    }

    /// The loops whose iterations the two threads may be in different ones of.
    pub fn unaligned_loops(&self, row: &Row, aligned: &Family) -> BTreeSet<Loop> {
        let is_uniform = |interval: &Interval| self.branches_are_uniform(row, interval);
        aligned.unaligned_loops(self.func, &self.loops, &is_uniform)
    }

    /// The cheap case: the branches that may divide the threads meet again before
    /// anything ends. The values that a uniform branch tests are the same at the same
    /// visit; both threads start the interval at the same visit.
    fn branches_are_uniform(&self, row: &Row, interval: &Interval) -> bool {
        let scope = match row.scope {
            Scope::Warp => BarrierScope::Warp,
            Scope::Block => BarrierScope::Block,
            Scope::Grid => BarrierScope::Grid,
        };
        let may_divide = |block| self.uniformity.may_be_divergent_branch(block, scope);
        all_meet_again(&interval.region, &self.loops, &may_divide)
    }
}
