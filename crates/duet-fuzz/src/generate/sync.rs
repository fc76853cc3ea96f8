//! Barriers, warps, and what is plainly wrong.

use duet_ir::{BinaryOp, IntCc, Reduction};

use super::{Generator, binary, compare};
use crate::ast::{ArrayPlace, Expr, Stmt};

impl Generator<'_> {
    /// A barrier where all threads of the block meet, and new modes after it.
    pub(super) fn barrier(&mut self) -> Vec<Stmt> {
        if self.divergent > 0 && !self.slips() {
            return self.access();
        }
        let mut stmts = match self.random.below(20) {
            0 if self.slips() || !self.one_block => vec![Stmt::GridBarrier],
            1..=2 => {
                let var = self.free_var();
                let op = self.random.pick(&[Reduction::Count, Reduction::And, Reduction::Or]);
                let value = self.value().0;
                self.set(var, true);
                vec![Stmt::BarrierReduce(var, op, value)]
            }
            3..=4 => return self.partial_barrier(),
            5 => {
                let rare = Stmt::If(self.uniform_cond(), self.plain_barrier(), vec![]);
                return vec![rare];
            }
            _ => self.plain_barrier(),
        };
        self.barriers += 1;
        let slips = self.slips();
        for array in 0..self.arrays.len() {
            if !slips && self.random.percent(75) {
                self.modes[array] = self.mode(array, false);
            }
        }
        if self.slips() {
            stmts.clear();
        }
        stmts
    }

    /// A barrier that orders everything.
    pub(super) fn plain_barrier(&mut self) -> Vec<Stmt> {
        vec![Stmt::Barrier(Expr::Const(3))]
    }

    /// A barrier that orders one kind of memory: only those arrays change.
    fn partial_barrier(&mut self) -> Vec<Stmt> {
        let (flags, place) = self.random.pick(&[(1, ArrayPlace::Shared), (2, ArrayPlace::Global)]);
        self.barriers += 1;
        for array in 0..self.arrays.len() {
            if self.arrays[array].place == place || self.slips() {
                self.modes[array] = self.mode(array, false);
            }
        }
        let flags = match self.slips() {
            true => {
                let odd = binary(BinaryOp::And, Expr::Tid, Expr::Const(1));
                binary(BinaryOp::Add, odd, Expr::Const(1))
            }
            false => Expr::Const(flags),
        };
        vec![Stmt::Barrier(flags)]
    }

    /// Warp barriers and exchanges.
    pub(super) fn warp(&mut self) -> Vec<Stmt> {
        if self.divergent > 0 && !self.slips() {
            return self.access();
        }
        let var = self.free_var();
        let value = self.value().0;
        let whole = 0xffff_ffff;
        self.set(var, false);
        match self.random.below(6) {
            0..=1 => vec![Stmt::WarpBarrier(Expr::Const(whole))],
            2 => {
                let inner = self.access();
                let mut then = vec![Stmt::WarpBarrier(Expr::Const(0xffff))];
                then.extend(inner);
                let low = compare(IntCc::Ult, Expr::Lane, Expr::Const(16));
                vec![Stmt::If(low, then, vec![])]
            }
            3 => {
                let lane = self.random.pick(&[Expr::Const(0), Expr::Const(1), Expr::Lane]);
                vec![Stmt::Shuffle { var, xor: false, mask: whole, value, lane }]
            }
            4 => {
                let lane = Expr::Const(self.random.pick(&[1, 2, 16]));
                vec![Stmt::Shuffle { var, xor: true, mask: whole, value, lane }]
            }
            _ => vec![Stmt::Vote { var, any: self.random.percent(50), mask: whole, value }],
        }
    }

    /// What no discipline allows.
    pub(super) fn unruly(&mut self) -> Vec<Stmt> {
        match self.random.below(4) {
            0 => {
                let cond = self.cond().0;
                self.barriers += 1;
                vec![Stmt::If(cond, self.plain_barrier(), vec![])]
            }
            1 => {
                let cond = self.cond().0;
                let then = self.plain_barrier();
                vec![Stmt::If(cond, then, self.plain_barrier())]
            }
            2 => vec![Stmt::Assert(self.cond().0)],
            _ => vec![Stmt::Return(self.cond().0)],
        }
    }
}
