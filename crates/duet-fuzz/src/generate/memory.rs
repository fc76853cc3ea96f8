//! Accesses, and the discipline that keeps them apart.

use duet_ir::{AtomicOp, BinaryOp, IntCc, MemoryScope};

use super::{Generator, binary, compare};
use crate::ast::{ArrayPlace, At, Expr, Loop, Place, Stmt, VARS};

/// How an array may be used between two barriers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Each thread uses elements `stride * base .. stride * (base + 1)`.
    Owner {
        /// Different for every thread.
        base: Expr,
        /// Elements for each.
        stride: u32,
    },
    /// All read, nobody writes.
    ReadOnly,
    /// Only one thread uses it.
    OneThread,
    /// Only atomic operations.
    Atomics,
    /// Threads use it in loops from their own id, by the number of threads.
    Strided,
    /// All write the same value at the same place.
    SameValue,
}

impl Generator<'_> {
    /// A mode for an array. Global memory keeps its first one, unless the kernel
    /// is made for a single block.
    pub(super) fn mode(&mut self, array: usize, first: bool) -> Mode {
        let global = self.arrays[array].place == ArrayPlace::Global;
        if global && !first && !self.one_block && !self.slips() {
            return self.modes[array].clone();
        }
        match self.random.below(20) {
            0..=9 => {
                Mode::Owner { base: self.base(global), stride: self.random.pick(&[1, 1, 2, 4]) }
            }
            10..=13 => Mode::ReadOnly,
            14..=15 => Mode::OneThread,
            16 => Mode::Atomics,
            17..=18 => Mode::Strided,
            _ => Mode::SameValue,
        }
    }

    /// A number of its own for every thread of the block, or of the grid.
    fn base(&mut self, global: bool) -> Expr {
        let flat = match self.two_dimensional {
            true => {
                binary(BinaryOp::Add, binary(BinaryOp::Mul, Expr::TidY, Expr::BlockDim), Expr::Tid)
            }
            false => Expr::Tid,
        };
        let whole = global && !self.one_block;
        match (whole, self.random.below(8)) {
            (true, 0..=4) if !self.two_dimensional => Expr::Gid,
            (true, _) => {
                let first = binary(BinaryOp::Mul, Expr::Bid, Expr::Const(64));
                binary(BinaryOp::Add, first, flat)
            }
            (false, 0) => binary(BinaryOp::Xor, flat, Expr::Const(1 + self.random.below(3) as u32)),
            (false, 1) => binary(BinaryOp::Sub, Expr::Const(63), flat),
            (false, 2) => {
                let more = self.random.pick(&[Expr::Bid, Expr::Param(0), Expr::Const(5)]);
                binary(BinaryOp::Add, flat, more)
            }
            (false, 3) => {
                let odd = binary(BinaryOp::Mul, flat, Expr::Const(3));
                binary(BinaryOp::And, odd, Expr::Const(63))
            }
            _ => flat,
        }
    }

    fn at(&mut self, index: Expr) -> At {
        match self.random.below(10) {
            0 => At::Signed(index),
            1 => At::Wrapping(index),
            _ => At::Wide(index),
        }
    }

    fn place(&mut self, array: usize, index: Expr, most_lanes: u32) -> Place {
        let decl = self.arrays[array].clone();
        let lanes = if self.random.percent(15) { 1 + self.random.below(4) as u32 } else { 1 };
        let mut width = decl.width;
        if decl.mixed && self.slips() {
            width = self.random.pick(&[1, 2, 4, 8]);
        }
        let lanes = if self.slips() { lanes } else { lanes.min(most_lanes) };
        Place { array, at: self.at(index), width, lanes }
    }

    /// An element of the thread's own, with room for further lanes.
    fn own_index(&mut self, base: Expr, stride: u32) -> (Expr, u32) {
        if stride == 1 {
            return (base, 1);
        }
        let scaled = binary(BinaryOp::Mul, base, Expr::Const(stride));
        match self.random.below(3) {
            0 => {
                let inner = self.expr(1);
                let inner = binary(BinaryOp::And, inner, Expr::Const(stride - 1));
                (binary(BinaryOp::Add, scaled, inner), 1)
            }
            1 => (scaled, stride),
            _ => {
                let first = self.random.below(stride as usize) as u32;
                (binary(BinaryOp::Add, scaled, Expr::Const(first)), stride - first)
            }
        }
    }

    fn any_place(&mut self, array: usize) -> Place {
        let index = self.expr(2);
        let index = if self.random.percent(60) { self.small(index) } else { index };
        let decl = self.arrays[array].clone();
        let lanes = if self.random.percent(15) { 2 } else { 1 };
        let width = if decl.mixed { self.random.pick(&[1, 2, 4, 8]) } else { decl.width };
        Place { array, at: self.at(index), width, lanes }
    }

    pub(super) fn access(&mut self) -> Vec<Stmt> {
        let array = self.random.below(self.arrays.len());
        if self.arrays[array].place == ArrayPlace::Private || self.slips() {
            let place = self.any_place(array);
            return self.plain(place, true);
        }
        match self.modes[array].clone() {
            Mode::Owner { base, stride } => {
                let (index, lanes) = self.own_index(base, stride);
                let place = self.place(array, index, lanes);
                self.plain(place, true)
            }
            Mode::ReadOnly => {
                let place = self.any_place(array);
                self.plain(place, false)
            }
            Mode::OneThread => self.one_thread(),
            Mode::Atomics => self.atomic(array),
            Mode::Strided if self.in_loop + self.divergent < 3 => vec![self.strided_loop(array)],
            Mode::Strided => vec![],
            Mode::SameValue => {
                let value = self.random.pick(&[Expr::Param(0), Expr::Const(3), Expr::BlockDim]);
                let place = self.place(array, Expr::Const(self.random_index()), 1);
                vec![Stmt::Store { place, value }]
            }
        }
    }

    fn random_index(&self) -> u32 {
        self.barriers as u32
    }

    /// A load or a store.
    fn plain(&mut self, place: Place, may_write: bool) -> Vec<Stmt> {
        if may_write && self.random.percent(60) {
            let (value, _) = self.value();
            return vec![Stmt::Store { place, value }];
        }
        let var = self.free_var();
        self.set(var, false);
        vec![Stmt::Load { var, place }]
    }

    fn atomic(&mut self, array: usize) -> Vec<Stmt> {
        let index = match self.random.percent(60) {
            true => Expr::Const(0),
            false => self.small(Expr::Tid),
        };
        let mut place = self.place(array, index, 1);
        place.lanes = 1;
        place.width = if self.arrays[array].mixed { self.arrays[array].width } else { place.width };
        use AtomicOp::*;
        let op = self.random.pick(&[Add, Add, Add, Sub, Exchange, UMax, IncWrap, Or, Load, Store]);
        let shared = self.arrays[array].place == ArrayPlace::Shared || self.one_block;
        let scope = match (shared && self.random.percent(30)) || self.slips() {
            true => MemoryScope::Block,
            false => MemoryScope::Device,
        };
        let value = match self.random.percent(70) {
            true => Expr::Const(1),
            false => self.value().0,
        };
        let var = self.free_var();
        self.set(var, false);
        vec![Stmt::Atomic { var, op, scope, place, value }]
    }

    /// Accesses of one thread of the block, or of the grid.
    pub(super) fn one_thread(&mut self) -> Vec<Stmt> {
        let arrays: Vec<usize> = (0..self.arrays.len())
            .filter(|&array| matches!(self.modes[array], Mode::OneThread))
            .collect();
        let Some(&array) = arrays.first() else { return self.assign() };
        let whole = self.arrays[array].place == ArrayPlace::Global && !self.one_block;
        let id = match (whole, self.two_dimensional) {
            (true, false) => Expr::Gid,
            (_, true) => {
                binary(BinaryOp::Or, Expr::Tid, binary(BinaryOp::Or, Expr::TidY, Expr::Bid))
            }
            (false, false) => Expr::Tid,
        };
        let chosen =
            Expr::Const(if self.two_dimensional { 0 } else { self.random.below(3) as u32 });
        let chosen = if self.slips() { Expr::Var(self.random.below(VARS)) } else { chosen };
        let mut body = vec![];
        self.divergent += 1;
        for _ in 0..1 + self.random.below(2) {
            let place = self.any_place(array);
            body.extend(self.plain(place, true));
        }
        self.divergent -= 1;
        // One and the same thread in all of the kernel's places, unless it slips.
        let chosen = if self.random.percent(90) { Expr::Const(0) } else { chosen };
        vec![Stmt::If(compare(IntCc::Eq, id, chosen), body, vec![])]
    }

    /// An array that is used in strides.
    pub(super) fn strided_array(&mut self) -> Option<usize> {
        (0..self.arrays.len()).find(|&array| self.modes[array] == Mode::Strided)
    }

    /// `for (i = id; i < bound; i += threads) a[i] = …;`
    pub(super) fn strided_loop(&mut self, array: usize) -> Stmt {
        let var = self.free_var();
        let whole = self.arrays[array].place == ArrayPlace::Global && !self.one_block;
        let (start, step) = match whole {
            true => (Expr::Gid, binary(BinaryOp::Mul, Expr::BlockDim, Expr::GridDim)),
            false => (Expr::Tid, Expr::BlockDim),
        };
        let step = if self.slips() { Expr::Const(4) } else { step };
        let start = if self.slips() { Expr::Tid } else { start };
        let bound = match self.random.percent(50) {
            true => Expr::Const(self.random.pick(&[5, 16, 70, 150])),
            false => binary(BinaryOp::Mul, Expr::Param(0), Expr::Const(8)),
        };
        self.divergent += 1;
        self.in_loop += 1;
        self.counters.push(var);
        let place = self.place(array, Expr::Var(var), 1);
        let mut body = self.plain(place, true);
        if self.random.percent(30) {
            let cond = self.cond().0;
            body.insert(0, Stmt::Continue(cond));
        }
        if self.random.percent(25) {
            body.extend(self.access());
        }
        self.counters.pop();
        self.in_loop -= 1;
        self.divergent -= 1;
        self.uniform[var] = false;
        let cc = self.random.pick(&[IntCc::Ult, IntCc::Slt]);
        let op = BinaryOp::Add;
        Stmt::Loop(Box::new(Loop { var, start, cc, bound, op, step, test_last: false, body }))
    }

    /// A pointer that walks through an array.
    pub(super) fn pointer_walk(&mut self) -> Vec<Stmt> {
        let owned: Vec<(usize, Expr, u32)> = (0..self.arrays.len())
            .filter_map(|array| match &self.modes[array] {
                Mode::Owner { base, stride } => Some((array, base.clone(), *stride)),
                _ => None,
            })
            .collect();
        if owned.is_empty() {
            return self.access();
        }
        let (array, base, stride) = self.random.pick(&owned);
        let width = self.arrays[array].width;
        let (pointer, var) = (VARS + self.random.below(2), self.free_var());
        let trips = if self.slips() { stride + 1 } else { stride };
        let place = Place { array, at: At::Pointer(pointer, 0), width, lanes: 1 };
        let mut body = self.plain(place, true);
        body.push(Stmt::BumpPointer(pointer, Expr::Const(1), width));
        let first = binary(BinaryOp::Mul, base, Expr::Const(stride));
        self.set(var, true);
        vec![
            Stmt::SetPointer(pointer, first, width),
            Stmt::Loop(Box::new(Loop {
                var,
                start: Expr::Const(0),
                cc: IntCc::Ult,
                bound: Expr::Const(trips),
                op: BinaryOp::Add,
                step: Expr::Const(1),
                test_last: false,
                body,
            })),
        ]
    }
}
