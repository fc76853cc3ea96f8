//! Accesses, and the discipline that keeps them apart.

use duet_ir::{AtomicOp, BinaryOp, IntCc, MemoryScope};

use super::expr::Scope;
use super::{binary, compare};
use crate::ast::{ArrayDecl, ArrayPlace, At, Expr, Loop, Place, Stmt, VARS};

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
    /// All read, no thread writes.
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

/// The arrays of a kernel, and how each may be used at present.
pub(super) struct Arrays {
    pub decls: Vec<ArrayDecl>,
    pub modes: Vec<Mode>,
    /// Made for a single block: global memory is used as if shared.
    pub one_block: bool,
}

impl Arrays {
    /// A mode for an array. Global memory keeps its first one, unless the kernel
    /// is made for a single block.
    pub(super) fn mode(&mut self, scope: &mut Scope, array: usize, first: bool) -> Mode {
        let global = self.decls[array].place == ArrayPlace::Global;
        if global && !first && !self.one_block && !scope.slips() {
            return self.modes[array].clone();
        }
        match scope.random.below(20) {
            0..=9 => Mode::Owner {
                base: self.base(scope, global),
                stride: scope.random.pick(&[1, 1, 2, 4]),
            },
            10..=13 => Mode::ReadOnly,
            14..=15 => Mode::OneThread,
            16 => Mode::Atomics,
            17..=18 => Mode::Strided,
            _ => Mode::SameValue,
        }
    }

    /// A number of its own for every thread of the block, or of the grid.
    fn base(&mut self, scope: &mut Scope, global: bool) -> Expr {
        let flat = match scope.two_dimensional {
            true => {
                binary(BinaryOp::Add, binary(BinaryOp::Mul, Expr::TidY, Expr::BlockDim), Expr::Tid)
            }
            false => Expr::Tid,
        };
        let whole = global && !self.one_block;
        match (whole, scope.random.below(8)) {
            (true, 0..=4) if !scope.two_dimensional => Expr::Gid,
            (true, _) => {
                let first = binary(BinaryOp::Mul, Expr::Bid, Expr::Const(64));
                binary(BinaryOp::Add, first, flat)
            }
            (false, 0) => {
                binary(BinaryOp::Xor, flat, Expr::Const(1 + scope.random.below(3) as u32))
            }
            (false, 1) => binary(BinaryOp::Sub, Expr::Const(63), flat),
            (false, 2) => {
                let more = scope.random.pick(&[Expr::Bid, Expr::Param(0), Expr::Const(5)]);
                binary(BinaryOp::Add, flat, more)
            }
            (false, 3) => {
                let odd = binary(BinaryOp::Mul, flat, Expr::Const(3));
                binary(BinaryOp::And, odd, Expr::Const(63))
            }
            _ => flat,
        }
    }

    fn at(&mut self, scope: &mut Scope, index: Expr) -> At {
        match scope.random.below(10) {
            0 => At::Signed(index),
            1 => At::Wrapping(index),
            _ => At::Wide(index),
        }
    }

    fn place(&mut self, scope: &mut Scope, array: usize, index: Expr, most_lanes: u32) -> Place {
        let decl = self.decls[array].clone();
        let lanes = if scope.random.percent(15) { 1 + scope.random.below(4) as u32 } else { 1 };
        let mut width = decl.width;
        if decl.mixed && scope.slips() {
            width = scope.random.pick(&[1, 2, 4, 8]);
        }
        let lanes = if scope.slips() { lanes } else { lanes.min(most_lanes) };
        Place { array, at: self.at(scope, index), width, lanes }
    }

    /// An element of the thread's own, with room for further lanes.
    fn own_index(&mut self, scope: &mut Scope, base: Expr, stride: u32) -> (Expr, u32) {
        if stride == 1 {
            return (base, 1);
        }
        let scaled = binary(BinaryOp::Mul, base, Expr::Const(stride));
        match scope.random.below(3) {
            0 => {
                let inner = scope.expr(1);
                let inner = binary(BinaryOp::And, inner, Expr::Const(stride - 1));
                (binary(BinaryOp::Add, scaled, inner), 1)
            }
            1 => (scaled, stride),
            _ => {
                let first = scope.random.below(stride as usize) as u32;
                (binary(BinaryOp::Add, scaled, Expr::Const(first)), stride - first)
            }
        }
    }

