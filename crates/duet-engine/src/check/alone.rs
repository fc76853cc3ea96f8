//! What must hold of each thread by itself, without a partner.

use duet_ir::{AssertKind, InstData};
use duet_smt::solver::Answer;
use duet_smt::solver::SolverError;

use super::Why;
use super::session::Check;

impl Check<'_, '_, '_> {
    /// Are the launch, the preconditions and the assumptions contradictory?
    /// Anything but a model counts as not shown satisfiable.
    pub fn is_vacuous(&mut self) -> Result<bool, SolverError> {
        let invariants = std::mem::take(&mut self.invariants);
        let walk = self.walk_alone();
        let mut facts = self.facts_alone();
        facts.extend(walk.assumptions.iter().map(|assumption| assumption.fact));
        self.invariants = invariants;
        Ok(self.decide(&facts, "launch and preconditions")?.answer == Answer::Unsat)
    }

    /// Assertions, divisions, pointers.
    pub fn check_alone(&mut self) -> Result<(), SolverError> {
        let walk = self.walk_alone();
        let facts = self.facts_alone();
        for obligation in &walk.obligations {
            let rule = self.rule_of(obligation.inst);
            if obligation.not_expressible {
                let why = Why::NotModelled("assertions about other threads or logged accesses");
                self.report(rule, obligation.inst, None, why);
                continue;
            }
            let fails = self.pool.not(obligation.holds);
            let mut literals = facts.clone();
            literals.extend(walk.facts_at(obligation.at));
            literals.extend([obligation.guard, fails]);
            let decision = self.decide(&literals, rule)?;
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
            _ => "division-by-zero",
        }
    }
}
