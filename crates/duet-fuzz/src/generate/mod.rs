//! Random kernels.
//!
//! Purely random kernels race almost always and test little. So each kernel
//! follows a discipline: between two barriers an array is written by the owner of
//! each element only, or read by all, or touched by one thread, or by atomics
//! ([`Mode`]); barriers stand in uniform code. Now and then a *slip* breaks it: the
//! result is a kernel that is almost right, which is what a verifier is most likely
//! to get wrong. A kernel without slips should be proved; the share of those that
//! are measures precision.

mod claims;
mod contents;
mod expr;
mod ghosts;
mod handovers;
mod memory;
mod sync;
mod templates;

use duet_ir::{BinaryOp, IntCc};

use crate::ast::{ArrayDecl, ArrayPlace, Cond, Expr, Kernel, Loop, Stmt, VARS};
use crate::random::Random;

use claims::Claims;
use expr::Scope;
use ghosts::Ghosts;
use memory::Arrays;
pub use memory::Mode;
use templates::Templates;

/// A kernel and what it was made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The kernel.
    pub kernel: Kernel,
    /// It reads ids along y.
    pub two_dimensional: bool,
}

/// Makes a kernel.
pub fn generate(random: &mut Random) -> Made {
    let two_dimensional = random.percent(10);
    // The order of these draws is part of what a seed means.
    let slip = random.pick(&[0, 1, 2, 4, 8, 15, 30]);
    let one_block = random.percent(40);
    let (synchronises, warps) = (random.percent(85), random.percent(20));
    let budget = 2 + random.below(6);
    let scope = Scope {
        random,
        slip,
        two_dimensional,
        uniform: [true; VARS],
        counters: vec![],
        divergent: 0,
        in_loop: 0,
        barriers: 0,
    };
    let arrays = Arrays { decls: vec![], modes: vec![], one_block };
    let mut generator = Generator { scope, arrays, synchronises, warps, budget };
    let kernel = generator.kernel();
    Made { kernel, two_dimensional }
}

/// The state of making one kernel.
struct Generator<'r> {
    scope: Scope<'r>,
    arrays: Arrays,
    synchronises: bool,
    /// Uses warp barriers and exchanges.
    warps: bool,
    /// Statements that may still be made.
    budget: usize,
}

