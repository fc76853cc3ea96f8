//! Reads of annotations, put into a kernel that is otherwise done.
//!
//! Nothing races with a ghost read, so it may stand anywhere: what it yields is up to the
//! schedule wherever others write the cell at that time. Some loads become ghost reads, and
//! some stretches of code are watched: a cell is read before and after.

use crate::ast::{ArrayPlace, Expr, Place, Stmt, Watched};

use super::memory::Arrays;
use crate::random::Random;

/// What ghost reads are made of.
pub(super) struct Ghosts<'g> {
    pub random: &'g mut Random,
    pub arrays: &'g Arrays,
}

impl Ghosts<'_> {
    /// Adds ghost reads to a kernel's statements.
    pub(super) fn add(&mut self, stmts: &mut Vec<Stmt>) {
        for stmt in stmts.iter_mut() {
            match stmt {
                Stmt::If(_, then, otherwise) => {
                    self.add(then);
                    self.add(otherwise);
                }
                Stmt::Loop(data) => self.add(&mut data.body),
                Stmt::Load { var, place } if self.random.percent(15) => {
                    *stmt = Stmt::GhostLoad { var: *var, place: place.clone() };
                }
                _ => {}
            }
        }
        if !stmts.is_empty() && self.random.percent(50) {
            self.watch_some(stmts);
        }
    }

    /// Watches a cell over some statements that follow each other.
    fn watch_some(&mut self, stmts: &mut Vec<Stmt>) {
        let from = self.random.below(stmts.len());
        let count = self.random.below((stmts.len() - from).min(4) + 1);
        let body: Vec<Stmt> = stmts.drain(from..from + count).collect();
        let Some((place, about)) = self.watched(&body) else {
            stmts.splice(from..from, body);
            return;
        };
        stmts.insert(from, Stmt::Watch { place, about, body });
    }

    /// A cell to watch: often one that the statements access, with what they store there.
    fn watched(&mut self, body: &[Stmt]) -> Option<(Place, Watched)> {
        let accessed: Vec<(Place, Option<Expr>)> = body
            .iter()
            .filter_map(|stmt| match stmt {
                Stmt::Store { place, value } => Some((place.clone(), Some(value.clone()))),
                Stmt::Load { place, .. } | Stmt::GhostLoad { place, .. } => {
                    Some((place.clone(), None))
                }
                _ => None,
            })
            .collect();
        if !accessed.is_empty() && self.random.percent(60) {
            let (place, value) = self.random.pick(&accessed);
            let about = match value {
                Some(value) if place.lanes == 1 && self.random.percent(70) => Watched::Is(value),
                _ => self.said(place.lanes),
            };
            return Some((place, about));
        }
        let shared: Vec<usize> = (0..self.arrays.decls.len())
            .filter(|&array| self.arrays.decls[array].place != ArrayPlace::Private)
            .collect();
        if shared.is_empty() {
            return None;
        }
        let array = self.random.pick(&shared);
        let index = self.random.pick(&[Expr::Const(0), Expr::Const(1), Expr::Tid, Expr::Tid]);
        let place = self.arrays.cell(array, index);
        let about = self.said(place.lanes);
        Some((place, about))
    }

    fn said(&mut self, lanes: u32) -> Watched {
        match self.random.below(10) {
            0..=1 if lanes == 1 => {
                Watched::Assumed(self.random.pick(&[Expr::Const(0), Expr::Tid, Expr::Const(1)]))
            }
            2 if lanes == 1 => Watched::Is(self.random.pick(&[Expr::Const(0), Expr::Tid])),
            _ => Watched::Same,
        }
    }
}
