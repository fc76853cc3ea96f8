//! Shapes that random statements seldom form, and that are easy to get wrong: each
//! is right or almost right, depending on the numbers drawn.

use duet_ir::{BinaryOp, IntCc};

use super::expr::Scope;
use super::memory::Arrays;
use super::{binary, compare, plain_barrier};
use crate::ast::{ArrayPlace, Cond, Expr, Loop, Stmt};

/// What the shapes are made of.
pub(super) struct Templates<'g, 'r> {
    pub scope: &'g mut Scope<'r>,
    pub arrays: &'g mut Arrays,
    /// Uses warp barriers.
    pub warps: bool,
}

impl Templates<'_, '_> {
    /// One of the shapes.
    pub(super) fn template(&mut self) -> Vec<Stmt> {
        if self.scope.divergent > 0 {
            return self.arrays.access(self.scope);
        }
        self.scope.barriers += 2;
        let stmts = match self.scope.random.below(15) {
            13..=14 => self.stored_number(),
            12 => self.number_generator(),
            9..=10 => self.masked_handover(),
            11 => self.tickets(),
            0 => self.staggered_barriers(),
            1 => self.rare_barrier(),
            2 => self.overwritten_index(),
            3 => self.counted_per_block(),
            4 => self.broadcast(),
            5 => self.halving(),
            6 => self.changed_in_loop(),
            7 => self.left_behind(),
            _ => self.ping_pong(),
        };
        self.scope.uniform = [false; crate::ast::VARS];
        stmts
    }

    /// A number that is kept in a signed variable and grows until it may not fit: what
    /// depends on its sign is wrong in a later iteration, or in none.
    fn number_generator(&mut self) -> Vec<Stmt> {
        let (var, array) =
            (self.scope.free_var(), self.arrays.array_in(self.scope, ArrayPlace::Global));
        let number = (0..crate::ast::VARS)
            .find(|&free| free != var && !self.scope.counters.contains(&free))
            .unwrap_or(var);
        let is_signed = self.scope.random.percent(40);
        let factor = self.scope.random.pick(&[1, 1, 3, 69069, 1_103_515_245]);
        let more = self.scope.random.pick(&[1, 7, 12_345, 123_456_789, 0x7000_0000]);
        let mut body = vec![];
        if factor != 1 {
            let (op, a, b) = (BinaryOp::Mul, Expr::Var(number), Expr::Const(factor));
            body.push(Stmt::AssignSigned { var: number, op, is_signed, a, b });
        }
        let (op, a, b) = (BinaryOp::Add, Expr::Var(number), Expr::Const(more));
        body.push(Stmt::AssignSigned { var: number, op, is_signed, a, b });
        let negative = compare(IntCc::Slt, Expr::Var(number), Expr::Const(0));
        let index = if self.scope.random.percent(80) { Expr::Gid } else { Expr::Tid };
        let index =
            Expr::Select(Box::new(negative.clone()), Box::new(Expr::Const(0)), Box::new(index));
        let judged = match self.scope.random.below(3) {
            0 => Stmt::Store { place: self.arrays.cell(array, index), value: Expr::Tid },
            1 => Stmt::Assert(compare(IntCc::Sge, Expr::Var(number), Expr::Const(0))),
            _ => Stmt::If(negative, plain_barrier(), vec![]),
        };
        let bound = Expr::Const(self.scope.random.pick(&[1, 2, 5, 20, 60]));
        let start =
            Stmt::Assign(number, self.scope.random.pick(&[Expr::Tid, Expr::Const(1), Expr::Bid]));
        if self.scope.random.percent(50) {
            body.push(judged);
            return vec![start, up_to(var, bound, body)];
        }
        vec![start, up_to(var, bound, body), judged]
    }

