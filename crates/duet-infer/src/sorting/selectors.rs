//! An edge in a solver context of its own, with a selector for each candidate.
//!
//! What is known where the edge starts is told to the solver once. A candidate that may
//! be relied on is told as `r => fact`, and what has to be shown as `s1 and not claim1,
//! or ...`. A question assumes `r` of the candidates that are live, and `not s` of the
//! claims whose candidates are refuted; so a candidate that dies costs no new context.
//!
//! Each edge has a context, not each loop: what is known where a loop is entered and
//! where it goes round have little in common.
//!
//! SOUNDNESS: `unsat` under the assumptions is `unsat` of what is known, of the facts
//! relied on and of the broken claims that are live: the other literals only say less
//! (test `houdini_keeps_what_the_files_say` asks both ways).

use duet_smt::solver::{Answer, SolverError};
use duet_smt::{Context, TermId};

use super::Sorter;
use super::board::{Board, Number};
use super::edges::{Asked, Edge};

/// An edge that the solver knows.
pub(super) struct Selected {
    context: Context,
    /// For each candidate that may be relied on.
    relied: Vec<(Number, TermId)>,
    /// For each claim.
    claimed: Vec<(Number, TermId)>,
}

impl Sorter<'_, '_, '_> {
    /// Prepares an edge, with the candidates that are live now.
    pub(super) fn select(&mut self, edge: &Edge, board: &Board) -> Selected {
        let mut literals = edge.known.clone();
        let mut relied = vec![];
        for (number, fact) in edge.live_facts(board) {
            let selector = self.pool.bool_var(&format!("rely!{number}"));
            literals.push(self.pool.implies(selector, fact));
            relied.push((number, selector));
        }
        let (mut claimed, mut broken) = (vec![], vec![]);
        for (number, claim) in edge.live_claims(board) {
            let selector = self.pool.bool_var(&format!("claim!{number}"));
            let fails = self.pool.not(claim);
            broken.push(self.pool.and2(selector, fails));
            claimed.push((number, selector));
        }
        literals.push(self.pool.or(&broken));
        let context = self.asker.open_context(self.pool, &literals);
        Selected { context, relied, claimed }
    }

    /// Do all these claims hold, if these candidates do? As `ask_together`.
    pub(super) fn ask_selected(
        &mut self,
        edge: &Edge,
        selected: &mut Selected,
        claims: &[(Number, TermId)],
        relied: &[Number],
    ) -> Result<Asked, SolverError> {
        let literals = self.literals(edge, claims, relied);
        if self.proved.contains(&literals) {
            return Ok(Asked::Hold);
        }
        let is_relied = |number: &Number| relied.contains(number);
        let is_claimed = |number: &Number| claims.iter().any(|(claim, _)| claim == number);
        let mut assumptions = vec![];
        for (number, selector) in &selected.relied {
            assumptions.push(match is_relied(number) {
                true => *selector,
                false => self.pool.not(*selector),
            });
        }
        for (number, selector) in &selected.claimed {
            assumptions.push(match is_claimed(number) {
                true => *selector,
                false => self.pool.not(*selector),
            });
        }
        let about = "loop invariants";
        let context = &mut selected.context;
        let answer =
            self.asker.decide_within(self.pool, context, &assumptions, &literals, about)?;
        Ok(match answer {
            Answer::Unsat => {
                self.proved.insert(literals);
                Asked::Hold
            }
            answer @ Answer::Sat(_) | answer @ Answer::Unknown(_) => self.asked(answer, claims),
        })
    }

    /// The solver forgets the edge, if it knows one.
    pub(super) fn deselect(&mut self, selected: Option<Selected>) {
        if let Some(selected) = selected {
            self.asker.close_context(selected.context);
        }
    }
}
