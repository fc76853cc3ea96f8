//! Two threads that start an interval together must end it together.
//!
//! A thread that returns instead is tolerated by the hardware of CUDA if it does so in
//! straight-line code before the barrier, so that is a rule of its own. If it leaves a loop
//! in which others go on to a barrier, it is divergent although it then returns: measured
//! on an H200 (`-O3`, threads that leave a barrier loop after different iterations), such a
//! kernel hangs, because the loop is unrolled and the copies of its barrier are different
//! barriers.

use std::collections::BTreeMap;

use duet_ask::Question;
use duet_ir::{Inst, Rule};
use duet_product::{End, Family, Interval, Row};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::Walk;

use super::exits::waits_on_the_way_out;
use crate::check::Check;

/// A way to part from a thread that waits at a barrier.
struct Parting {
    rule: Rule,
    /// Where the thread that parts is, if it has not returned.
    place: Option<Inst>,
    /// The condition under which it does.
    guard: TermId,
}

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
        for (&one, &guard) in &first {
            let End::Barrier(barrier) = one else { continue };
            for (&other, &guard_other) in second.iter().filter(|(other, _)| **other != one) {
                for parting in self.partings(interval, barrier, other, guard_other, &pair.second) {
                    self.ask_parting(&pair.facts, (barrier, guard), parting)?;
                }
            }
        }
        Ok(())
    }

    /// Asks whether one thread can be at the barrier while the other parts from it.
    fn ask_parting(
        &mut self,
        given: &[TermId],
        (barrier, guard): (Inst, TermId),
        parting: Parting,
    ) -> Result<(), SolverError> {
        let question = Question {
            given: given.to_vec(),
            goal: vec![guard, parting.guard],
            places: std::iter::once(barrier).chain(parting.place).collect(),
            ..Question::about("barrier divergence")
        };
        if self.is_excluded_soon(&question)? {
            return Ok(());
        }
        if let Some(open) = self.ask(&question)? {
            self.report_open(parting.rule, barrier, parting.place, open);
        }
        Ok(())
    }

    /// The defects it is if a thread ends an interval in this way while another waits at
    /// the barrier.
    fn partings(
        &mut self,
        interval: &Interval,
        barrier: Inst,
        end: End,
        guard: TermId,
        walk: &Walk,
    ) -> Vec<Parting> {
        if let End::Barrier(inst) = end {
            let rule = match self.is_of_warp(barrier) || self.is_of_warp(inst) {
                true => Rule::WarpDeadlock,
                false => Rule::BarrierDivergence,
            };
            return vec![Parting { rule, place: Some(inst), guard }];
        }
        if let Some(inst) = waits_on_the_way_out(self.facts.func, &interval.region) {
            return vec![Parting { rule: Rule::WarpDeadlock, place: Some(inst), guard }];
        }
        let left = self.has_entered_loop_of(barrier, interval, walk);
        let pool = &mut self.walker.pool;
        let stayed_out = pool.not(left);
        let (left, stayed_out) = (pool.and2(guard, left), pool.and2(guard, stayed_out));
        let parting = |rule, guard| Parting { rule, place: None, guard };
        let both =
            [parting(Rule::BarrierDivergence, left), parting(Rule::ExitBeforeBarrier, stayed_out)];
        let never = self.walker.pool.bool(false);
        both.into_iter().filter(|parting| parting.guard != never).collect()
    }

    /// Was the thread in the outermost loop around the barrier, as far as the interval
    /// goes? If it has returned, it left that loop, and those that wait at the barrier are
    /// still in it: an outermost loop is not entered a second time.
    ///
    /// SOUNDNESS: what is neither this nor an exit from code before the loop would be
    /// asked nowhere, so the two conditions are each other's negation
    /// (kernels/soundness/94-left-barrier-loop).
    fn has_entered_loop_of(&mut self, barrier: Inst, interval: &Interval, walk: &Walk) -> TermId {
        let (func, loops) = (self.facts.func, &self.facts.loops);
        let region = &interval.region;
        let outermost = func.block_of(barrier).and_then(|block| loops.around(block).last());
        let Some(outermost) = outermost else { return self.walker.pool.bool(false) };
        let is_in = |block| loops.around(block).any(|id| id == outermost);
        let starts = region.order.first().map(|&root| region.nodes[root].block);
        if starts.is_some_and(is_in) {
            return self.walker.pool.bool(true);
        }
        let entries = region.order.iter().filter(|&&node| is_in(region.nodes[node].block));
        let reached: Vec<TermId> =
            entries.filter_map(|node| walk.reach.get(node).copied()).collect();
        self.walker.pool.or(&reached)
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