    /// Threads that come to a barrier in different iterations.
    fn staggered_barriers(&mut self) -> Vec<Stmt> {
        let (var, array) =
            (self.scope.free_var(), self.arrays.array_in(self.scope, ArrayPlace::Shared));
        let sum = match self.scope.random.below(3) {
            0 => binary(BinaryOp::Xor, Expr::Tid, Expr::Var(var)),
            1 => binary(BinaryOp::Add, self.scope.small(Expr::Tid), Expr::Var(var)),
            _ => binary(BinaryOp::Add, Expr::Tid, Expr::Var(var)),
        };
        let meets = self.scope.number(4);
        let i_is = compare(IntCc::Eq, Expr::Var(var), self.scope.number(3));
        let index = match self.scope.random.below(4) {
            0 => self.scope.random.pick(&[Expr::Tid, Expr::Var(var), Expr::Const(0)]),
            1 => binary(BinaryOp::Xor, Expr::Tid, Expr::Var(var)),
            _ => binary(BinaryOp::Add, Expr::Tid, Expr::Var(var)),
        };
        let store = Stmt::Store { place: self.arrays.cell(array, index), value: Expr::Tid };
        let barrier = || Stmt::Barrier(Expr::Const(3));
        let mut then = vec![barrier()];
        match self.scope.random.below(3) {
            0 => then.push(Stmt::If(i_is, vec![barrier()], vec![barrier()])),
            1 => then.push(Stmt::If(i_is, vec![store], vec![])),
            _ => then.extend([store, barrier()]),
        }
        let mut body = vec![Stmt::If(compare(IntCc::Eq, sum, meets), then, vec![])];
        if self.scope.random.percent(40) {
            body.extend(self.arrays.access(self.scope));
        }
        let bound = Expr::Const(self.scope.random.pick(&[1, 2, 2, 3, 3, 4, 6]));
        vec![up_to(var, bound, body), barrier()]
    }

    /// A loop that seldom meets its barrier.
    fn rare_barrier(&mut self) -> Vec<Stmt> {
        let (var, array) =
            (self.scope.free_var(), self.arrays.array_in(self.scope, ArrayPlace::Shared));
        let other = self.scope.free_var();
        let meets: Cond = match self.scope.random.below(3) {
            0 => compare(IntCc::Eq, Expr::Var(var), self.scope.number(8)),
            1 => compare(IntCc::Eq, self.scope.small(Expr::Var(var)), self.scope.number(3)),
            _ => self.scope.uniform_cond(),
        };
        let step = self.scope.number(5);
        let next = binary(BinaryOp::Add, Expr::Var(other), step);
        let next = if self.scope.random.percent(50) { self.scope.small(next) } else { next };
        let shift = self.scope.random.pick(&[Expr::Var(var), Expr::Var(other), Expr::Const(0)]);
        let index = match self.scope.random.below(3) {
            0 => binary(BinaryOp::Add, Expr::Tid, shift),
            1 => binary(BinaryOp::Add, binary(BinaryOp::Mul, Expr::Tid, Expr::Const(8)), shift),
            _ => binary(BinaryOp::Xor, Expr::Tid, shift),
        };
        let store = Stmt::Store { place: self.arrays.cell(array, index), value: Expr::Tid };
        let when = match self.scope.random.below(3) {
            0 => compare(IntCc::Ult, Expr::Var(other), self.scope.number(4)),
            1 => compare(IntCc::Uge, Expr::Var(var), self.scope.number(8)),
            _ => compare(IntCc::Eq, Expr::Var(var), self.scope.number(8)),
        };
        let store =
            if self.scope.random.percent(50) { Stmt::If(when, vec![store], vec![]) } else { store };
        let mut body = vec![store, Stmt::Assign(other, next)];
        body.insert(self.scope.random.below(3), Stmt::If(meets, plain_barrier(), vec![]));
        let bound = Expr::Const(self.scope.random.pick(&[2, 2, 3, 3, 4, 6, 9]));
        let inner = up_to(var, bound, body);
        let outer = (0..crate::ast::VARS)
            .find(|&free| free != var && free != other && !self.scope.counters.contains(&free));
        let inner = match (outer, self.scope.random.percent(12)) {
            (Some(outer), true) => {
                let last = compare(IntCc::Eq, Expr::Var(outer), Expr::Const(1));
                let inner = only_when(inner, &last);
                up_to(outer, Expr::Const(2), vec![inner])
            }
            _ => inner,
        };
        vec![Stmt::Barrier(Expr::Const(3)), inner, Stmt::Barrier(Expr::Const(3))]
    }

