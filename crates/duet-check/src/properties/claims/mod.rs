//! Claims about memory at barriers hold when a thread comes to the barrier.
//!
//! A claim is asked in every interval of the block that leads to its barrier: from the entry,
//! from other barriers, and from the barrier itself round a loop. A claim about one thread is
//! asked of a thread alone; one about two of every pair of the block, of one warp or not,
//! where both come to the barrier in the same interval. What the claim reads of memory is
//! unknown there unless no other thread can have changed it (duet-vc/src/encode/known.rs).
//!
//! SOUNDNESS: every way to the barrier (kernels/claims/15-first-arrival-only) and every pair
//! (kernels/claims/09-one-row-only).

mod cells;

use std::collections::HashMap;

use duet_ask::{Effort, Open, Question, cases};
use duet_ir::{Inst, Rule, Severity};
use duet_product::{Interval, Row, Scope, Start};
use duet_smt::TermId;
use duet_smt::solver::{Answer, SolverError};
use duet_vc::{ClaimTerm, PairWalk, Walk};

use crate::check::Check;
use crate::claims::{adds_cells, is_binary, rejected};

use crate::report::Why;
pub(crate) use cells::obstacle as obstacle_of_cells;

/// Is there a claim that is not proved? It becomes a finding.
pub(crate) fn claims_fail(check: &mut Check<'_, '_>) -> Result<bool, SolverError> {
    Claims { check }.check_claims()?;
    Ok(check.findings.iter().any(|finding| finding.severity == Severity::Error))
}

/// Asks about claims at barriers.
pub(crate) struct Claims<'c, 's, 'f> {
    pub(crate) check: &'c mut Check<'s, 'f>,
}

