//! Barriers, warps, and what is plainly wrong.

use duet_ir::{BinaryOp, IntCc, Reduction};

use super::{Generator, binary, compare, plain_barrier};
use crate::ast::{ArrayPlace, Expr, Stmt};

impl Generator<'_> {
    /// A barrier where all threads of the block meet, and new modes after it.
    pub(super) fn barrier(&mut self) -> Vec<Stmt> {
        if self.scope.divergent > 0 && !self.scope.slips() {
            return self.arrays.access(&mut self.scope);
        }
        let mut stmts = match self.scope.random.below(20) {
            0 if self.scope.slips() || !self.arrays.one_block => vec![Stmt::GridBarrier],
            1..=2 => {
                let var = self.scope.free_var();
                let op = self.scope.random.pick(&[Reduction::Count, Reduction::And, Reduction::Or]);
                let value = self.scope.value().0;
                self.scope.set(var, true);
                vec![Stmt::BarrierReduce(var, op, value)]
            }
            3..=4 => return self.partial_barrier(),
            5 => {
                let rare = Stmt::If(self.scope.uniform_cond(), plain_barrier(), vec![]);
                return vec![rare];
            }
            _ => plain_barrier(),
        };
        self.scope.barriers += 1;
        let slips = self.scope.slips();
        for array in 0..self.arrays.decls.len() {
            if !slips && self.scope.random.percent(75) {
                self.arrays.modes[array] = self.arrays.mode(&mut self.scope, array, false);
            }
        }
        if self.scope.slips() {
            stmts.clear();
        }
        stmts
    }

    /// A barrier that orders one kind of memory: only those arrays change.
    fn partial_barrier(&mut self) -> Vec<Stmt> {
        let (flags, place) =
            self.scope.random.pick(&[(1, ArrayPlace::Shared), (2, ArrayPlace::Global)]);
        self.scope.barriers += 1;
        for array in 0..self.arrays.decls.len() {
            if self.arrays.decls[array].place == place || self.scope.slips() {
                self.arrays.modes[array] = self.arrays.mode(&mut self.scope, array, false);
            }
        }
        let flags = match self.scope.slips() {
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
        if self.scope.divergent > 0 && !self.scope.slips() {
            return self.arrays.access(&mut self.scope);
        }
        let var = self.scope.free_var();
        let value = self.scope.value().0;
        let whole = 0xffff_ffff;
        self.scope.set(var, false);
        match self.scope.random.below(6) {
            0..=1 => vec![Stmt::WarpBarrier(Expr::Const(whole))],
            2 => {
                let inner = self.arrays.access(&mut self.scope);
                let mut then = vec![Stmt::WarpBarrier(Expr::Const(0xffff))];
                then.extend(inner);
                let low = compare(IntCc::Ult, Expr::Lane, Expr::Const(16));
                vec![Stmt::If(low, then, vec![])]
            }
            3 => {
                let lane = self.scope.random.pick(&[Expr::Const(0), Expr::Const(1), Expr::Lane]);
                vec![Stmt::Shuffle { var, xor: false, mask: whole, value, lane }]
            }
            4 => {
                let lane = Expr::Const(self.scope.random.pick(&[1, 2, 16]));
                vec![Stmt::Shuffle { var, xor: true, mask: whole, value, lane }]
            }
            _ => vec![Stmt::Vote { var, any: self.scope.random.percent(50), mask: whole, value }],
        }
    }

    /// What no discipline allows.
    pub(super) fn unruly(&mut self) -> Vec<Stmt> {
        match self.scope.random.below(4) {
            0 => {
                let cond = self.scope.cond().0;
                self.scope.barriers += 1;
                vec![Stmt::If(cond, plain_barrier(), vec![])]
            }
            1 => {
                let cond = self.scope.cond().0;
                let then = plain_barrier();
                vec![Stmt::If(cond, then, plain_barrier())]
            }
            2 => vec![Stmt::Assert(self.scope.cond().0)],
            _ => vec![Stmt::Return(self.scope.cond().0)],
        }
    }
}
