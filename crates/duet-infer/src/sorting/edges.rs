//! The edges into loop heads: what is known where they start, and what they must
//! establish. Made once for all candidates; a refuted candidate is then left out.

use duet_ask::Effort;
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{Model, TermId, holds};

use super::Sorter;
use super::board::{Board, Number};

/// An edge into a head, or a visit of it.
pub struct Edge {
    /// It comes from inside the loop.
    pub is_back: bool,
    /// What is known where it starts whatever the candidates, and that it is taken.
    pub known: Vec<TermId>,
    /// What the candidates say that were assumed on the way.
    pub assumed: Vec<(Number, TermId)>,
    /// What each candidate says at its end.
    pub claims: Vec<(Number, TermId)>,
    /// Candidates of which that cannot be told: nothing could show that they hold.
    pub unclaimed: Vec<Number>,
}

/// What came of asking about some claims of an edge together.
pub(super) enum Asked {
    /// All hold.
    Hold,
    /// These don't.
    Broken(Vec<Number>),
    /// It was not decided.
    Unknown,
}

impl Edge {
    /// The claims of candidates that are not refuted.
    pub(super) fn live_claims(&self, board: &Board) -> Vec<(Number, TermId)> {
        let live = self.claims.iter().filter(|(number, _)| board.is_live(*number));
        live.copied().collect()
    }

    /// The candidates that may be relied on.
    pub(super) fn live_assumed(&self, board: &Board) -> Vec<Number> {
        let live = self.assumed.iter().map(|(number, _)| *number);
        live.filter(|number| board.is_live(*number)).collect()
    }

    /// What the candidates say that may be relied on.
    pub(super) fn live_facts(&self, board: &Board) -> Vec<(Number, TermId)> {
        let live = self.assumed.iter().filter(|(number, _)| board.is_live(*number));
        live.copied().collect()
    }

    /// What is known, given these candidates.
    fn known_with(&self, relied: &[Number]) -> Vec<TermId> {
        let assumed = self.assumed.iter().filter(|(number, _)| relied.contains(number));
        self.known.iter().copied().chain(assumed.map(|(_, fact)| *fact)).collect()
    }
}

impl Sorter<'_, '_, '_> {
    /// Do all these claims hold, if these candidates do? What has no model is remembered:
    /// terms are unique, so a question that comes again is the same list.
    pub(super) fn ask_together(
        &mut self,
        edge: &Edge,
        claims: &[(Number, TermId)],
        relied: &[Number],
        effort: Effort,
    ) -> Result<Asked, SolverError> {
        let literals = self.literals(edge, claims, relied);
        if self.proved.contains(&literals) {
            return Ok(Asked::Hold);
        }
        let about = if claims.len() == 1 { "a loop invariant" } else { "loop invariants" };
        Ok(match self.asker.decide(self.pool, &literals, about, effort)?.answer {
            Answer::Unsat => {
                self.proved.insert(literals);
                Asked::Hold
            }
            answer @ Answer::Sat(_) | answer @ Answer::Unknown(_) => self.asked(answer, claims),
        })
    }

    /// The question whether all these claims hold, if these candidates do: they do if
    /// this conjunction has no model.
    pub(super) fn literals(
        &mut self,
        edge: &Edge,
        claims: &[(Number, TermId)],
        relied: &[Number],
    ) -> Vec<TermId> {
        let mut literals = edge.known_with(relied);
        let broken: Vec<TermId> = claims.iter().map(|(_, claim)| self.pool.not(*claim)).collect();
        literals.push(self.pool.or(&broken));
        literals
    }

    /// What an answer to that says of the claims.
    pub(super) fn asked(&self, answer: Answer, claims: &[(Number, TermId)]) -> Asked {
        match answer {
            Answer::Unsat => Asked::Hold,
            Answer::Sat(model) => match self.broken_in(&model, claims) {
                broken if broken.is_empty() => Asked::Unknown,
                broken => Asked::Broken(broken),
            },
            Answer::Unknown(_) => Asked::Unknown,
        }
    }

    fn broken_in(&self, model: &Model, claims: &[(Number, TermId)]) -> Vec<Number> {
        let is_broken = |claim: TermId| !holds(self.pool, model, &[claim]);
        claims.iter().filter(|(_, claim)| is_broken(*claim)).map(|(number, _)| *number).collect()
    }
}