impl Claims<'_, '_, '_> {
    /// Every claim, each time a thread comes to its barrier.
    pub(crate) fn check_claims(&mut self) -> Result<(), SolverError> {
        let facts = self.check.facts;
        for (claim, rule, why) in rejected(facts, self.check.options) {
            self.check.report(rule, claim, None, why);
        }
        if facts.claims.in_force.is_empty() {
            return Ok(());
        }
        self.reject_lone_instances();
        let row = facts.program.rows.iter().find(|row| row.scope == Scope::Block);
        let aligned = row.and_then(|row| row.families.iter().find(|family| family.aligned));
        for interval in aligned.iter().flat_map(|family| &family.intervals) {
            if self.check.is_over() {
                return Ok(());
            }
            self.check_unary(interval)?;
            if let (Some(row), Some(aligned)) = (row, aligned) {
                self.check_cells((row, aligned), interval)?;
            }
        }
        let has_binary = facts.claims.in_force.iter().any(|&claim| is_binary(facts, claim));
        let inside = facts.program.rows.iter().filter(|row| row.scope != Scope::Grid);
        for row in inside.filter(|_| has_binary) {
            self.check_binary(row)?;
        }
        let is_proved = self.check.findings.iter().all(|one| one.severity != Severity::Error);
        for interval in aligned.iter().flat_map(|family| &family.intervals).filter(|_| is_proved) {
            self.check_sense(interval)?;
        }
        Ok(())
    }

    /// Threads that some may leave before a barrier claim nothing there: a claim that is to
    /// be used for others is of no use. It says so.
    fn reject_lone_instances(&mut self) {
        let facts = self.check.facts;
        let exits = self.check.findings.iter().any(|one| one.rule == Rule::ExitBeforeBarrier);
        // SOUNDNESS: that all threads come was concluded from the graph; if the check of
        // divergence says otherwise, nothing that rests on it is proved
        // (kernels/claims/02-instance-that-left).
        if exits && facts.claims.all_arrive {
            let why = Why::Stated("a thread may return before a barrier with claims".to_string());
            self.check.report_kernel(Rule::NotModelled, why);
        }
    }

    /// What is known at the start of an interval must be possible: claims that hold
    /// contradict nothing. If they do here, something is assumed that does not hold, which
    /// would prove anything; no kernel is known that comes to this.
    fn check_sense(&mut self, interval: &Interval) -> Result<(), SolverError> {
        let Start::Barrier(barrier) = interval.start else { return Ok(()) };
        let (walk, facts) = self.check.walker.walk_interval_alone(interval);
        let facts = &facts[..];
        if self.check.facts.claims_at(barrier).is_empty() {
            return Ok(());
        }
        let root = interval.region.root();
        let known = walk.assumptions.iter().filter(|known| known.at.node == root);
        let known = known.map(|known| known.fact).collect();
        if !self.is_possible(facts, known)? && self.is_possible(facts, vec![])? {
            let why = "what is claimed at a barrier contradicts what else is known there";
            self.check.report_kernel(Rule::Vacuous, Why::Stated(why.to_string()));
        }
        Ok(())
    }

    fn check_unary(&mut self, interval: &Interval) -> Result<(), SolverError> {
        let (walk, facts) = self.check.walker.walk_interval_alone(interval);
        for claim in self.in_force(&walk) {
            self.check_range(&walk, &facts, &claim)?;
            if is_binary(self.check.facts, claim.inst) || claim.cell.is_some() {
                continue;
            }
            let mut given = facts.clone();
            given.extend(walk.facts_at(claim.at));
            let question = Question {
                given,
                when: vec![claim.guard],
                goal: vec![self.check.walker.pool.not(claim.holds)],
                places: vec![claim.inst],
                ..Question::about("a barrier invariant")
            };
            if let Some(open) = self.ask_by_state(&question)? {
                let seen = seen_at(&walk, &claim);
                self.report(claim.inst, question, seen, open)?;
            }
        }
        Ok(())
    }

    /// Asks whether a claim holds. Equations between cells are asked for one state of the
    /// counters at a time: then which cells they are of is linear arithmetic.
    fn ask_by_state(&mut self, question: &Question<'_>) -> Result<Option<Open>, SolverError> {
        if !adds_cells(self.check.facts) {
            return self.check.ask(question);
        }
        for case in cases(&mut self.check.walker.pool, &question.given) {
            let mut question = question.clone();
            question.given.extend(case);
            if let Some(open) = self.check.ask(&question)? {
                return Ok(Some(open));
            }
        }
        Ok(None)
    }

    /// The claims on a walk that are in force.
    fn in_force(&self, walk: &Walk) -> Vec<ClaimTerm> {
        let in_force = &self.check.facts.claims.in_force;
        walk.claims.iter().filter(|claim| in_force.contains(&claim.inst)).cloned().collect()
    }

    /// A claim that is open is one about cells that others may change, if it holds of what
    /// the threads see.
    fn report(
        &mut self,
        claim: Inst,
        mut question: Question<'_>,
        seen: Vec<TermId>,
        open: Open,
    ) -> Result<(), SolverError> {
        question.given.extend(&seen);
        let needs_permission = !seen.is_empty() && self.check.ask(&question)?.is_none();
        let rule = match needs_permission {
            true => Rule::BarrierInvariantPermission,
            false => Rule::BarrierInvariantFailed,
        };
        self.check.report_open(rule, claim, None, open);
        Ok(())
    }

    /// An instance that no thread of the block has, whatever the thread, is a mistake.
    fn check_range(
        &mut self,
        walk: &Walk,
        facts: &[TermId],
        claim: &ClaimTerm,
    ) -> Result<(), SolverError> {
        for &instance in &claim.instances {
            let mut literals = facts.to_vec();
            literals.extend(walk.facts_at(claim.at));
            literals.extend([claim.guard, self.check.walker.is_thread_of_block(instance)]);
            let pool = &mut self.check.walker.pool;
            let about = "an instance of a barrier invariant";
            let asked = self.check.asker.decide(pool, &literals, about, Effort::Small)?;
            let is_reached = walk.facts_at(claim.at).into_iter().chain([claim.guard]).collect();
            if asked.answer == Answer::Unsat && self.is_possible(facts, is_reached)? {
                let why = Why::Stated("no thread of the block has this number".to_string());
                self.check.report(Rule::BarrierInvariantRange, claim.inst, None, why);
            }
        }
        Ok(())
    }

    fn is_possible(&mut self, facts: &[TermId], more: Vec<TermId>) -> Result<bool, SolverError> {
        let literals: Vec<TermId> = facts.iter().copied().chain(more).collect();
        let pool = &mut self.check.walker.pool;
        let about = "a barrier invariant is reached";
        let asked = self.check.asker.decide(pool, &literals, about, Effort::Small)?;
        Ok(asked.answer != Answer::Unsat)
    }

    fn check_binary(&mut self, row: &Row) -> Result<(), SolverError> {
        let Some(aligned) = row.families.iter().find(|family| family.aligned) else {
            return Ok(());
        };
        for interval in &aligned.intervals {
            if self.check.is_over() {
                return Ok(());
            }
            let pair = self.check.walker.walk_pair(row, aligned, interval, aligned);
            let (first, second) = (self.in_force(&pair.first), self.in_force(&pair.second));
            for one in first.iter().filter(|one| is_binary(self.check.facts, one.inst)) {
                for other in second.iter().filter(|other| other.inst == one.inst) {
                    self.ask_of_two(&pair, one, other)?;
                }
            }
        }
        Ok(())
    }

    /// Asks what the first claims of itself and the second.
    fn ask_of_two(
        &mut self,
        pair: &PairWalk,
        one: &ClaimTerm,
        other: &ClaimTerm,
    ) -> Result<(), SolverError> {
        let holds = meaning(&mut self.check.walker, pair, one, other);
        let mut given = pair.facts.clone();
        given.extend(pair.first.facts_at(one.at));
        given.extend(pair.second.facts_at(other.at));
        given.extend(pair.facts_of_two(one.at, other.at));
        let question = Question {
            given,
            when: vec![one.guard, other.guard],
            goal: vec![self.check.walker.pool.not(holds)],
            places: vec![one.inst],
            ..Question::about("a barrier invariant of two threads")
        };
        if let Some(open) = self.ask_by_state(&question)? {
            let mut seen = seen_at(&pair.first, one);
            seen.extend(seen_at(&pair.second, other));
            self.report(one.inst, question, seen, open)?;
        }
        Ok(())
    }
}

/// What a claim of the first thread says, with the second's values for those of the other.
///
/// SOUNDNESS: the values at the visit of the claim, so those of its iteration
/// (kernels/claims/13-counter-of-another-visit).
fn meaning(
    walker: &mut duet_vc::Walker<'_>,
    pair: &PairWalk,
    one: &ClaimTerm,
    other: &ClaimTerm,
) -> TermId {
    let mut meanings: HashMap<TermId, TermId> = HashMap::new();
    let first = pair.first.others.iter().filter(|own| own.context == one.context);
    for own in first {
        let same = |its: &&duet_vc::OtherTerm| its.inst == own.inst && its.context == other.context;
        if let Some(its) = pair.second.others.iter().find(same) {
            meanings.insert(own.symbol, its.own);
            meanings.insert(its.symbol, own.own);
        }
    }
    walker.with_meanings(one.holds, &meanings)
}

/// That what was read for a claim is what the thread sees.
fn seen_at(walk: &Walk, claim: &ClaimTerm) -> Vec<TermId> {
    let unseen = walk.unseen.iter().filter(|read| walk.has_passed(read.at, claim.at));
    unseen.map(|read| read.is_seen).collect()
}
