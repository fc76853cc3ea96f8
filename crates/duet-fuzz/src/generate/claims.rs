//! Claims about memory at barriers, put into a kernel that is otherwise done.
//!
//! Before some barriers of the block something is claimed of a place that the statements
//! before it access: what they store there, or something else; of each thread, of every two,
//! or of every element. Most claims are false, or nearly true, or about cells that others
//! write: none of these may be believed. After the barrier a cell is loaded and asserted to
//! be what was claimed, so that a claim that is believed wrongly proves something wrong.

use duet_ir::IntCc;

use super::memory::Arrays;
use crate::ast::{ArrayPlace, At, Claim, ClaimOf, Cond, Expr, Place, Stmt};
use crate::random::Random;

/// What claims are made of.
pub(super) struct Claims<'g> {
    pub random: &'g mut Random,
    pub arrays: &'g Arrays,
}

impl Claims<'_> {
    /// Adds claims to a kernel's statements.
    pub(super) fn add(&mut self, stmts: &mut Vec<Stmt>) {
        let mut at = 0;
        while at < stmts.len() {
            match &mut stmts[at] {
                Stmt::If(_, then, otherwise) => {
                    self.add(then);
                    self.add(otherwise);
                }
                Stmt::Loop(data) => self.add(&mut data.body),
                Stmt::Barrier(_) if self.random.percent(70) => at += self.claim(stmts, at),
                _ => {}
            }
            at += 1;
        }
    }

    /// Puts a claim before the barrier, and what follows from it behind; how many
    /// statements came before the barrier?
    fn claim(&mut self, stmts: &mut Vec<Stmt>, barrier: usize) -> usize {
        let Some((place, value)) = self.subject(&stmts[..barrier]) else { return 0 };
        let of = self.random.pick(&[ClaimOf::Thread, ClaimOf::Pair, ClaimOf::Cell]);
        let cc = match of {
            ClaimOf::Pair => self.random.pick(&[IntCc::Ne, IntCc::Eq, IntCc::Ne]),
            ClaimOf::Thread | ClaimOf::Cell => {
                self.random.pick(&[IntCc::Eq, IntCc::Eq, IntCc::Ule, IntCc::Ne])
            }
        };
        let count = if of == ClaimOf::Cell { 0 } else { self.random.below(3) };
        let twice = if of == ClaimOf::Pair { 2 * count } else { count };
        let instances = (0..twice).map(|_| self.instance()).collect();
        let lanes = Place { lanes: 1, ..place };
        let claim = Claim { of, place: lanes.clone(), cc, value: value.clone(), instances };
        if self.random.percent(60) && of != ClaimOf::Pair {
            let var = self.random.below(2);
            let seen = Stmt::Load { var, place: self.moved(lanes) };
            let cond = Cond { cc, a: Expr::Var(var), b: value };
            stmts.splice(barrier + 1..barrier + 1, [seen, Stmt::Assert(cond)]);
        }
        stmts.insert(barrier, Stmt::Claim(Box::new(claim)));
        1
    }

    /// A cell and what may be said of it: often what was stored there last.
    fn subject(&mut self, before: &[Stmt]) -> Option<(Place, Expr)> {
        let stored: Vec<(Place, Expr)> = before
            .iter()
            .filter_map(|stmt| match stmt {
                Stmt::Store { place, value } => Some((place.clone(), value.clone())),
                _ => None,
            })
            .collect();
        let said = [Expr::Const(0), Expr::Tid, Expr::Const(1), Expr::Tid];
        if !stored.is_empty() && self.random.percent(75) {
            let (place, value) = self.random.pick(&stored);
            let value = if self.random.percent(70) { value } else { self.random.pick(&said) };
            return Some((place, value));
        }
        let shared: Vec<usize> = (0..self.arrays.decls.len())
            .filter(|&array| self.arrays.decls[array].place != ArrayPlace::Private)
            .collect();
        if shared.is_empty() {
            return None;
        }
        let array = self.random.pick(&shared);
        let place = self.arrays.cell(array, self.random.pick(&said));
        Some((place, self.random.pick(&said)))
    }

    fn instance(&mut self) -> Expr {
        let step = |op, by| Expr::Binary(op, Box::new(Expr::Tid), Box::new(Expr::Const(by)));
        let list = [
            Expr::Tid,
            Expr::Const(0),
            step(duet_ir::BinaryOp::Xor, 1),
            step(duet_ir::BinaryOp::Add, 1),
            step(duet_ir::BinaryOp::Sub, 1),
        ];
        self.random.pick(&list)
    }

    /// The cell, or that of another thread.
    fn moved(&mut self, place: Place) -> Place {
        if self.random.percent(50) {
            return place;
        }
        let index = self.instance();
        Place { at: At::Wide(index), ..place }
    }
}