    fn any_place(&mut self, scope: &mut Scope, array: usize) -> Place {
        let index = scope.expr(2);
        let index = if scope.random.percent(60) { scope.small(index) } else { index };
        let decl = self.decls[array].clone();
        let lanes = if scope.random.percent(15) { 2 } else { 1 };
        let width = if decl.mixed { scope.random.pick(&[1, 2, 4, 8]) } else { decl.width };
        Place { array, at: self.at(scope, index), width, lanes }
    }

    pub(super) fn access(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let array = scope.random.below(self.decls.len());
        if self.decls[array].place == ArrayPlace::Private || scope.slips() {
            let place = self.any_place(scope, array);
            return self.plain(scope, place, true);
        }
        match self.modes[array].clone() {
            Mode::Owner { base, stride } => {
                let (index, lanes) = self.own_index(scope, base, stride);
                let place = self.place(scope, array, index, lanes);
                self.plain(scope, place, true)
            }
            Mode::ReadOnly => {
                let place = self.any_place(scope, array);
                self.plain(scope, place, false)
            }
            Mode::OneThread => self.one_thread(scope),
            Mode::Atomics => self.atomic(scope, array),
            Mode::Strided if scope.in_loop + scope.divergent < 3 => {
                vec![self.strided_loop(scope, array)]
            }
            Mode::Strided => vec![],
            Mode::SameValue => {
                let value = scope.random.pick(&[Expr::Param(0), Expr::Const(3), Expr::BlockDim]);
                let place = self.place(scope, array, Expr::Const(scope.barriers as u32), 1);
                vec![Stmt::Store { place, value }]
            }
        }
    }

    /// A load or a store.
    fn plain(&mut self, scope: &mut Scope, place: Place, may_write: bool) -> Vec<Stmt> {
        if may_write && scope.random.percent(60) {
            let (value, _) = scope.value();
            return vec![Stmt::Store { place, value }];
        }
        let var = scope.free_var();
        scope.set(var, false);
        vec![Stmt::Load { var, place }]
    }

    fn atomic(&mut self, scope: &mut Scope, array: usize) -> Vec<Stmt> {
        let index = match scope.random.percent(60) {
            true => Expr::Const(0),
            false => scope.small(Expr::Tid),
        };
        let mut place = self.place(scope, array, index, 1);
        place.lanes = 1;
        place.width = if self.decls[array].mixed { self.decls[array].width } else { place.width };
        use AtomicOp::*;
        let op = scope.random.pick(&[Add, Add, Add, Sub, Exchange, UMax, IncWrap, Or, Load, Store]);
        let shared = self.decls[array].place == ArrayPlace::Shared || self.one_block;
        let reach = match (shared && scope.random.percent(30)) || scope.slips() {
            true => MemoryScope::Block,
            false => MemoryScope::Device,
        };
        let value = match scope.random.percent(70) {
            true => Expr::Const(1),
            false => scope.value().0,
        };
        let var = scope.free_var();
        scope.set(var, false);
        vec![Stmt::Atomic { var, op, scope: reach, place, value }]
    }

    /// Accesses of one thread of the block, or of the grid.
    pub(super) fn one_thread(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let arrays: Vec<usize> = (0..self.decls.len())
            .filter(|&array| matches!(self.modes[array], Mode::OneThread))
            .collect();
        let Some(&array) = arrays.first() else { return scope.assign() };
        let whole = self.decls[array].place == ArrayPlace::Global && !self.one_block;
        let id = match (whole, scope.two_dimensional) {
            (true, false) => Expr::Gid,
            (_, true) => {
                binary(BinaryOp::Or, Expr::Tid, binary(BinaryOp::Or, Expr::TidY, Expr::Bid))
            }
            (false, false) => Expr::Tid,
        };
        let chosen =
            Expr::Const(if scope.two_dimensional { 0 } else { scope.random.below(3) as u32 });
        let chosen = if scope.slips() { Expr::Var(scope.random.below(VARS)) } else { chosen };
        let mut body = vec![];
        scope.divergent += 1;
        for _ in 0..1 + scope.random.below(2) {
            let place = self.any_place(scope, array);
            body.extend(self.plain(scope, place, true));
        }
        scope.divergent -= 1;
        // One and the same thread in all of the kernel's places, unless it slips.
        let chosen = if scope.random.percent(90) { Expr::Const(0) } else { chosen };
        vec![Stmt::If(compare(IntCc::Eq, id, chosen), body, vec![])]
    }

    /// An array that is used in strides.
    pub(super) fn strided_array(&mut self) -> Option<usize> {
        (0..self.decls.len()).find(|&array| self.modes[array] == Mode::Strided)
    }

