//! Shapes in which what a thread stored decides what it does after a barrier: right if its
//! cell is still what it was, almost right if another thread wrote it in between.

use duet_ir::{BinaryOp, IntCc};

use super::templates::{Templates, up_to};
use super::{binary, compare};
use crate::ast::{ArrayPlace, Expr, Stmt};

impl Templates<'_, '_> {
    /// A cell is written, perhaps overwritten behind a barrier or in a loop, and read back;
    /// the number decides an address, a branch or an assertion.
    pub(super) fn stored_number(&mut self) -> Vec<Stmt> {
        let place =
            self.scope.random.pick(&[ArrayPlace::Shared, ArrayPlace::Shared, ArrayPlace::Global]);
        let array = self.arrays.array_in(self.scope, place);
        let own = if place == ArrayPlace::Global { Expr::Gid } else { Expr::Tid };
        let (var, counter) = (self.scope.free_var(), self.scope.free_var());
        let value = self.number_of_thread();
        let written = self.moved(own.clone(), 25);
        let mut stmts = vec![
            Stmt::Barrier(Expr::Const(3)),
            Stmt::Store { place: self.arrays.cell(array, written.clone()), value: value.clone() },
        ];
        if !self.scope.slips() {
            stmts.push(self.any_barrier());
        }
        let mut between = vec![];
        if self.scope.random.percent(50) {
            between.extend(self.overwrite(array, own));
            between.push(self.any_barrier());
        }
        if self.scope.random.percent(30) && var != counter {
            between.push(self.any_barrier());
            stmts.push(up_to(counter, self.scope.number(3), between));
        } else {
            stmts.extend(between);
        }
        let read = self.moved(written, 20);
        stmts.push(Stmt::Load { var, place: self.arrays.cell(array, read) });
        stmts.extend(self.use_of(var, value));
        stmts
    }

    fn any_barrier(&mut self) -> Stmt {
        Stmt::Barrier(Expr::Const(self.scope.random.pick(&[3, 3, 3, 1])))
    }

    /// What threads store: often different for each of them.
    fn number_of_thread(&mut self) -> Expr {
        let twice = binary(BinaryOp::Mul, Expr::Tid, Expr::Const(2));
        let mirrored =
            binary(BinaryOp::Sub, Expr::BlockDim, binary(BinaryOp::Add, Expr::Tid, Expr::Const(1)));
        let small = self.scope.small(Expr::Tid);
        self.scope.random.pick(&[Expr::Tid, Expr::Gid, twice, mirrored, small, Expr::Const(5)])
    }

    /// The index, or in so many of a hundred cases that of a neighbour.
    fn moved(&mut self, index: Expr, percent: usize) -> Expr {
        match self.scope.random.percent(percent) {
            true => binary(
                self.scope.random.pick(&[BinaryOp::Xor, BinaryOp::Add]),
                index,
                Expr::Const(self.scope.random.pick(&[1, 2, 32])),
            ),
            false => index,
        }
    }

    /// Some threads write the cells of some.
    fn overwrite(&mut self, array: usize, own: Expr) -> Vec<Stmt> {
        let index = match self.scope.random.below(4) {
            0 => self.scope.number(3),
            1 => binary(BinaryOp::Add, own, Expr::Const(64)),
            _ => self.moved(own, 50),
        };
        let value = self.number_of_thread();
        let write = Stmt::Store { place: self.arrays.cell(array, index), value };
        let cc = self.scope.random.pick(&[IntCc::Eq, IntCc::Uge, IntCc::Ult]);
        let some = compare(cc, Expr::Tid, self.scope.number(4));
        vec![Stmt::If(some, vec![write], vec![])]
    }

    /// The number that was read decides something.
    fn use_of(&mut self, var: usize, value: Expr) -> Vec<Stmt> {
        let out = self.arrays.fresh_global();
        let index = match self.scope.random.below(3) {
            0 => Expr::Var(var),
            1 => {
                let row = binary(BinaryOp::Mul, Expr::Bid, Expr::Const(256));
                binary(BinaryOp::Add, row, Expr::Var(var))
            }
            _ => binary(BinaryOp::Add, Expr::Var(var), self.scope.number(2)),
        };
        let write = Stmt::Store { place: self.arrays.cell(out, index), value: Expr::Gid };
        let is_kept = compare(IntCc::Eq, Expr::Var(var), value);
        match self.scope.random.below(4) {
            0 => vec![Stmt::Assert(is_kept)],
            1 => {
                let place = self.arrays.cell(out, Expr::Const(0));
                let alone = Stmt::Store { place, value: Expr::Gid };
                let other = compare(IntCc::Ne, is_kept.a, is_kept.b);
                vec![Stmt::If(other, vec![alone], vec![])]
            }
            _ => vec![write],
        }
    }
}
