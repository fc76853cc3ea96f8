//! Goals: each is a conjunction that must have no model, asked of the simplifier, the algebra
//! and a solver, in this order.

use duet_smt::solver::{Answer, Limits, ProcessSolver, preferred};
use duet_smt::{Decider, DeciderOptions, Question, TermId, TermPool};

use crate::engines::NotShown;

/// Goals that are asked for one pair of kernels.
const MOST_GOALS: u32 = 250;
/// What a goal may cost, in units of z3's count: about a fifth of a second.
const LIMIT: u64 = 2_000_000;

/// What all of them may cost.
const MOST_WORK: u64 = 25_000_000;

/// Shows goals from facts.
pub struct Goals {
    decider: Decider,
    /// What always holds: limits of sizes, and preconditions that name no thread.
    facts: Vec<TermId>,
    asked: u32,
}

impl Goals {
    /// Goals under these facts.
    ///
    /// # Errors
    /// If no solver is there.
    pub fn new(facts: Vec<TermId>) -> Result<Goals, NotShown> {
        let solver = ProcessSolver::find(preferred(), None).map_err(|error| error.to_string())?;
        let options = DeciderOptions {
            first: Limits::units(LIMIT),
            second: None,
            ..DeciderOptions::default()
        };
        Ok(Goals { decider: Decider::new(Box::new(solver), options), facts, asked: 0 })
    }

    /// Shows all of several goals.
    ///
    /// # Errors
    /// If one is not shown.
    pub fn show_all(
        &mut self,
        pool: &mut TermPool,
        facts: &[TermId],
        goals: &[TermId],
    ) -> Result<(), NotShown> {
        // Those that are false as they stand are not worth asking the others.
        if goals.iter().any(|&goal| pool.as_bool(goal) == Some(false)) {
            return Err("a goal is false".into());
        }
        for &goal in goals {
            if pool.as_bool(goal) == Some(true) {
                continue;
            }
            let negated = pool.not(goal);
            let literals: Vec<TermId> = facts.iter().copied().chain([negated]).collect();
            if !self.is_impossible(pool, &literals) {
                return Err("a goal was not shown".into());
            }
        }
        Ok(())
    }

    /// Can the facts not hold together?
    ///
    /// SOUNDNESS: only `unsat` counts; a solver that gives up or dies shows nothing.
    pub fn is_impossible(&mut self, pool: &mut TermPool, facts: &[TermId]) -> bool {
        self.asked += 1;
        if self.asked > MOST_GOALS || self.decider.statistics().work > MOST_WORK {
            return false;
        }
        let literals: Vec<TermId> = self.facts.iter().chain(facts).copied().collect();
        let question =
            Question { literals: &literals, about: "equivalence", ..Question::default() };
        match self.decider.decide(pool, &question) {
            Ok(decision) => matches!(decision.answer, Answer::Unsat),
            Err(_) => false,
        }
    }

    /// Who decided how much.
    pub fn notes(&self) -> Vec<String> {
        let decided = &self.decider.statistics().decided;
        let parts: Vec<String> =
            decided.iter().map(|(who, count)| format!("{count} by {who}")).collect();
        vec![format!("goals decided: {}", parts.join(", "))]
    }
}
