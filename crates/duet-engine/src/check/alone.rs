//! What must hold of each thread by itself, without a partner.

use duet_ir::{AssertKind, InstData};
use duet_product::Scope;
use duet_smt::TermId;
use duet_smt::solver::{Answer, Reason, SolverError};

use super::session::{Check, reason_in_words};
use super::{Why, overflow};

impl Check<'_, '_, '_> {
    /// Can the launch, the preconditions and the assumptions hold together?
    /// SOUNDNESS: without a model nothing is proved: what follows from a
    /// contradiction is worth nothing (kernel `contracts/vacuous-bug.cu`).
    pub fn satisfy_assumptions(&mut self) -> Result<Answer, SolverError> {
        let invariants = std::mem::take(&mut self.invariants);
        let walk = self.walk_alone();
        let mut facts = self.facts_alone();
        facts.extend(walk.assumptions.iter().map(|assumption| assumption.fact));
        let answer = self.find_model(&facts, "launch and preconditions")?;
        let assumes = !(walk.assumptions.is_empty() && walk.about_others.is_empty());
        let possible = matches!(answer, Answer::Sat(_)) && assumes;
        // If all that may be assumed of arithmetic suits a launch, so do parts of it.
        let is_new = self.in_range.is_empty() || overflow::assumes_all(self.facts, &self.in_range);
        let vacuous = possible
            && (self.only_one_thread_satisfies()? || is_new && self.no_launch_suits_all()?);
        self.invariants = invariants;
        Ok(if vacuous { Answer::Unsat } else { answer })
    }

    /// Is there a thread that meets the assumptions with another beside it, which
    /// then cannot?
    ///
    /// SOUNDNESS: `__requires(threadIdx.x == 0)` leaves no pair to compare; nothing
    /// would race (kernels/soundness/09-one-thread-assumed).
    fn only_one_thread_satisfies(&mut self) -> Result<bool, SolverError> {
        let facts = self.facts;
        for row in &facts.program.rows {
            let (first, second, mut facts) = self.threads(row);
            let (first, second) = (self.walk_thread(&first), self.walk_thread(&second));
            facts.extend(first.assumptions.iter().map(|assumption| assumption.fact));
            match self.find_model(&facts, "preconditions of one of two threads")? {
                Answer::Sat(_) => {}
                Answer::Unsat => continue,
                Answer::Unknown(reason) => return Ok(self.not_shown_satisfiable(reason)),
            }
            facts.extend(second.assumptions.iter().map(|assumption| assumption.fact));
            facts.extend(self.assumed_of_walks(&first, &second, row.scope != Scope::Grid));
            match self.find_model(&facts, "preconditions of two threads")? {
                Answer::Sat(_) => {}
                Answer::Unsat => return Ok(true),
                Answer::Unknown(reason) => return Ok(self.not_shown_satisfiable(reason)),
            }
        }
        Ok(false)
    }

    /// Nobody knows whether two threads can meet the assumptions: nothing is proved
    /// then, nor is it vacuous.
    pub(super) fn not_shown_satisfiable(&mut self, reason: Reason) -> bool {
        let why = Why::Solver(reason_in_words(reason).to_string());
        self.report_kernel("not-shown-satisfiable", why);
        false
    }

    pub(super) fn assumptions_of(&mut self, thread: &duet_vc::ThreadTerms) -> Vec<TermId> {
        let walk = self.walk_thread(thread);
        walk.assumptions.iter().map(|assumption| assumption.fact).collect()
    }

    /// Assertions, divisions, pointers.
    pub fn check_alone(&mut self) -> Result<(), SolverError> {
        let walk = self.walk_alone();
        let facts = self.facts_alone();
        for obligation in &walk.obligations {
            let rule = self.rule_of(obligation.inst);
            if obligation.not_expressible && self.facts.is_about_two_threads(obligation.inst) {
                continue;
            }
            if obligation.not_expressible {
                let why = Why::NotModelled("assertions about other threads or logged accesses");
                self.report(rule, obligation.inst, None, why);
                continue;
            }
            let fails = self.pool.not(obligation.holds);
            let mut literals = facts.clone();
            literals.extend(walk.facts_at(obligation.at));
            literals.extend([obligation.guard, fails]);
            self.about([obligation.inst]);
            let decision = self.decide(&literals, rule)?;
            self.note_obstacles(&decision.answer, &[fails], &[obligation.guard]);
            if let Some(why) = self.why(&decision.answer) {
                self.report(rule, obligation.inst, None, why);
            }
        }
        Ok(())
    }

    fn rule_of(&self, inst: duet_ir::Inst) -> &'static str {
        match &self.facts.func.insts[inst] {
            InstData::Assert { kind: AssertKind::Pointer, .. } => "invalid-pointer",
            InstData::Assert { kind: AssertKind::ConstantWrite, .. } => "constant-write",
            InstData::Assert { .. } => "assertion-failed",
            InstData::Exchange { .. } | InstData::Barrier { .. } => "mask-excludes-self",
            _ => "division-by-zero",
        }
    }
}
