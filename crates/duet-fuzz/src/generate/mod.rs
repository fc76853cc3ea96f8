//! Random kernels.
//!
//! Purely random kernels race almost always and test little. So each kernel
//! follows a discipline: between two barriers an array is written by the owner of
//! each element only, or read by all, or touched by one thread, or by atomics
//! ([`Mode`]); barriers stand in uniform code. Now and then a *slip* breaks it: the
//! result is a kernel that is almost right, which is what a verifier is most likely
//! to get wrong. A kernel without slips should be proved; the share of those that
//! are measures precision.

mod expr;
mod ghosts;
mod handovers;
mod memory;
mod sync;
mod templates;

use duet_ir::{BinaryOp, IntCc};

use crate::ast::{ArrayDecl, ArrayPlace, Cond, Expr, Kernel, Loop, Stmt, VARS};
use crate::random::Random;

pub use memory::Mode;

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
    let mut generator = Generator {
        slip: random.pick(&[0, 1, 2, 4, 8, 15, 30]),
        two_dimensional,
        one_block: random.percent(40),
        synchronises: random.percent(85),
        warps: random.percent(20),
        budget: 2 + random.below(6),
        arrays: vec![],
        modes: vec![],
        uniform: [true; VARS],
        counters: vec![],
        divergent: 0,
        in_loop: 0,
        barriers: 0,
        random,
    };
    let kernel = generator.kernel();
    Made { kernel, two_dimensional }
}

/// The state of making one kernel.
struct Generator<'r> {
    random: &'r mut Random,
    /// Percentage of choices that break the discipline.
    slip: usize,
    two_dimensional: bool,
    /// Made for a single block: global memory is used as if shared.
    one_block: bool,
    synchronises: bool,
    /// Uses warp barriers and exchanges.
    warps: bool,
    /// Statements that may still be made.
    budget: usize,
    arrays: Vec<ArrayDecl>,
    /// How each array may be used at present.
    modes: Vec<Mode>,
    /// Variables that are the same for the whole block.
    uniform: [bool; VARS],
    /// Counters of the loops around, which the body leaves alone.
    counters: Vec<usize>,
    /// Depth of branches and loops that threads may take differently.
    divergent: usize,
    in_loop: usize,
    /// Barriers made so far.
    barriers: usize,
}

