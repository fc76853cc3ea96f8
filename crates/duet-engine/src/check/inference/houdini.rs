//! Houdini (H): the largest set of candidates that is inductive.
//!
//! Every edge into a loop's header must establish the candidates of the loop, given
//! those at the headers passed before. A model of a failure refutes every candidate
//! that is false in it; a candidate that nobody can decide within its share is
//! dropped. An edge is asked about again only if a candidate died that it relied on.
//!
//! SOUNDNESS: what is returned is a set of candidates, taken at one moment, such that
//! each was proved on each edge relying on candidates of the set only (trap 10).

use std::collections::HashSet;

use duet_smt::TermId;
use duet_smt::solver::SolverError;

use super::super::session::{Check, Effort};
use super::board::{Board, Number};
use super::edges::{Asked, Edge};

/// What an edge was shown to establish, and by what.
#[derive(Clone, Default)]
struct Shown {
    claims: Vec<Number>,
    relied: Vec<Number>,
}

impl Shown {
    /// Does it still stand for all that has to hold?
    fn is_enough(&self, edge: &Edge, board: &Board) -> bool {
        let claims = edge.live_claims(board);
        claims.is_empty()
            || claims.iter().all(|(number, _)| self.claims.contains(number))
                && self.relied.iter().all(|number| board.is_live(*number))
    }
}

impl Check<'_, '_, '_> {
    /// The candidates that hold, and those refuted here.
    pub(super) fn run_houdini(
        &mut self,
        edges: &[Edge],
        board: &Board,
        proved: &mut HashSet<Vec<TermId>>,
    ) -> Result<(Vec<bool>, Vec<Number>), SolverError> {
        let mut shown = vec![Shown::default(); edges.len()];
        let mut refuted = vec![];
        loop {
            let live = board.live();
            let open: Vec<usize> = (0..edges.len())
                .filter(|&number| !shown[number].is_enough(&edges[number], board))
                .collect();
            // Another engine may have refuted something in between: what was looked
            // at just now counts.
            if open.is_empty() && live == board.live() {
                return Ok((live, refuted));
            }
            self.search.rounds += 1;
            for number in open {
                shown[number] = self.show(&edges[number], board, proved, &mut refuted)?;
            }
        }
    }

    /// Refutes the candidates that an edge breaks; the others it establishes.
    fn show(
        &mut self,
        edge: &Edge,
        board: &Board,
        proved: &mut HashSet<Vec<TermId>>,
        refuted: &mut Vec<Number>,
    ) -> Result<Shown, SolverError> {
        loop {
            let (claims, relied) = (edge.live_claims(board), edge.live_assumed(board));
            if claims.is_empty() {
                return Ok(Shown::default());
            }
            let asked = self.ask_together(edge, &claims, &relied, proved, Effort::Inference)?;
            let broken = match asked {
                Asked::Hold => vec![],
                Asked::Broken(broken) => broken,
                Asked::Unknown => self.not_proved_alone(edge, &claims, &relied, proved)?,
            };
            if broken.is_empty() {
                let claims = claims.iter().map(|(number, _)| *number).collect();
                return Ok(Shown { claims, relied });
            }
            refuted.extend(broken.into_iter().filter(|number| board.refute(*number)));
        }
    }

    /// The claims that are not proved when each is asked by itself.
    fn not_proved_alone(
        &mut self,
        edge: &Edge,
        claims: &[(Number, TermId)],
        relied: &[Number],
        proved: &mut HashSet<Vec<TermId>>,
    ) -> Result<Vec<Number>, SolverError> {
        let mut broken = vec![];
        for claim in claims {
            match self.ask_together(edge, &[*claim], relied, proved, Effort::Inference)? {
                Asked::Hold => {}
                Asked::Broken(_) => broken.push(claim.0),
                Asked::Unknown => {
                    self.search.undecided += 1;
                    broken.push(claim.0);
                }
            }
        }
        Ok(broken)
    }
}
