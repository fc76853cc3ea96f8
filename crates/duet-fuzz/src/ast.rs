//! The kernels that are generated, as trees: easy to make, to lower and to shrink.
//!
//! Variables `0..VARS` are 32-bit integers, the next `POINTERS` are byte offsets
//! of 64 bits. Every tree is a legal kernel: a subtree may be dropped or replaced
//! by another of its kind.

use duet_ir::{AtomicOp, BinaryOp, IntCc, MemoryScope, Reduction};

/// Integer variables.
pub const VARS: usize = 5;
/// Offset variables.
pub const POINTERS: usize = 2;
/// Scalar parameters.
pub const PARAMS: usize = 2;

/// A kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// Its arrays.
    pub arrays: Vec<ArrayDecl>,
    /// Each parameter is below this number.
    pub bounds: [u32; PARAMS],
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// An array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayDecl {
    /// Where it lives.
    pub place: ArrayPlace,
    /// Bytes of an element. All accesses are of whole elements, unless `mixed`.
    pub width: u32,
    /// Accesses of any width at any byte.
    pub mixed: bool,
}

/// Where an array lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayPlace {
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// The thread's own.
    Private,
}

/// A 32-bit integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Const(u32),
    /// A parameter.
    Param(usize),
    /// A variable.
    Var(usize),
    /// The thread's number in its block, along x.
    Tid,
    /// The same along y.
    TidY,
    /// The block's number.
    Bid,
    /// Threads of a block along x.
    BlockDim,
    /// Blocks.
    GridDim,
    /// `Bid * BlockDim + Tid`.
    Gid,
    /// `Tid % 32`.
    Lane,
    /// An operation. Division is by a constant other than zero.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `cond ? a : b`.
    Select(Box<Cond>, Box<Expr>, Box<Expr>),
    /// Cut to this many bits and extended again, by sign if so said.
    Cut(u8, bool, Box<Expr>),
}

/// A comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cond {
    /// How.
    pub cc: IntCc,
    /// Left side.
    pub a: Expr,
    /// Right side.
    pub b: Expr,
}

/// A place in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Number of the array.
    pub array: usize,
    /// Offset.
    pub at: At,
    /// Bytes of one lane; that of the array unless it is mixed.
    pub width: u32,
    /// Consecutive elements.
    pub lanes: u32,
}

/// An offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// Element number, extended with zeros, then scaled.
    Wide(Expr),
    /// Element number, extended by sign, then scaled.
    Signed(Expr),
    /// Element number, scaled in 32 bits, which wrap.
    Wrapping(Expr),
    /// An offset variable plus so many elements.
    Pointer(usize, u32),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // each variant's comment names its fields
pub enum Stmt {
    /// `var = value`
    Assign(usize, Expr),
    /// `var = a op b`, put into a signed variable: of signed arithmetic if so said, else
    /// of unsigned. Proofs may assume that it stays in range.
    AssignSigned { var: usize, op: BinaryOp, is_signed: bool, a: Expr, b: Expr },
    /// `var = a / b` or `a % b`, b unknown.
    Divide(usize, BinaryOp, Expr, Expr),
    /// Sets an offset variable to element `index` of width `scale`.
    SetPointer(usize, Expr, u32),
    /// Moves an offset variable by so many bytes.
    BumpPointer(usize, Expr, u32),
    /// `var = place` (the sum of the lanes).
    Load { var: usize, place: Place },
    /// The same as a read of an annotation, which is no access.
    GhostLoad { var: usize, place: Place },
    /// Ghost reads of a place before and after a body, and what is said about them.
    Watch { place: Place, about: Watched, body: Vec<Stmt> },
    /// `place = value`, lane `n` getting `value + n`.
    Store { place: Place, value: Expr },
    /// `var = atomic(place, value)`
    Atomic { var: usize, op: AtomicOp, scope: MemoryScope, place: Place, value: Expr },
    /// Two arms.
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// `for (var = start; var cc bound; var op= step) body`, or with the test last.
    Loop(Box<Loop>),
    /// `if (cond) break;`; nothing outside a loop.
    Break(Cond),
    /// `if (cond) continue;`; nothing outside a loop.
    Continue(Cond),
    /// `if (cond) return;`
    Return(Cond),
    /// Block barrier with these flags.
    Barrier(Expr),
    /// Counting barrier.
    BarrierReduce(usize, Reduction, Expr),
    /// Warp barrier with this mask.
    WarpBarrier(Expr),
    /// Grid barrier.
    GridBarrier,
    /// `var = shuffle(mask, value, lane)`, by exclusive or if so said.
    Shuffle { var: usize, xor: bool, mask: u32, value: Expr, lane: Expr },
    /// `var = ballot(mask, value)`, or the vote that any is true.
    Vote { var: usize, any: bool, mask: u32, value: Expr },
    /// An unknown.
    Fresh(usize),
    /// An assertion.
    Assert(Cond),
    /// An assumption.
    Assume(Cond),
    /// A claim about memory at the barrier that follows.
    Claim(Box<Claim>),
}

