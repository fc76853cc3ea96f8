//! Variables, numbers and conditions, and what the whole block agrees on.

use duet_ir::{BinaryOp, IntCc};

use super::{binary, compare};
use crate::ast::{Cond, Expr, Stmt, VARS};
use crate::random::Random;

/// What is drawn from, and what is known where the next statement stands.
pub(super) struct Scope<'r> {
    pub random: &'r mut Random,
    /// Percentage of choices that break the discipline.
    pub slip: usize,
    pub two_dimensional: bool,
    /// Variables that are the same for the whole block.
    pub uniform: [bool; VARS],
    /// Counters of the loops around, which the body leaves alone.
    pub counters: Vec<usize>,
    /// Depth of branches and loops that threads may take differently.
    pub divergent: usize,
    pub in_loop: usize,
    /// Barriers made so far.
    pub barriers: usize,
}

impl Scope<'_> {
    /// Is the discipline broken here?
    pub(super) fn slips(&mut self) -> bool {
        self.random.percent(self.slip)
    }

    /// A variable that is no counter of a loop around.
    pub(super) fn free_var(&mut self) -> usize {
        let free: Vec<usize> = (0..VARS).filter(|var| !self.counters.contains(var)).collect();
        if self.slips() { self.random.below(VARS) } else { self.random.pick(&free) }
    }

    /// Notes that a variable is assigned, perhaps by the whole block alike.
    pub(super) fn set(&mut self, var: usize, uniform: bool) {
        self.uniform[var] = uniform && self.divergent == 0;
    }

    /// An assignment.
    pub(super) fn assign(&mut self) -> Vec<Stmt> {
        let var = self.free_var();
        if self.random.percent(8) {
            self.set(var, false);
            return vec![Stmt::Fresh(var)];
        }
        let (value, uniform) = self.value();
        self.set(var, uniform);
        vec![Stmt::Assign(var, value)]
    }

    /// A constant.
    pub(super) fn number(&mut self, below: usize) -> Expr {
        Expr::Const(self.random.below(below) as u32)
    }

    /// Anything, and whether the whole block agrees on it.
    pub(super) fn value(&mut self) -> (Expr, bool) {
        let expr = self.expr(2);
        let uniform = self.is_uniform(&expr);
        (expr, uniform)
    }

    /// Something small, so that threads meet.
    pub(super) fn small(&mut self, of: Expr) -> Expr {
        let mask = self.random.pick(&[1, 3, 7]);
        binary(BinaryOp::And, of, Expr::Const(mask))
    }

    fn leaf(&mut self) -> Expr {
        match self.random.below(16) {
            0..=3 => Expr::Const(self.random.pick(&[0, 1, 1, 2, 3, 4, 5, 7, 31, 32])),
            4 => Expr::Param(self.random.below(2)),
            5..=7 => Expr::Var(self.random.below(VARS)),
            8..=10 => Expr::Tid,
            11 => Expr::Bid,
            12 => Expr::Gid,
            13 if self.two_dimensional => Expr::TidY,
            13 => Expr::Lane,
            14 => self.random.pick(&[Expr::BlockDim, Expr::GridDim]),
            _ => Expr::Const(self.random.pick(&[0x4000_0000, 0xffff_ffff, 0x8000_0000, 255])),
        }
    }

    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.random.percent(30) {
            return self.leaf();
        }
        let a = self.expr(depth - 1);
        match self.random.below(14) {
            0..=3 => binary(BinaryOp::Add, a, self.expr(depth - 1)),
            4 => binary(BinaryOp::Sub, a, self.expr(depth - 1)),
            5 => binary(BinaryOp::Mul, a, Expr::Const(self.random.pick(&[2, 3, 4, 0x4000_0001]))),
            6 => binary(BinaryOp::Xor, a, self.expr(depth - 1)),
            7..=8 => self.small(a),
            9 => binary(self.random.pick(&[BinaryOp::Shl, BinaryOp::LShr]), a, Expr::Const(1)),
            10 => {
                let op = self.random.pick(&[BinaryOp::UDiv, BinaryOp::URem]);
                binary(op, a, Expr::Const(self.random.pick(&[2, 3, 4, 32])))
            }
            11 => {
                let (bits, signed) = (self.random.pick(&[2, 8, 16]), self.random.percent(50));
                Expr::Cut(bits, signed, Box::new(a))
            }
            12 => {
                let b = self.expr(depth - 1);
                let cond = self.cond().0;
                Expr::Select(Box::new(cond), Box::new(a), Box::new(b))
            }
            _ => binary(BinaryOp::Or, a, self.expr(depth - 1)),
        }
    }

    /// Does the whole block agree on it?
    pub(super) fn is_uniform(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::Param(_) | Expr::Bid | Expr::BlockDim | Expr::GridDim => true,
            Expr::Var(var) => self.uniform[*var],
            Expr::Tid | Expr::TidY | Expr::Gid | Expr::Lane => false,
            Expr::Binary(_, a, b) => self.is_uniform(a) && self.is_uniform(b),
            Expr::Select(cond, a, b) => {
                [&cond.a, &cond.b, a, b].into_iter().all(|expr| self.is_uniform(expr))
            }
            Expr::Cut(_, _, a) => self.is_uniform(a),
        }
    }

    fn cc(&mut self) -> IntCc {
        use IntCc::*;
        self.random.pick(&[Eq, Eq, Ne, Ult, Ult, Ule, Ugt, Uge, Slt, Sgt])
    }

    /// Any condition, and whether the whole block agrees on it.
    pub(super) fn cond(&mut self) -> (Cond, bool) {
        let cc = self.cc();
        let (a, first) = match self.random.percent(50) {
            true => (self.random.pick(&[Expr::Tid, Expr::Lane, Expr::Gid]), false),
            false => {
                let a = self.expr(1);
                let uniform = self.is_uniform(&a);
                (a, uniform)
            }
        };
        let (b, second) = match self.random.percent(60) {
            true => (Expr::Const(self.random.below(5) as u32), true),
            false => {
                let b = self.expr(1);
                let uniform = self.is_uniform(&b);
                (b, uniform)
            }
        };
        (compare(cc, a, b), first && second)
    }

    /// A condition that the whole block agrees on.
    pub(super) fn uniform_cond(&mut self) -> Cond {
        let mut sides = vec![Expr::Param(0), Expr::Param(1), Expr::Bid, Expr::BlockDim];
        sides.extend((0..VARS).filter(|&var| self.uniform[var]).map(Expr::Var));
        let a = self.random.pick(&sides);
        let b = match self.random.percent(75) {
            true => Expr::Const(self.random.below(5) as u32),
            false => self.random.pick(&sides),
        };
        compare(self.cc(), a, b)
    }
}