    /// `for (i = id; i < bound; i += threads) a[i] = …;`
    pub(super) fn strided_loop(&mut self, scope: &mut Scope, array: usize) -> Stmt {
        let var = scope.free_var();
        let whole = self.decls[array].place == ArrayPlace::Global && !self.one_block;
        let (start, step) = match whole {
            true => (Expr::Gid, binary(BinaryOp::Mul, Expr::BlockDim, Expr::GridDim)),
            false => (Expr::Tid, Expr::BlockDim),
        };
        let step = if scope.slips() { Expr::Const(4) } else { step };
        let start = if scope.slips() { Expr::Tid } else { start };
        let bound = match scope.random.percent(50) {
            true => Expr::Const(scope.random.pick(&[5, 16, 70, 150])),
            false => binary(BinaryOp::Mul, Expr::Param(0), Expr::Const(8)),
        };
        scope.divergent += 1;
        scope.in_loop += 1;
        scope.counters.push(var);
        let place = self.place(scope, array, Expr::Var(var), 1);
        let mut body = self.plain(scope, place, true);
        if scope.random.percent(30) {
            let cond = scope.cond().0;
            body.insert(0, Stmt::Continue(cond));
        }
        if scope.random.percent(25) {
            body.extend(self.access(scope));
        }
        scope.counters.pop();
        scope.in_loop -= 1;
        scope.divergent -= 1;
        scope.uniform[var] = false;
        let cc = scope.random.pick(&[IntCc::Ult, IntCc::Slt]);
        let op = BinaryOp::Add;
        Stmt::Loop(Box::new(Loop { var, start, cc, bound, op, step, test_last: false, body }))
    }

    /// A pointer that walks through an array.
    pub(super) fn pointer_walk(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let owned: Vec<(usize, Expr, u32)> = (0..self.decls.len())
            .filter_map(|array| match &self.modes[array] {
                Mode::Owner { base, stride } => Some((array, base.clone(), *stride)),
                _ => None,
            })
            .collect();
        if owned.is_empty() {
            return self.access(scope);
        }
        let (array, base, stride) = scope.random.pick(&owned);
        let width = self.decls[array].width;
        let (pointer, var) = (VARS + scope.random.below(2), scope.free_var());
        let iterations = if scope.slips() { stride + 1 } else { stride };
        let place = Place { array, at: At::Pointer(pointer, 0), width, lanes: 1 };
        let mut body = self.plain(scope, place, true);
        body.push(Stmt::BumpPointer(pointer, Expr::Const(1), width));
        let first = binary(BinaryOp::Mul, base, Expr::Const(stride));
        scope.set(var, true);
        vec![
            Stmt::SetPointer(pointer, first, width),
            Stmt::Loop(Box::new(Loop {
                var,
                start: Expr::Const(0),
                cc: IntCc::Ult,
                bound: Expr::Const(iterations),
                op: BinaryOp::Add,
                step: Expr::Const(1),
                test_last: false,
                body,
            })),
        ]
    }

    /// An array of a place, in elements of 4 bytes or more, made if there is none.
    pub(super) fn array_in(&mut self, scope: &mut Scope, place: ArrayPlace) -> usize {
        let found = self.decls.iter().position(|decl| decl.place == place && decl.width >= 2);
        found.unwrap_or_else(|| {
            let decl = ArrayDecl { place, width: 4, mixed: false };
            self.decls.push(decl);
            let mode = self.mode(scope, self.decls.len() - 1, true);
            self.modes.push(mode);
            self.decls.len() - 1
        })
    }

    /// A new array of words.
    pub(super) fn array_of_words(&mut self, scope: &mut Scope, place: ArrayPlace) -> usize {
        let decl = ArrayDecl { place, width: 4, mixed: false };
        self.decls.push(decl);
        let mode = self.mode(scope, self.decls.len() - 1, true);
        self.modes.push(mode);
        self.decls.len() - 1
    }

    /// A global array that nothing has touched yet.
    pub(super) fn fresh_global(&mut self) -> usize {
        let decl = ArrayDecl { place: ArrayPlace::Global, width: 4, mixed: false };
        self.decls.push(decl);
        self.modes.push(Mode::ReadOnly);
        self.decls.len() - 1
    }

    /// An element of an array.
    pub(super) fn cell(&self, array: usize, index: Expr) -> Place {
        Place { array, at: At::Wide(index), width: self.decls[array].width, lanes: 1 }
    }

    /// Goes back to earlier modes; arrays made since keep theirs.
    pub(super) fn restore(&mut self, modes: &[Mode]) {
        self.modes[..modes.len()].clone_from_slice(modes);
    }
}