/// `place cc value`, claimed of memory at a barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Of whom.
    pub of: ClaimOf,
    /// The place; of a claim about elements, only its array counts.
    pub place: Place,
    /// How it is compared.
    pub cc: IntCc,
    /// With what.
    pub value: Expr,
    /// The threads that it is used for: one each, or two each.
    pub instances: Vec<Expr>,
}

/// Whom a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimOf {
    /// Each thread.
    Thread,
    /// Every two threads: the place of one is compared with that of the other.
    Pair,
    /// Every element of the array below 64; `Tid` in the value stands for its number.
    Cell,
}

/// What ghost reads before and after some statements are compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Watched {
    /// With each other: an assertion that they are equal.
    Same,
    /// An assertion that the second one yields this.
    Is(Expr),
    /// An assumption that the first one yields this, an assertion that the second does.
    Assumed(Expr),
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The counter.
    pub var: usize,
    /// Its first value.
    pub start: Expr,
    /// Going on while `var cc bound`.
    pub cc: IntCc,
    /// See `cc`.
    pub bound: Expr,
    /// How the counter moves.
    pub op: BinaryOp,
    /// By how much.
    pub step: Expr,
    /// The test comes after the body.
    pub test_last: bool,
    /// The body.
    pub body: Vec<Stmt>,
}

impl Kernel {
    /// Is there a loop?
    pub fn has_loop(&self) -> bool {
        self.body.iter().any(|stmt| stmt.holds(&|inner| matches!(inner, Stmt::Loop(_))))
    }

    /// Is there a loop with a barrier in it?
    pub fn has_barrier_in_loop(&self) -> bool {
        let is_barrier = |stmt: &Stmt| {
            matches!(
                stmt,
                Stmt::Barrier(_)
                    | Stmt::BarrierReduce(..)
                    | Stmt::WarpBarrier(_)
                    | Stmt::GridBarrier
            )
        };
        self.body.iter().any(|stmt| {
            stmt.holds(&|inner| {
                matches!(inner, Stmt::Loop(data) if data.body.iter().any(|stmt| stmt.holds(&is_barrier)))
            })
        })
    }
}

impl Stmt {
    /// Is the statement, or one inside it, such a one?
    fn holds(&self, is_such: &dyn Fn(&Stmt) -> bool) -> bool {
        let inside = |stmts: &[Stmt]| stmts.iter().any(|stmt| stmt.holds(is_such));
        is_such(self)
            || match self {
                Stmt::If(_, then, otherwise) => inside(then) || inside(otherwise),
                Stmt::Loop(data) => inside(&data.body),
                Stmt::Watch { body, .. } => inside(body),
                _ => false,
            }
    }

    /// The variables that the statement may change.
    pub fn assigned(&self, into: &mut [bool]) {
        match self {
            Stmt::Assign(var, _)
            | Stmt::AssignSigned { var, .. }
            | Stmt::Divide(var, ..)
            | Stmt::SetPointer(var, ..)
            | Stmt::BumpPointer(var, ..)
            | Stmt::Load { var, .. }
            | Stmt::GhostLoad { var, .. }
            | Stmt::Atomic { var, .. }
            | Stmt::BarrierReduce(var, ..)
            | Stmt::Shuffle { var, .. }
            | Stmt::Vote { var, .. }
            | Stmt::Fresh(var) => into[*var] = true,
            Stmt::If(_, then, otherwise) => {
                then.iter().chain(otherwise).for_each(|stmt| stmt.assigned(into));
            }
            Stmt::Watch { body, .. } => body.iter().for_each(|stmt| stmt.assigned(into)),
            Stmt::Loop(data) => {
                into[data.var] = true;
                data.body.iter().for_each(|stmt| stmt.assigned(into));
            }
            Stmt::Store { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Barrier(_)
            | Stmt::WarpBarrier(_)
            | Stmt::GridBarrier
            | Stmt::Assert(_)
            | Stmt::Assume(_)
            | Stmt::Claim(_) => {}
        }
    }

    /// Does the statement, inner loops left out, leave the body of the loop
    /// around it by `break` (or `continue`)?
    pub fn leaves_body(&self, by_break: bool) -> bool {
        match self {
            Stmt::Break(_) => by_break,
            Stmt::Continue(_) => !by_break,
            Stmt::If(_, then, otherwise) => {
                then.iter().chain(otherwise).any(|stmt| stmt.leaves_body(by_break))
            }
            Stmt::Watch { body, .. } => body.iter().any(|stmt| stmt.leaves_body(by_break)),
            _ => false,
        }
    }
}
