//! SBASE and SSTEP: only the edges that enter loops, or only those that go back.
//!
//! All candidates are assumed at the headers on the way, so a candidate that is false
//! in a model here is false in a state that every set of candidates allows: it is in
//! no inductive set. What is not decided stays a candidate. (*candidate-invariants*,
//! 5.1.1)

use duet_ask::Effort;
use duet_smt::solver::SolverError;

use super::Sorter;
use super::board::{Board, Number};
use super::edges::{Asked, Edge};

impl Sorter<'_, '_, '_> {
    /// The candidates that these edges break.
    pub(super) fn run_edges(
        &mut self,
        edges: &[&Edge],
        board: &Board,
    ) -> Result<Vec<Number>, SolverError> {
        let mut refuted = vec![];
        for edge in edges {
            loop {
                let (claims, relied) = (edge.live_claims(board), edge.live_assumed(board));
                if claims.is_empty() || board.is_over() {
                    break;
                }
                match self.ask_together(edge, &claims, &relied, Effort::Refuting)? {
                    Asked::Broken(broken) => {
                        refuted.extend(broken.into_iter().filter(|number| board.refute(*number)));
                    }
                    Asked::Hold | Asked::Unknown => break,
                }
            }
        }
        Ok(refuted)
    }
}