    /// An index that is read from a cell which another thread has overwritten.
    fn overwritten_index(&mut self) -> Vec<Stmt> {
        let (shared, global) =
            (self.arrays.array_in(self.scope, ArrayPlace::Shared), self.arrays.fresh_global());
        let var = self.scope.free_var();
        let barrier = match (self.warps, self.scope.random.below(5)) {
            (true, 0..=2) => Stmt::WarpBarrier(Expr::Const(0xffff_ffff)),
            (_, 3) => Stmt::Barrier(Expr::Const(1)),
            _ => Stmt::Barrier(Expr::Const(3)),
        };
        let own =
            binary(BinaryOp::Add, binary(BinaryOp::Mul, Expr::Bid, Expr::Const(64)), Expr::Tid);
        let other = match self.scope.random.below(3) {
            0 => Expr::Tid,
            1 => binary(BinaryOp::Xor, Expr::Tid, Expr::Const(1)),
            _ => binary(
                BinaryOp::Sub,
                Expr::BlockDim,
                binary(BinaryOp::Add, Expr::Tid, Expr::Const(1)),
            ),
        };
        let value = self.scope.random.pick(&[own.clone(), Expr::Const(0), Expr::Param(0)]);
        let mut stmts = vec![
            Stmt::Store { place: self.arrays.cell(shared, Expr::Tid), value: own },
            barrier.clone(),
        ];
        if self.scope.random.percent(70) {
            stmts.push(Stmt::Store { place: self.arrays.cell(shared, other), value });
            stmts.push(barrier);
        }
        stmts.push(Stmt::Load { var, place: self.arrays.cell(shared, Expr::Tid) });
        let write =
            Stmt::Store { place: self.arrays.cell(global, Expr::Var(var)), value: Expr::Gid };
        stmts.push(match self.scope.random.percent(60) {
            true => write,
            false => Stmt::If(compare(IntCc::Eq, Expr::Tid, Expr::Const(0)), vec![write], vec![]),
        });
        stmts
    }

    /// A count that a block agrees on, and other blocks do not.
    fn counted_per_block(&mut self) -> Vec<Stmt> {
        let (var, count) = (self.scope.free_var(), self.scope.free_var());
        let global = self.arrays.fresh_global();
        let mut body =
            vec![Stmt::Assign(count, binary(BinaryOp::Add, Expr::Var(count), Expr::Const(1)))];
        if self.scope.random.percent(70) {
            body.extend(plain_barrier());
        }
        let bound = binary(BinaryOp::Add, Expr::Bid, Expr::Const(1));
        let index = self.scope.random.pick(&[
            Expr::Var(count),
            binary(BinaryOp::Sub, Expr::Var(count), Expr::Bid),
            binary(
                BinaryOp::Add,
                binary(BinaryOp::Mul, Expr::Var(count), Expr::Const(64)),
                Expr::Tid,
            ),
        ]);
        let write = Stmt::Store { place: self.arrays.cell(global, index), value: Expr::Bid };
        vec![
            Stmt::Assign(count, Expr::Const(0)),
            up_to(var, bound, body),
            Stmt::If(compare(IntCc::Eq, Expr::Tid, Expr::Const(0)), vec![write], vec![]),
        ]
    }

