//! A safety net for tests: what is assumed after a barrier that a run passes has a model.
//!
//! What threads know of memory after a barrier (what they accessed, what was claimed there,
//! the laws of sums) is true of every run, if it is right. Then it cannot contradict itself
//! at a barrier that a run gets to. If it does, the proof rests on a mistake of ours, and the
//! check ends with an internal error. Only kernels that are otherwise proved are looked at:
//! all threads of a block then come to each barrier together.
//!
//! A test with the planted mistake is `a_contradiction_after_a_barrier_is_an_internal_error`.

use duet_ask::Effort;
use duet_ir::Inst;
use duet_product::Start;
use duet_smt::TermId;
use duet_smt::solver::{Answer, SolverError};
use duet_vc::{Walker, laws_of_folds};

use super::{Vacuity, has_pair};
use crate::check::subject;

impl Vacuity<'_, '_, '_> {
    /// Asks for a model at the start of each interval that a run gets to.
    pub(crate) fn check_safety_net(&mut self) -> Result<(), SolverError> {
        if !self.check.findings.is_empty() || self.knows_nothing_more() {
            return Ok(());
        }
        for (barrier, known) in self.starts_that_runs_reach() {
            let about = "what is known after a barrier";
            let pool = &mut self.check.walker.pool;
            let asked =
                self.check.asker.decide_at(pool, &known, about, &[barrier], Effort::Small)?;
            match asked.answer {
                Answer::Unsat => {
                    let what = "a run passes a barrier after which what is known has no model";
                    return Err(SolverError::Disagreement(what.to_string()));
                }
                Answer::Sat(_) | Answer::Unknown(_) => {}
            }
        }
        Ok(())
    }

    /// Is memory after barriers unknown?
    fn knows_nothing_more(&self) -> bool {
        let facts = self.check.facts;
        facts.claims.in_force.is_empty() && facts.carried.is_empty()
    }

    /// The barriers that start an interval of two threads which some run passes, with what is
    /// known there.
    fn starts_that_runs_reach(&mut self) -> Vec<(Inst, Vec<TermId>)> {
        let facts = self.check.facts;
        let subject = subject(facts, self.check.options);
        let mut starts = vec![];
        for row in &facts.program.rows {
            let Some(family) = row.families.iter().find(|family| family.aligned) else { continue };
            for interval in &family.intervals {
                let Start::Barrier(barrier) = interval.start else { continue };
                let block = facts
                    .func
                    .layout
                    .iter()
                    .copied()
                    .find(|&block| facts.func.blocks[block].insts.contains(&barrier));
                let launch = block.and_then(|block| subject.launch_that_visits(block));
                if !launch.is_some_and(|launch| has_pair(row, &launch.block, &launch.grid)) {
                    continue;
                }
                let mut laws = vec![];
                let mut known = self.check.walker.walk_pair(row, family, interval, family).facts;
                let Walker { pool, symbols, geometry, .. } = &mut self.check.walker;
                for goal in [&known[..], &[]] {
                    laws.extend(laws_of_folds(pool, symbols, facts, geometry, &known, goal));
                }
                known.extend(laws);
                starts.push((barrier, known));
            }
        }
        starts
    }
}