impl Generator<'_> {
    fn kernel(&mut self) -> Kernel {
        let count = 1 + self.random.below(3);
        for _ in 0..count {
            let place = match self.random.below(12) {
                0..=5 => ArrayPlace::Global,
                6..=10 => ArrayPlace::Shared,
                _ => ArrayPlace::Private,
            };
            let width = self.random.pick(&[4, 4, 4, 4, 1, 2, 8]);
            let mixed = self.random.percent(12);
            self.arrays.push(ArrayDecl { place, width, mixed });
        }
        self.modes = (0..count).map(|array| self.mode(array, true)).collect();
        let bounds = [0; 2].map(|_| self.random.pick(&[1, 2, 3, 4, 8, 16, 65]));
        let mut body = self.preamble();
        if self.random.percent(45) {
            self.budget = self.random.below(2);
            body.extend(self.template());
        }
        while self.budget > 0 {
            let stmts = self.statement();
            body.extend(stmts);
        }
        if self.random.percent(30) {
            self.add_ghosts(&mut body);
        }
        Kernel { arrays: self.arrays.clone(), bounds, body }
    }

    /// Gives the variables first values.
    fn preamble(&mut self) -> Vec<Stmt> {
        let mut stmts = vec![];
        for var in 0..2 {
            if self.random.percent(50) {
                let (value, uniform) = self.value();
                self.uniform[var] = uniform;
                stmts.push(Stmt::Assign(var, value));
            }
        }
        stmts
    }

    fn slips(&mut self) -> bool {
        self.random.percent(self.slip)
    }

    /// A variable that is no counter of a loop around.
    fn free_var(&mut self) -> usize {
        let free: Vec<usize> = (0..VARS).filter(|var| !self.counters.contains(var)).collect();
        if self.slips() { self.random.below(VARS) } else { self.random.pick(&free) }
    }

    fn set(&mut self, var: usize, uniform: bool) {
        self.uniform[var] = uniform && self.divergent == 0;
    }

    fn statements(&mut self, most: usize) -> Vec<Stmt> {
        let mut stmts = vec![];
        for _ in 0..1 + self.random.below(most) {
            if self.budget == 0 && !stmts.is_empty() {
                break;
            }
            stmts.extend(self.statement());
        }
        stmts
    }

    fn statement(&mut self) -> Vec<Stmt> {
        self.budget = self.budget.saturating_sub(1);
        let nested = self.in_loop + self.divergent < 3;
        match self.random.below(40) {
            0..=2 => self.assign(),
            3..=14 => self.access(),
            15..=18 if nested => self.branch(),
            19..=25 if nested => self.repeat(),
            26..=30 if self.synchronises => self.barrier(),
            31 => self.leave(),
            32 => self.early_return(),
            33..=34 if self.warps => self.warp(),
            35 => self.check(),
            36 => self.pointer_walk(),
            37 if self.slips() => self.unruly(),
            38..=39 if self.synchronises => self.template(),
            _ => self.access(),
        }
    }

    fn assign(&mut self) -> Vec<Stmt> {
        let var = self.free_var();
        if self.random.percent(8) {
            self.set(var, false);
            return vec![Stmt::Fresh(var)];
        }
        let (value, uniform) = self.value();
        self.set(var, uniform);
        vec![Stmt::Assign(var, value)]
    }

    fn branch(&mut self) -> Vec<Stmt> {
        if self.random.percent(25) && !self.arrays.is_empty() {
            return self.one_thread();
        }
        let (cond, uniform) = match self.random.percent(40) {
            true => (self.uniform_cond(), true),
            false => self.cond(),
        };
        let uniform = uniform && !self.slips();
        self.divergent += usize::from(!uniform);
        let modes = self.modes.clone();
        let then = self.arm(&modes);
        let otherwise = match self.random.percent(35) {
            true => self.arm(&modes),
            false => vec![],
        };
        self.divergent -= usize::from(!uniform);
        let mut assigned = vec![false; VARS + crate::ast::POINTERS];
        then.iter().chain(&otherwise).for_each(|stmt| stmt.assigned(&mut assigned));
        for (known, assigned) in self.uniform.iter_mut().zip(&assigned) {
            *known &= uniform || !assigned;
        }
        vec![Stmt::If(cond, then, otherwise)]
    }

    /// One arm; the modes of the arrays afterwards are those before.
    fn arm(&mut self, modes: &[Mode]) -> Vec<Stmt> {
        let before = self.barriers;
        let mut stmts = self.statements(3);
        if self.barriers != before && !self.slips() {
            stmts.extend(self.plain_barrier());
        }
        self.restore(modes);
        stmts
    }

    /// Goes back to earlier modes; arrays made since keep theirs.
    fn restore(&mut self, modes: &[Mode]) {
        self.modes[..modes.len()].clone_from_slice(modes);
    }

    fn repeat(&mut self) -> Vec<Stmt> {
        let strided = self.strided_array();
        if let Some(array) = strided
            && self.random.percent(60)
        {
            return vec![self.strided_loop(array)];
        }
        let var = self.free_var();
        let by_threads = self.random.percent(30);
        let start = match self.random.below(6) {
            0 if by_threads => Expr::Tid,
            1 => Expr::Param(self.random.below(2)),
            2 => Expr::Const(self.random.below(4) as u32),
            _ => Expr::Const(0),
        };
        let bound = match self.random.below(6) {
            0 if by_threads => self.small(Expr::Tid),
            1..=2 => Expr::Param(self.random.below(2)),
            3 => self.small(Expr::Bid),
            _ => Expr::Const(1 + self.random.below(5) as u32),
        };
        let uniform = !by_threads;
        let (op, step, start) = match self.random.below(10) {
            0 => (BinaryOp::Shl, Expr::Const(1), Expr::Const(1)),
            1 => (BinaryOp::Add, Expr::Const(3), start),
            2 => (BinaryOp::Add, self.small(Expr::Param(0)), start),
            3 => (BinaryOp::Xor, Expr::Const(1 + self.random.below(3) as u32), start),
            _ => (BinaryOp::Add, Expr::Const(1), start),
        };
        let cc = self.random.pick(&[IntCc::Ult, IntCc::Ult, IntCc::Slt, IntCc::Ule, IntCc::Ne]);
        let test_last = self.random.percent(20);
        let body = self.loop_body(var, uniform);
        let around = Loop { var, start, cc, bound, op, step, test_last, body };
        vec![Stmt::Loop(Box::new(around))]
    }

    fn loop_body(&mut self, var: usize, uniform: bool) -> Vec<Stmt> {
        let (barriers, modes) = (self.barriers, self.modes.clone());
        // What the body changes is unknown at its start.
        let seen = self.uniform;
        self.uniform = [false; VARS];
        self.uniform[var] = uniform;
        self.counters.push(var);
        self.in_loop += 1;
        self.divergent += usize::from(!uniform);
        let mut body = self.statements(4);
        if self.barriers != barriers && !self.slips() {
            body.extend(self.plain_barrier());
        }
        self.divergent -= usize::from(!uniform);
        self.in_loop -= 1;
        self.counters.pop();
        self.restore(&modes);
        let mut assigned = vec![false; VARS + crate::ast::POINTERS];
        body.iter().for_each(|stmt| stmt.assigned(&mut assigned));
        for var in 0..VARS {
            self.uniform[var] = seen[var] && !assigned[var];
        }
        self.uniform[var] = uniform && self.divergent == 0;
        body
    }

    /// `break`, `continue`.
    fn leave(&mut self) -> Vec<Stmt> {
        if self.in_loop == 0 {
            return self.assign();
        }
        let free = !self.synchronises || self.slips();
        let cond = if free { self.cond().0 } else { self.uniform_cond() };
        vec![if self.random.percent(50) { Stmt::Break(cond) } else { Stmt::Continue(cond) }]
    }

    fn early_return(&mut self) -> Vec<Stmt> {
        let free = !self.synchronises || self.slips();
        let cond = if free { self.cond().0 } else { self.uniform_cond() };
        vec![Stmt::Return(cond)]
    }

    /// Divisions and assertions, most of which are right.
    fn check(&mut self) -> Vec<Stmt> {
        if self.random.percent(30) {
            let var = self.free_var();
            let op = self.random.pick(&[BinaryOp::UDiv, BinaryOp::URem]);
            let (a, _) = self.value();
            let (b, _) = self.value();
            let slips = self.slips();
            let b = if slips { b } else { binary(BinaryOp::Or, b, Expr::Const(1)) };
            self.set(var, false);
            return vec![Stmt::Divide(var, op, a, b)];
        }
        let cond = match self.random.below(6) {
            0 => compare(IntCc::Ult, Expr::Tid, Expr::BlockDim),
            1 => compare(IntCc::Ult, Expr::Bid, Expr::GridDim),
            2 => compare(IntCc::Ult, Expr::Param(0), Expr::Const(65)),
            3 if self.slips() => self.cond().0,
            4 if self.in_loop > 0 => {
                let var = self.counters[self.counters.len() - 1];
                compare(IntCc::Ule, Expr::Var(var), Expr::Const(80))
            }
            _ => compare(IntCc::Ule, Expr::Lane, Expr::Const(31)),
        };
        match self.random.percent(6) {
            true => vec![Stmt::Assume(self.uniform_cond())],
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
