//! Two threads that start an interval together must end it together.

use std::collections::BTreeMap;

use duet_ask::Question;
use duet_ir::{Inst, Rule};
use duet_product::{End, Family, Interval, Row};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::Walk;

use super::exits::waits_on_the_way_out;
use crate::check::Check;

impl Check<'_, '_> {
    /// Divergence at the barriers of every row.
    pub(crate) fn check_divergence(&mut self) -> Result<(), SolverError> {
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
        let may_skip = self.options.shortcuts.uniformity && !self.asker.trace.only_written;
        if self.is_over()
            || !has_barrier
            || may_skip && self.facts.goes_one_way(row, family, interval)
        {
            return Ok(());
        }
        let pair = self.walker.walk_pair(row, family, interval, family);
        let first = self.by_end(&pair.first);
        let second = self.by_end(&pair.second);
        for (&one, &guard_one) in &first {
            for (&other, &guard_other) in &second {
                let (End::Barrier(barrier), true) = (one, one != other) else { continue };
                let other_barrier = match other {
                    End::Barrier(inst) => Some(inst),
                    End::Return | End::Halt => None,
                };
                let question = Question {
                    given: pair.facts.clone(),
                    goal: vec![guard_one, guard_other],
                    places: std::iter::once(barrier).chain(other_barrier).collect(),
                    ..Question::about("barrier divergence")
                };
                if self.is_excluded_soon(&question)? {
                    continue;
                }
                if let Some(open) = self.ask(&question)? {
                    let (rule, second) = match other {
                        End::Barrier(inst) if self.is_of_warp(barrier) || self.is_of_warp(inst) => {
                            (Rule::WarpDeadlock, Some(inst))
                        }
                        End::Barrier(inst) => (Rule::BarrierDivergence, Some(inst)),
                        End::Return | End::Halt => {
                            match waits_on_the_way_out(self.facts.func, &interval.region) {
                                Some(inst) => (Rule::WarpDeadlock, Some(inst)),
                                None => (Rule::ExitBeforeBarrier, None),
                            }
                        }
                    };
                    self.report_open(rule, barrier, second, open);
                }
            }
        }
        Ok(())
    }

    /// Is it a barrier or an exchange among the lanes of a warp?
    fn is_of_warp(&self, inst: Inst) -> bool {
        self.facts.func.insts[inst].is_meeting_point_of_warp()
    }

    /// The condition of each way to end, with what is known there.
    fn by_end(&mut self, walk: &Walk) -> BTreeMap<End, TermId> {
        let mut map: BTreeMap<End, Vec<TermId>> = BTreeMap::new();
        for end in walk.ends.iter().filter(|end| end.end != End::Halt) {
            let mut parts = walk.facts_at(end.at);
            parts.push(end.guard);
            let condition = self.walker.pool.and(&parts);
            map.entry(end.end).or_default().push(condition);
        }
        map.into_iter().map(|(end, conditions)| (end, self.walker.pool.or(&conditions))).collect()
    }
}
