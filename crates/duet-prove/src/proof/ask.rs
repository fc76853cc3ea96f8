//! Questions of a proof, asked in order and counted.

use duet_ask::{Asker, Effort};
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{TermId, TermPool};

/// Asks whether hypotheses imply a goal.
pub struct Ask<'s> {
    /// Who is asked.
    pub asker: Asker<'s>,
    /// Questions so far.
    pub count: u32,
    /// Those whose answer proves something.
    pub proved: u32,
}

impl Ask<'_> {
    /// Do the hypotheses imply the goal? Only `unsat` says so.
    pub fn implies(
        &mut self,
        pool: &mut TermPool,
        hypotheses: &[TermId],
        goal: TermId,
        about: &str,
        effort: Effort,
    ) -> Result<bool, SolverError> {
        if hypotheses.contains(&goal) || pool.as_bool(goal) == Some(true) {
            return Ok(true);
        }
        let negated = pool.not(goal);
        self.excludes(pool, hypotheses, &[negated], about, effort)
    }

    /// Takes note of a question whose answer was found without asking.
    pub fn answered(&mut self) {
        self.count += 1;
        self.proved += 1;
    }

    /// Do the hypotheses exclude that all the goals hold together?
    pub fn excludes(
        &mut self,
        pool: &mut TermPool,
        hypotheses: &[TermId],
        goals: &[TermId],
        about: &str,
        effort: Effort,
    ) -> Result<bool, SolverError> {
        self.count += 1;
        let literals: Vec<TermId> = hypotheses.iter().chain(goals).copied().collect();
        let decision = self.asker.decide(pool, &literals, about, effort)?;
        let is_proved = decision.answer == Answer::Unsat;
        self.proved += u32::from(is_proved);
        Ok(is_proved)
    }
}
