//! Two threads that start an interval together must end it together.

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::Loop;
use duet_ir::{BarrierScope, Inst};
use duet_product::{End, Family, Interval, Row, Scope};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::Walk;

use super::session::Check;

impl Check<'_, '_, '_> {
    /// Divergence at the barriers of every row.
    pub fn check_divergence(&mut self) -> Result<(), SolverError> {
        let facts = self.facts;
        for row in &facts.program.rows {
            for family in row.families.iter().filter(|family| family.aligned) {
                for interval in &family.intervals {
                    self.check_ends(row, family, interval)?;
                }
            }
        }
        Ok(())
    }

    fn check_ends(
        &mut self,
        row: &Row,
        family: &Family,
        interval: &Interval,
    ) -> Result<(), SolverError> {
        let ends: Vec<End> = interval.region.ends().map(|(_, end)| end).collect();
        let has_barrier = ends.iter().any(|end| matches!(end, End::Barrier(_)));
        let may_skip = self.options.shortcuts.uniformity && !self.trace.only_written;
        if self.is_over() || !has_barrier || may_skip && self.goes_one_way(row, family, interval) {
            return Ok(());
        }
        let pair = self.walk_pair(row, family, interval, family);
        let first = self.by_end(&pair.first);
        let second = self.by_end(&pair.second);
        for (&one, &guard_one) in &first {
            for (&other, &guard_other) in &second {
                let (End::Barrier(barrier), true) = (one, one != other) else { continue };
                let mut literals = pair.facts.clone();
                literals.extend([guard_one, guard_other]);
                let other_barrier = match other {
                    End::Barrier(inst) => Some(inst),
                    _ => None,
                };
                self.about(std::iter::once(barrier).chain(other_barrier));
                if self.decide_cheaply(&literals, "barrier divergence")? {
                    continue;
                }
                let decision = self.decide(&literals, "barrier divergence")?;
                self.note_obstacles(&decision.answer, &[guard_one, guard_other], &[]);
                if let Some(why) = self.why(&decision.answer) {
                    let (rule, second) = match other {
                        End::Barrier(inst) if self.is_of_warp(barrier) || self.is_of_warp(inst) => {
                            ("warp-deadlock", Some(inst))
                        }
                        End::Barrier(inst) => ("barrier-divergence", Some(inst)),
                        _ => match self.waits_on_the_way_out(&interval.region) {
                            Some(inst) => ("warp-deadlock", Some(inst)),
                            None => ("exit-before-barrier", None),
                        },
                    };
                    self.report(rule, barrier, second, why);
                }
            }
        }
        Ok(())
    }

    /// Is it a barrier or an exchange among the lanes of a warp?
    fn is_of_warp(&self, inst: Inst) -> bool {
        self.facts.func.insts[inst].is_meeting_point_of_warp()
    }

    /// Do the two threads go the same way? SOUNDNESS: what is uniform at one visit
    /// differs between two visits (kernels/soundness/04-same-barrier-other-trip).
    fn goes_one_way(&self, row: &Row, family: &Family, interval: &Interval) -> bool {
        let unaligned = self.unaligned_loops(row, family);
        interval.starts_together(self.facts.func, &self.facts.loops, &unaligned)
            && self.branches_are_uniform(row, interval)
    }

    /// The loops whose iterations the two threads may be in different ones of.
    pub(super) fn unaligned_loops(&self, row: &Row, aligned: &Family) -> BTreeSet<Loop> {
        let is_uniform = |interval: &Interval| self.branches_are_uniform(row, interval);
        aligned.unaligned_loops(self.facts.func, &self.facts.loops, &is_uniform)
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
        let may_divide = |block| self.facts.uniformity.may_be_divergent_branch(block, scope);
        duet_product::all_meet_again(&interval.region, &self.facts.loops, &may_divide)
    }

    /// The condition of each way to end, with what is known there.
    fn by_end(&mut self, walk: &Walk) -> BTreeMap<End, TermId> {
        let mut map: BTreeMap<End, Vec<TermId>> = BTreeMap::new();
        for end in walk.ends.iter().filter(|end| end.end != End::Halt) {
            let mut parts = walk.facts_at(end.at);
            parts.push(end.guard);
            let condition = self.pool.and(&parts);
            map.entry(end.end).or_default().push(condition);
        }
        map.into_iter().map(|(end, conditions)| (end, self.pool.or(&conditions))).collect()
    }
}
