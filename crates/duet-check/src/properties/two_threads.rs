//! Assertions that name the other thread: `__assert(__uniform_int(x))`.
//!
//! They mean something where two threads are at the same visit of the place. So they are
//! asked of the pairs of every row, where both get to a place in code that no loop of the
//! interval goes round; elsewhere they are open. The value of `__other_int(x)` for one
//! thread is then that of `x` for the other.
//!
//! SOUNDNESS: a place in a loop that the pair may be in different iterations of says nothing
//! (kernels/contracts/uniform-in-loop-bug); the threads of different blocks are others as
//! well (kernels/contracts/uniform-block-bug).

use std::collections::{BTreeSet, HashMap};

use duet_analysis::Loop;
use duet_ask::Question;
use duet_ir::{EntityRef, Inst, InstData, Rule};
use duet_product::{Context, Interval, Row, Scope, ghost_insts_of};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{ObligationTerm, PairWalk};

use crate::check::Check;
use crate::report::Why;

impl Check<'_, '_> {
    /// Every such assertion, for every pair.
    pub(crate) fn check_two_threads(&mut self) -> Result<(), SolverError> {
        let facts = self.facts;
        let is_assertion = |inst: &Inst| matches!(facts.func.insts[*inst], InstData::Assert { .. });
        let wanted: BTreeSet<Inst> = facts
            .func
            .insts_in_order()
            .filter(is_assertion)
            .filter(|&inst| facts.is_about_two_threads(inst))
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        for row in &facts.program.rows {
            let Some(aligned) = row.families.iter().find(|family| family.aligned) else { continue };
            let apart = self.facts.unaligned_loops(row, aligned);
            for interval in &aligned.intervals {
                if self.is_over() {
                    return Ok(());
                }
                let pair = self.walker.walk_pair(row, aligned, interval, aligned);
                self.check_assertions(row, interval, &pair, &wanted, &apart)?;
            }
        }
        Ok(())
    }

    fn check_assertions(
        &mut self,
        row: &Row,
        interval: &Interval,
        pair: &PairWalk,
        wanted: &BTreeSet<Inst>,
        apart: &BTreeSet<Loop>,
    ) -> Result<(), SolverError> {
        for one in pair.first.obligations.iter().filter(|one| wanted.contains(&one.inst)) {
            if !self.is_same_visit(interval, one, apart) {
                let why = "the two threads may be at different visits of this place";
                self.report(Rule::AssertionFailed, one.inst, None, Why::Stated(why.to_string()));
                continue;
            }
            let other = pair
                .second
                .obligations
                .iter()
                .find(|other| other.inst == one.inst && other.at.node == one.at.node);
            let Some(other) = other else { continue };
            let mut given = pair.facts.clone();
            given.extend(pair.first.facts_at(one.at));
            given.extend(pair.second.facts_at(other.at));
            given.extend(pair.facts_of_two(one.at, other.at));
            let ghosts = ghost_insts_of(self.facts.func, one.inst);
            let two = pair.as_two(row.scope != Scope::Grid);
            let meanings: HashMap<TermId, TermId> =
                self.walker.meanings(&ghosts, &two).into_iter().flatten().collect();
            let holds = self.walker.with_meanings(one.holds, &meanings);
            let question = Question {
                given,
                when: vec![one.guard, other.guard],
                goal: vec![self.walker.pool.not(holds)],
                places: vec![one.inst],
                ..Question::about("an assertion about two threads")
            };
            if let Some(open) = self.ask(&question)? {
                self.report_open(Rule::AssertionFailed, one.inst, None, open);
            }
        }
        Ok(())
    }

    /// Are two threads that get there in this interval at the same visit?
    fn is_same_visit(
        &self,
        interval: &Interval,
        one: &ObligationTerm,
        apart: &BTreeSet<Loop>,
    ) -> bool {
        let node = &interval.region.nodes[one.at.node];
        let cut: BTreeSet<Loop> =
            interval.region.nodes.values().filter_map(|node| node.cut).collect();
        let mut around = self.facts.loops.around(node.block);
        node.context == Context::new(0)
            && around.all(|id| !cut.contains(&id) && !apart.contains(&id))
    }
}
