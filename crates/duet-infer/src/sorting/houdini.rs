//! Houdini (H): the largest set of candidates that is inductive.
//!
//! Every edge into a loop's header must establish the candidates of the loop, given
//! those at the headers passed before. A model of a failure refutes every candidate
//! that is false in it; a candidate that is not decided within its share is
//! dropped. An edge is asked about again only if a candidate died that it relied on.
//! Shares are counts of the solver, so that the result is the same on every run.
//!
//! An edge is asked about in a solver context with a selector for each candidate
//! ([`super::selectors`]), except
//!
//! * as long as the simplifier and a short look of the algebra decide everything: then
//!   no solver need be started;
//! * once a question within its context was too hard: solvers do better with a question
//!   by itself, and the algebra can be asked.
//!
//! SOUNDNESS: what is returned is a set of candidates, taken at one moment, such that
//! each was proved on each edge relying on candidates of the set only
//! (kernels/traps/10-houdini-too-early, test `houdini_keeps_what_the_files_say`).

use duet_ask::Effort;
use duet_smt::TermId;
use duet_smt::solver::SolverError;

use super::Sorter;
use super::board::{Board, Number};
use super::edges::{Asked, Edge};
use super::selectors::Selected;

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

/// Claims of an edge, and the candidates that may be relied on.
struct Claimed {
    claims: Vec<(Number, TermId)>,
    relied: Vec<Number>,
}

/// How it goes.
struct Progress<'a> {
    board: &'a Board,
    refuted: Vec<Number>,
    /// No question so far needed a solver.
    is_easy: bool,
}

impl Sorter<'_, '_, '_> {
    /// The candidates that hold, and those refuted here.
    pub(super) fn run_houdini(
        &mut self,
        edges: &[Edge],
        board: &Board,
    ) -> Result<(Vec<bool>, Vec<Number>), SolverError> {
        let mut shown = vec![Shown::default(); edges.len()];
        let mut is_hard = vec![!self.options.selectors; edges.len()];
        let mut progress = Progress { board, refuted: vec![], is_easy: true };
        loop {
            let live = board.live();
            let open: Vec<usize> = (0..edges.len())
                .filter(|&number| !shown[number].is_enough(&edges[number], board))
                .collect();
            // Another engine may have refuted something in between: what was looked
            // at just now counts.
            if open.is_empty() && live == board.live() {
                return Ok((live, progress.refuted));
            }
            self.record.rounds += 1;
            for number in open {
                shown[number] = self.show(&edges[number], &mut is_hard[number], &mut progress)?;
            }
        }
    }

    /// Refutes the candidates that an edge breaks; the others it establishes.
    fn show(
        &mut self,
        edge: &Edge,
        is_hard: &mut bool,
        progress: &mut Progress<'_>,
    ) -> Result<Shown, SolverError> {
        let mut selected = None;
        let shown = loop {
            let claims = edge.live_claims(progress.board);
            if claims.is_empty() {
                break Shown::default();
            }
            let claimed = Claimed { claims, relied: edge.live_assumed(progress.board) };
            let broken = self.broken_by(edge, &claimed, &mut selected, is_hard, progress)?;
            if broken.is_empty() {
                let claims = claimed.claims.iter().map(|(number, _)| *number).collect();
                break Shown { claims, relied: claimed.relied };
            }
            let news = broken.into_iter().filter(|number| progress.board.refute(*number));
            progress.refuted.extend(news);
        };
        self.deselect(selected);
        Ok(shown)
    }

    /// Some of the claims that an edge breaks or that is not decided; none if it
    /// establishes all of them.
    fn broken_by(
        &mut self,
        edge: &Edge,
        claimed: &Claimed,
        selected: &mut Option<Selected>,
        is_hard: &mut bool,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Number>, SolverError> {
        let Claimed { claims, relied } = claimed;
        if !*is_hard {
            if progress.is_easy {
                let effort = Effort::MomentOfInference;
                let asked = self.ask_together(edge, claims, relied, effort)?;
                match asked {
                    Asked::Hold => return Ok(vec![]),
                    Asked::Broken(broken) => return Ok(broken),
                    Asked::Unknown => progress.is_easy = false,
                }
            }
            let context = match selected {
                Some(context) => context,
                None => selected.insert(self.select(edge, progress.board)),
            };
            match self.ask_selected(edge, context, claims, relied)? {
                Asked::Hold => return Ok(vec![]),
                Asked::Broken(broken) => return Ok(broken),
                Asked::Unknown => *is_hard = true,
            }
            self.deselect(selected.take());
        }
        match self.ask_together(edge, claims, relied, Effort::Inference)? {
            Asked::Hold => Ok(vec![]),
            Asked::Broken(broken) => Ok(broken),
            Asked::Unknown => self.not_proved_alone(edge, claimed, progress),
        }
    }

    /// The claims that are not proved when each is asked by itself. What the user wrote
    /// is worth more effort than a guess.
    fn not_proved_alone(
        &mut self,
        edge: &Edge,
        Claimed { claims, relied }: &Claimed,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Number>, SolverError> {
        let mut broken = vec![];
        for claim in claims {
            let effort = match progress.board.is_of_user(claim.0) {
                true => Effort::Full,
                false => Effort::Inference,
            };
            match self.ask_together(edge, &[*claim], relied, effort)? {
                Asked::Hold => {}
                Asked::Broken(_) => broken.push(claim.0),
                Asked::Unknown => {
                    self.record.undecided += 1;
                    broken.push(claim.0);
                }
            }
        }
        Ok(broken)
    }
}