    /// Threads that return before a barrier, perhaps in different iterations, after they
    /// touched what others touch behind it.
    fn left_behind(&mut self) -> Vec<Stmt> {
        let (shared, global) =
            (self.arrays.array_in(self.scope, ArrayPlace::Shared), self.arrays.fresh_global());
        let (array, counter, var) = (
            self.scope.random.pick(&[shared, global]),
            self.scope.free_var(),
            self.scope.free_var(),
        );
        let limit = self.scope.random.pick(&[Expr::Const(1), Expr::Const(3), Expr::Var(counter)]);
        let cc = self.scope.random.pick(&[IntCc::Eq, IntCc::Ult, IntCc::Uge]);
        let next = binary(BinaryOp::Add, Expr::Tid, self.scope.number(2));
        let places = [Expr::Tid, Expr::Const(0), next];
        let [before, after] = [0, 1].map(|_| self.scope.random.pick(&places));
        let store = |place| Stmt::Store { place, value: Expr::Tid };
        let mut body = vec![store(self.arrays.cell(array, before))];
        body.push(Stmt::Return(compare(cc, Expr::Tid, limit)));
        if self.scope.random.percent(50) {
            body.reverse();
        }
        body.push(Stmt::Barrier(Expr::Const(3)));
        let place = self.arrays.cell(array, after);
        body.push(match self.scope.random.percent(60) {
            true => Stmt::Load { var, place },
            false => store(place),
        });
        if self.scope.random.percent(60) {
            return body;
        }
        body.push(Stmt::Barrier(Expr::Const(3)));
        let bound = self.scope.number(4);
        vec![up_to(counter, bound, body)]
    }

    /// One thread writes what all read.
    fn broadcast(&mut self) -> Vec<Stmt> {
        let (shared, global) =
            (self.arrays.array_in(self.scope, ArrayPlace::Shared), self.arrays.fresh_global());
        let var = self.scope.free_var();
        let value = self.scope.value().0;
        let value = self.scope.small(value);
        let write = Stmt::Store { place: self.arrays.cell(shared, Expr::Const(0)), value };
        let index = match self.scope.random.below(3) {
            0 => binary(BinaryOp::Add, Expr::Tid, Expr::Var(var)),
            1 => binary(BinaryOp::Xor, Expr::Gid, Expr::Var(var)),
            _ => binary(
                BinaryOp::Xor,
                Expr::Var(var),
                binary(BinaryOp::And, Expr::Bid, Expr::Const(1)),
            ),
        };
        let barrier = Stmt::Barrier(Expr::Const(3));
        let mut stmts = vec![barrier.clone()];
        if self.scope.random.percent(80) {
            let one = compare(IntCc::Eq, Expr::Tid, self.scope.number(2));
            stmts.push(Stmt::If(one, vec![write], vec![]));
            stmts.push(barrier.clone());
        }
        stmts.push(Stmt::Load { var, place: self.arrays.cell(shared, Expr::Const(0)) });
        if self.scope.random.percent(30) {
            let test = compare(IntCc::Eq, Expr::Var(var), Expr::Const(0));
            stmts.push(Stmt::If(test, vec![barrier], vec![]));
        }
        let value = self.scope.random.pick(&[Expr::Tid, Expr::Bid, Expr::Gid]);
        let write = Stmt::Store { place: self.arrays.cell(global, index), value };
        let one = compare(IntCc::Eq, Expr::Tid, self.scope.number(2));
        stmts.push(match self.scope.random.percent(60) {
            true => Stmt::If(one, vec![write], vec![]),
            false => write,
        });
        stmts
    }

    /// A cell of the thread's own that a loop changes, and an index that depends on
    /// it.
    fn changed_in_loop(&mut self) -> Vec<Stmt> {
        let place =
            self.scope.random.pick(&[ArrayPlace::Shared, ArrayPlace::Private, ArrayPlace::Global]);
        let (array, out) = (self.arrays.array_in(self.scope, place), self.arrays.fresh_global());
        let (var, got) = (self.scope.free_var(), self.scope.free_var());
        let own = if place == ArrayPlace::Global { Expr::Gid } else { Expr::Tid };
        let changes = compare(
            self.scope.random.pick(&[IntCc::Eq, IntCc::Ugt]),
            Expr::Var(var),
            self.scope.number(6),
        );
        let changed =
            Stmt::Store { place: self.arrays.cell(array, own.clone()), value: Expr::Const(5) };
        let mut body = vec![Stmt::If(changes, vec![changed], vec![])];
        if place == ArrayPlace::Shared && self.scope.random.percent(30) {
            body.extend(plain_barrier());
        }
        let test = compare(IntCc::Eq, Expr::Var(got), Expr::Const(0));
        let index =
            Expr::Select(Box::new(test), Box::new(Expr::Gid), Box::new(self.scope.number(2)));
        vec![
            Stmt::Store { place: self.arrays.cell(array, own.clone()), value: Expr::Const(0) },
            up_to(var, self.scope.number(7), body),
            Stmt::Load { var: got, place: self.arrays.cell(array, own) },
            Stmt::Store { place: self.arrays.cell(out, index), value: Expr::Gid },
        ]
    }