impl Generator<'_> {
    fn kernel(&mut self) -> Kernel {
        let count = 1 + self.scope.random.below(3);
        for _ in 0..count {
            let place = match self.scope.random.below(12) {
                0..=5 => ArrayPlace::Global,
                6..=10 => ArrayPlace::Shared,
                _ => ArrayPlace::Private,
            };
            let width = self.scope.random.pick(&[4, 4, 4, 4, 1, 2, 8]);
            let mixed = self.scope.random.percent(12);
            self.arrays.decls.push(ArrayDecl { place, width, mixed });
        }
        self.arrays.modes =
            (0..count).map(|array| self.arrays.mode(&mut self.scope, array, true)).collect();
        let bounds = [0; 2].map(|_| self.scope.random.pick(&[1, 2, 3, 4, 8, 16, 65]));
        let mut body = self.preamble();
        if self.scope.random.percent(45) {
            self.budget = self.scope.random.below(2);
            body.extend(self.template());
        }
        while self.budget > 0 {
            let stmts = self.statement();
            body.extend(stmts);
        }
        if self.scope.random.percent(30) {
            Ghosts { random: self.scope.random, arrays: &self.arrays }.add(&mut body);
        }
        if self.scope.random.percent(25) {
            Claims { random: self.scope.random, arrays: &self.arrays }.add(&mut body);
        }
        Kernel { arrays: self.arrays.decls.clone(), bounds, body }
    }

    /// One of the shapes that random statements seldom form.
    fn template(&mut self) -> Vec<Stmt> {
        let Self { scope, arrays, warps, .. } = self;
        Templates { scope, arrays, warps: *warps }.template()
    }

    /// Gives the variables first values.
    fn preamble(&mut self) -> Vec<Stmt> {
        let mut stmts = vec![];
        for var in 0..2 {
            if self.scope.random.percent(50) {
                let (value, uniform) = self.scope.value();
                self.scope.uniform[var] = uniform;
                stmts.push(Stmt::Assign(var, value));
            }
        }
        stmts
    }

    fn statements(&mut self, most: usize) -> Vec<Stmt> {
        let mut stmts = vec![];
        for _ in 0..1 + self.scope.random.below(most) {
            if self.budget == 0 && !stmts.is_empty() {
                break;
            }
            stmts.extend(self.statement());
        }
        stmts
    }

    fn statement(&mut self) -> Vec<Stmt> {
        self.budget = self.budget.saturating_sub(1);
        let nested = self.scope.in_loop + self.scope.divergent < 3;
        match self.scope.random.below(40) {
            0..=2 => self.scope.assign(),
            3..=14 => self.arrays.access(&mut self.scope),
            15..=18 if nested => self.branch(),
            19..=25 if nested => self.repeat(),
            26..=30 if self.synchronises => self.barrier(),
            31 => self.leave(),
            32 => self.early_return(),
            33..=34 if self.warps => self.warp(),
            35 => self.check(),
            36 => self.arrays.pointer_walk(&mut self.scope),
            37 if self.scope.slips() => self.unruly(),
            38..=39 if self.synchronises => self.template(),
            _ => self.arrays.access(&mut self.scope),
        }
    }

    fn branch(&mut self) -> Vec<Stmt> {
        if self.scope.random.percent(25) && !self.arrays.decls.is_empty() {
            return self.arrays.one_thread(&mut self.scope);
        }
        let (cond, uniform) = match self.scope.random.percent(40) {
            true => (self.scope.uniform_cond(), true),
            false => self.scope.cond(),
        };
        let uniform = uniform && !self.scope.slips();
        self.scope.divergent += usize::from(!uniform);
        let modes = self.arrays.modes.clone();
        let then = self.arm(&modes);
        let otherwise = match self.scope.random.percent(35) {
            true => self.arm(&modes),
            false => vec![],
        };
        self.scope.divergent -= usize::from(!uniform);
        let mut assigned = vec![false; VARS + crate::ast::POINTERS];
        then.iter().chain(&otherwise).for_each(|stmt| stmt.assigned(&mut assigned));
        for (known, assigned) in self.scope.uniform.iter_mut().zip(&assigned) {
            *known &= uniform || !assigned;
        }
        vec![Stmt::If(cond, then, otherwise)]
    }

    /// One arm; the modes of the arrays afterwards are those before.
    fn arm(&mut self, modes: &[Mode]) -> Vec<Stmt> {
        let before = self.scope.barriers;
        let mut stmts = self.statements(3);
        if self.scope.barriers != before && !self.scope.slips() {
            stmts.extend(plain_barrier());
        }
        self.arrays.restore(modes);
        stmts
    }

    fn repeat(&mut self) -> Vec<Stmt> {
        let strided = self.arrays.strided_array();
        if let Some(array) = strided
            && self.scope.random.percent(60)
        {
            return vec![self.arrays.strided_loop(&mut self.scope, array)];
        }
        let var = self.scope.free_var();
        let by_threads = self.scope.random.percent(30);
        let start = match self.scope.random.below(6) {
            0 if by_threads => Expr::Tid,
            1 => Expr::Param(self.scope.random.below(2)),
            2 => Expr::Const(self.scope.random.below(4) as u32),
            _ => Expr::Const(0),
        };
        let bound = match self.scope.random.below(6) {
            0 if by_threads => self.scope.small(Expr::Tid),
            1..=2 => Expr::Param(self.scope.random.below(2)),
            3 => self.scope.small(Expr::Bid),
            _ => Expr::Const(1 + self.scope.random.below(5) as u32),
        };
        let uniform = !by_threads;
        let (op, step, start) = match self.scope.random.below(10) {
            0 => (BinaryOp::Shl, Expr::Const(1), Expr::Const(1)),
            1 => (BinaryOp::Add, Expr::Const(3), start),
            2 => (BinaryOp::Add, self.scope.small(Expr::Param(0)), start),
            3 => (BinaryOp::Xor, Expr::Const(1 + self.scope.random.below(3) as u32), start),
            _ => (BinaryOp::Add, Expr::Const(1), start),
        };
        let cc =
            self.scope.random.pick(&[IntCc::Ult, IntCc::Ult, IntCc::Slt, IntCc::Ule, IntCc::Ne]);
        let test_last = self.scope.random.percent(20);
        let body = self.loop_body(var, uniform);
        let around = Loop { var, start, cc, bound, op, step, test_last, body };
        vec![Stmt::Loop(Box::new(around))]
    }

    fn loop_body(&mut self, var: usize, uniform: bool) -> Vec<Stmt> {
        let (barriers, modes) = (self.scope.barriers, self.arrays.modes.clone());
        // What the body changes is unknown at its start.
        let seen = self.scope.uniform;
        self.scope.uniform = [false; VARS];
        self.scope.uniform[var] = uniform;
        self.scope.counters.push(var);
        self.scope.in_loop += 1;
        self.scope.divergent += usize::from(!uniform);
        let mut body = self.statements(4);
        if self.scope.barriers != barriers && !self.scope.slips() {
            body.extend(plain_barrier());
        }
        self.scope.divergent -= usize::from(!uniform);
        self.scope.in_loop -= 1;
        self.scope.counters.pop();
        self.arrays.restore(&modes);
        let mut assigned = vec![false; VARS + crate::ast::POINTERS];
        body.iter().for_each(|stmt| stmt.assigned(&mut assigned));
        for var in 0..VARS {
            self.scope.uniform[var] = seen[var] && !assigned[var];
        }
        self.scope.uniform[var] = uniform && self.scope.divergent == 0;
        body
    }

    /// `break`, `continue`.
    fn leave(&mut self) -> Vec<Stmt> {
        if self.scope.in_loop == 0 {
            return self.scope.assign();
        }
        let free = !self.synchronises || self.scope.slips();
        let cond = if free { self.scope.cond().0 } else { self.scope.uniform_cond() };
        vec![if self.scope.random.percent(50) { Stmt::Break(cond) } else { Stmt::Continue(cond) }]
    }

    fn early_return(&mut self) -> Vec<Stmt> {
        let free = !self.synchronises || self.scope.slips();
        let cond = if free { self.scope.cond().0 } else { self.scope.uniform_cond() };
        vec![Stmt::Return(cond)]
    }

    /// Divisions and assertions, most of which are right.
    fn check(&mut self) -> Vec<Stmt> {
        if self.scope.random.percent(30) {
            let var = self.scope.free_var();
            let op = self.scope.random.pick(&[BinaryOp::UDiv, BinaryOp::URem]);
            let (a, _) = self.scope.value();
            let (b, _) = self.scope.value();
            let slips = self.scope.slips();
            let b = if slips { b } else { binary(BinaryOp::Or, b, Expr::Const(1)) };
            self.scope.set(var, false);
            return vec![Stmt::Divide(var, op, a, b)];
        }
        let cond = match self.scope.random.below(6) {
            0 => compare(IntCc::Ult, Expr::Tid, Expr::BlockDim),
            1 => compare(IntCc::Ult, Expr::Bid, Expr::GridDim),
            2 => compare(IntCc::Ult, Expr::Param(0), Expr::Const(65)),
            3 if self.scope.slips() => self.scope.cond().0,
            4 if self.scope.in_loop > 0 => {
                let var = self.scope.counters[self.scope.counters.len() - 1];
                compare(IntCc::Ule, Expr::Var(var), Expr::Const(80))
            }
            _ => compare(IntCc::Ule, Expr::Lane, Expr::Const(31)),
        };
        match self.scope.random.percent(6) {
            true => vec![Stmt::Assume(self.scope.uniform_cond())],
            false => vec![Stmt::Assert(cond)],
        }
    }
}

/// An operation.
fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

/// A comparison.
fn compare(cc: IntCc, a: Expr, b: Expr) -> Cond {
    Cond { cc, a, b }
}

/// A barrier that orders everything.
fn plain_barrier() -> Vec<Stmt> {
    vec![Stmt::Barrier(Expr::Const(3))]
}
