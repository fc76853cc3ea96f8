//! Assertions that name the other thread: `__assert(__uniform_int(x))`.
//!
//! They mean something where two threads are at the same visit of the place. So they are
//! asked of the pairs of every row, where both get to a place in code that no loop of the
//! interval goes round; elsewhere they are open. The value of `__other_int(x)` for one
//! thread is then that of `x` for the other.
//!
//! SOUNDNESS: a place in a loop that the pair may be in different rounds of says nothing
//! (kernels/contracts/uniform-in-loop-bug); the threads of different blocks are others as
//! well (kernels/contracts/uniform-block-bug).

use std::collections::{BTreeSet, HashMap};

use duet_analysis::Loop;
use duet_ir::{EntityRef, GhostKind, Inst, InstData, Value, ValueDef};
use duet_product::{Context, Interval, Row, Scope};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::ObligationTerm;

use super::about_others::Two;
use super::annotations::{ghost_insts_of, ghosts_of};
use super::pair::PairWalk;
use super::report::Why;
use super::session::{Check, KernelFacts};

impl KernelFacts<'_> {
    /// Does the assertion name the other thread, and nothing else that one thread does
    /// not know?
    pub(super) fn is_about_two_threads(&self, inst: Inst) -> bool {
        let ghosts = ghosts_of(self.func, inst);
        ghosts.contains(&GhostKind::Other)
            && ghosts.iter().all(|ghost| {
                matches!(ghost, GhostKind::Other | GhostKind::SameBlock | GhostKind::Enabled)
            })
    }
}

impl Check<'_, '_, '_> {
    /// Every such assertion, for every pair.
    pub fn check_two_threads(&mut self) -> Result<(), SolverError> {
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
            let apart = self.unaligned_loops(row, aligned);
            for interval in &aligned.intervals {
                if self.is_over() {
                    return Ok(());
                }
                let pair = self.walk_pair(row, aligned, interval, aligned);
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
                self.report("assertion-failed", one.inst, None, Why::Stated(why.to_string()));
                continue;
            }
            let other = pair
                .second
                .obligations
                .iter()
                .find(|other| other.inst == one.inst && other.at.node == one.at.node);
            let Some(other) = other else { continue };
            let mut literals = pair.facts.clone();
            literals.extend(pair.first.facts_at(one.at));
            literals.extend(pair.second.facts_at(other.at));
            literals.extend(pair.facts_of_two(one.at, other.at));
            let ghosts = ghost_insts_of(self.facts.func, one.inst);
            let two = pair.as_two(row.scope != Scope::Grid);
            let meanings: HashMap<TermId, TermId> =
                self.meanings(&ghosts, &two).into_iter().flatten().collect();
            let holds = self.with_meanings(one.holds, &meanings);
            literals.extend([one.guard, other.guard, self.pool.not(holds)]);
            self.about([one.inst]);
            let decision = self.decide(&literals, "an assertion about two threads")?;
            if let Some(why) = self.why(&decision.answer) {
                self.report("assertion-failed", one.inst, None, why);
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

    /// What ghost values mean to each of two threads, as far as it can be told: each term
    /// and what it stands for.
    pub(super) fn meanings<F: Fn(bool, Value) -> Option<TermId>>(
        &mut self,
        ghosts: &BTreeSet<Inst>,
        two: &Two<F>,
    ) -> Vec<Option<(TermId, TermId)>> {
        let mut meanings = vec![];
        for &ghost in ghosts {
            meanings.extend([false, true].map(|second| self.meaning(ghost, second, two)));
        }
        meanings
    }

    fn meaning<F: Fn(bool, Value) -> Option<TermId>>(
        &mut self,
        ghost: Inst,
        second: bool,
        two: &Two<F>,
    ) -> Option<(TermId, TermId)> {
        let func = self.facts.func;
        let InstData::Ghost { kind, args, .. } = &func.insts[ghost] else { return None };
        let value = (two.value)(second, *func.results_of[ghost].first()?)?;
        let meaning = match kind {
            GhostKind::Other => match func.values[args[0]] {
                ValueDef::FunctionParam(_) => {
                    let name = duet_vc::argument_name(func, args[0]);
                    self.pool.constant(&name, self.pool.sort(value))
                }
                _ => (two.value)(!second, args[0])?,
            },
            GhostKind::SameBlock => self.pool.bool(two.same_block),
            GhostKind::Enabled => self.pool.tt(),
            _ => return None,
        };
        (self.pool.sort(meaning) == self.pool.sort(value)).then_some((value, meaning))
    }

    /// The term with ghost values replaced by what they stand for.
    pub(super) fn with_meanings(
        &mut self,
        term: TermId,
        meanings: &HashMap<TermId, TermId>,
    ) -> TermId {
        self.pool.rebuild(&[term], |_, part, _| meanings.get(&part).copied())[0]
    }
}