    /// A reduction in halves.
    fn halving(&mut self) -> Vec<Stmt> {
        let array = self.arrays.array_in(self.scope, ArrayPlace::Shared);
        let (distance, var) = (self.scope.free_var(), self.scope.free_var());
        let from = binary(BinaryOp::Add, Expr::Tid, Expr::Var(distance));
        let body = vec![
            Stmt::Load { var, place: self.arrays.cell(array, from) },
            Stmt::Store { place: self.arrays.cell(array, Expr::Tid), value: Expr::Var(var) },
        ];
        let most = self.scope.random.pick(&[Expr::Var(distance), Expr::Const(4), Expr::BlockDim]);
        let mut iteration = vec![Stmt::If(compare(IntCc::Ult, Expr::Tid, most), body, vec![])];
        if self.scope.random.percent(85) {
            iteration.extend(plain_barrier());
        }
        let start = self.scope.random.pick(&[Expr::Const(2), Expr::Const(4), Expr::Const(32)]);
        vec![
            Stmt::Barrier(Expr::Const(3)),
            Stmt::Loop(Box::new(Loop {
                var: distance,
                start,
                cc: IntCc::Ugt,
                bound: Expr::Const(0),
                op: BinaryOp::LShr,
                step: Expr::Const(1),
                test_last: false,
                body: iteration,
            })),
        ]
    }

    /// Two buffers that change places.
    fn ping_pong(&mut self) -> Vec<Stmt> {
        let array = self.arrays.array_in(self.scope, ArrayPlace::Shared);
        let (var, side, got) =
            (self.scope.free_var(), self.scope.free_var(), self.scope.free_var());
        let at = |side: Expr, index: Expr| {
            binary(BinaryOp::Add, binary(BinaryOp::Mul, side, Expr::Const(64)), index)
        };
        let flipped = binary(BinaryOp::Sub, Expr::Const(1), Expr::Var(side));
        let neighbour = binary(BinaryOp::Xor, Expr::Tid, Expr::Const(1));
        let mut body = vec![
            Stmt::Load { var: got, place: self.arrays.cell(array, at(Expr::Var(side), neighbour)) },
            Stmt::Store {
                place: self.arrays.cell(array, at(flipped.clone(), Expr::Tid)),
                value: Expr::Var(got),
            },
        ];
        if self.scope.random.percent(80) {
            body.push(Stmt::Assign(side, flipped));
        }
        let when = compare(IntCc::Ne, Expr::Var(var), self.scope.number(4));
        body.push(match self.scope.random.percent(70) {
            true => Stmt::Barrier(Expr::Const(3)),
            false => Stmt::If(when, plain_barrier(), vec![]),
        });
        vec![
            Stmt::Assign(side, Expr::Const(0)),
            Stmt::Barrier(Expr::Const(3)),
            up_to(var, self.scope.number(6), body),
            Stmt::Barrier(Expr::Const(3)),
        ]
    }
}

/// A loop whose stores happen only if the condition holds, too.
fn only_when(stmt: Stmt, cond: &Cond) -> Stmt {
    let Stmt::Loop(mut data) = stmt else { return stmt };
    for stmt in &mut data.body {
        if matches!(stmt, Stmt::Store { .. }) {
            *stmt = Stmt::If(cond.clone(), vec![stmt.clone()], vec![]);
        }
    }
    Stmt::Loop(data)
}

/// `for (var = 0; var < bound; var++) body`
pub(super) fn up_to(var: usize, bound: Expr, body: Vec<Stmt>) -> Stmt {
    let (cc, op, step) = (IntCc::Ult, BinaryOp::Add, Expr::Const(1));
    let start = Expr::Const(0);
    Stmt::Loop(Box::new(Loop { var, start, cc, bound, op, step, test_last: false, body }))
}
