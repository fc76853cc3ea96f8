//! Shapes in which the lanes of a mask hand data over, or threads draw tickets from
//! a counter: right or almost right, depending on the numbers drawn.

use duet_ir::{AtomicOp, BinaryOp, IntCc, MemoryScope};

use super::templates::Templates;
use super::{binary, compare};
use crate::ast::{ArrayPlace, Expr, Stmt};

/// Masks, with a bound on the lanes in them.
const MASKS: [(u32, u32); 6] = [
    (0x0000_ffff, 16),
    (0x0000_00ff, 8),
    (0x0000_000f, 4),
    (0x0000_0003, 2),
    (0x0000_0fff, 12),
    (0xffff_ffff, 32),
];

impl Templates<'_, '_> {
    /// Lanes of a mask write, wait for each other, and read each other's cells.
    pub(super) fn masked_handover(&mut self) -> Vec<Stmt> {
        let array = self.arrays.array_in(self.scope, ArrayPlace::Shared);
        let (mask, lanes) = self.scope.random.pick(&MASKS);
        let (other_mask, _) = self.scope.random.pick(&MASKS);
        let lanes = match self.scope.slips() {
            true => self.scope.random.below(33) as u32,
            false => lanes,
        };
        let named = if self.scope.slips() { other_mask } else { mask };
        let var = self.scope.free_var();
        let store = Stmt::Store { place: self.arrays.cell(array, Expr::Tid), value: Expr::Tid };
        let distance = Expr::Const(self.scope.random.pick(&[1, 1, 2, 3, 7, 8, 15, 16]));
        let partner = binary(BinaryOp::Xor, Expr::Tid, distance);
        let load = Stmt::Load { var, place: self.arrays.cell(array, partner) };
        let waits = |mask: u32| Stmt::WarpBarrier(Expr::Const(mask));
        let meeting = match self.scope.random.below(4) {
            0 => {
                let (value, lane) = (Expr::Tid, Expr::Const(1));
                Stmt::Shuffle { var, xor: true, mask: named, value, lane }
            }
            _ => waits(named),
        };
        let inside = compare(IntCc::Ult, Expr::Lane, Expr::Const(lanes));
        let mut then = vec![meeting];
        let mut after = vec![];
        match self.scope.random.below(4) {
            0 => after.push(load),
            1 => then.insert(0, store.clone()),
            _ => then.push(load),
        }
        let otherwise = match self.scope.random.below(4) {
            0 => vec![waits(!mask)],
            1 if self.scope.slips() => vec![waits(other_mask)],
            _ => vec![],
        };
        let mut stmts = vec![store, Stmt::If(inside, then, otherwise)];
        stmts.extend(after);
        stmts.push(Stmt::Barrier(Expr::Const(3)));
        self.scope.set(var, false);
        stmts
    }

    /// Threads draw tickets and write to the places on them.
    pub(super) fn tickets(&mut self) -> Vec<Stmt> {
        let place =
            self.scope.random.pick(&[ArrayPlace::Global, ArrayPlace::Global, ArrayPlace::Shared]);
        let counter = self.arrays.array_of_words(self.scope, place);
        let out = self.arrays.array_of_words(self.scope, ArrayPlace::Global);
        let var = self.scope.free_var();
        let step = match self.scope.slips() {
            true => Expr::Const(self.scope.random.pick(&[0, 2, 3])),
            false => Expr::Const(1),
        };
        let op = match self.scope.slips() {
            true => self.scope.random.pick(&[AtomicOp::IncWrap, AtomicOp::Or, AtomicOp::Exchange]),
            false => self.scope.random.pick(&[AtomicOp::Add, AtomicOp::Add, AtomicOp::Sub]),
        };
        let which = self.scope.random.pick(&[Expr::Const(0), Expr::Const(0), Expr::Bid]);
        let cell = self.arrays.cell(counter, which);
        let scope = MemoryScope::Device;
        let draw = Stmt::Atomic { var, op, scope, place: cell, value: step };
        let write = Stmt::Store { place: self.arrays.cell(out, Expr::Var(var)), value: Expr::Tid };
        self.scope.set(var, false);
        let mut stmts = vec![draw, write];
        if self.scope.slips() {
            let reset = self.arrays.cell(counter, Expr::Const(0));
            let first = compare(IntCc::Eq, Expr::Tid, Expr::Const(0));
            let reset = Stmt::Store { place: reset, value: Expr::Const(0) };
            let barrier = || Stmt::Barrier(Expr::Const(3));
            let again = stmts.clone();
            stmts.extend([barrier(), Stmt::If(first, vec![reset], vec![]), barrier()]);
            stmts.extend(again);
        }
        stmts
    }
}
