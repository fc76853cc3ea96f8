//! Statements about loops: candidates for invariants, and the invariants.
//!
//! A [`Candidate`] is an [`Expr`] over a header's parameters at some visit, their
//! values on entry to the loop, and values that the loop does not change. What is
//! worth stating is not known here: `duet-infer` makes candidates up, the user
//! writes some. A candidate is an invariant once it was shown to hold on every edge
//! into the header, assuming the invariants at all headers ([`Invariants`]); until
//! then nothing may rely on it.

use std::collections::BTreeMap;
use std::fmt;

use duet_analysis::Loop;
use duet_ir::{BinaryOp, CastOp, Dim, GeometryKind, Inst, IntCc, Type, Value};

/// A value or a truth at a visit of a loop's header, of one thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A parameter of the header, by number.
    Param(usize),
    /// The same on entry to the loop.
    Initial(usize),
    /// A value that is computed before the loop, on every way to it.
    Value(Value),
    /// How often the header was reached again since the loop was entered, in 64 bits,
    /// modulo 2^64.
    Visits,
    /// A size, or an id of the thread.
    Geometry(GeometryKind, Dim),
    /// A number.
    Const {
        /// Its bits.
        bits: u128,
        /// Its type.
        ty: Type,
    },
    /// An operation on two integers.
    Binary {
        /// Which; none that may fail.
        op: BinaryOp,
        /// The operands.
        args: Box<[Expr; 2]>,
        /// The type of both operands.
        ty: Type,
    },
    /// An integer in another width.
    Cast {
        /// How.
        op: CastOp,
        /// What.
        arg: Box<Expr>,
        /// Its type.
        from: Type,
        /// The new one.
        to: Type,
    },
    /// A comparison of integers.
    Compare {
        /// How.
        cc: IntCc,
        /// The operands.
        args: Box<[Expr; 2]>,
    },
    /// Conjunction.
    All(Vec<Expr>),
    /// Disjunction.
    Any(Vec<Expr>),
    /// Negation.
    Not(Box<Expr>),
    /// At most one bit is set.
    AtMostOneBit(Box<Expr>),
    /// What the instructions of the header make of a value for these parameters.
    InHeader {
        /// A result of an instruction of the header.
        value: Value,
        /// For each parameter.
        params: Vec<Expr>,
    },
}

impl Expr {
    /// A number.
    pub fn number(bits: u128, ty: Type) -> Expr {
        Expr::Const { bits, ty }
    }

    /// A comparison.
    pub fn compare(cc: IntCc, a: Expr, b: Expr) -> Expr {
        Expr::Compare { cc, args: Box::new([a, b]) }
    }

    /// An operation.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type) -> Expr {
        Expr::Binary { op, args: Box::new([a, b]), ty }
    }

    /// Calls `visit` for this and everything in it.
    pub fn visit(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Binary { args, .. } | Expr::Compare { args, .. } => {
                args.iter().for_each(|arg| arg.visit(visit));
            }
            Expr::Cast { arg, .. } | Expr::Not(arg) | Expr::AtMostOneBit(arg) => arg.visit(visit),
            Expr::All(parts) | Expr::Any(parts) | Expr::InHeader { params: parts, .. } => {
                parts.iter().for_each(|part| part.visit(visit));
            }
            Expr::Param(_)
            | Expr::Initial(_)
            | Expr::Value(_)
            | Expr::Visits
            | Expr::Geometry(..)
            | Expr::Const { .. } => {}
        }
    }

    /// Does it speak of the entry to the loop: of the values there, or of the visits
    /// since?
    pub fn is_about_entry(&self) -> bool {
        let mut found = false;
        self.visit(&mut |part| found |= matches!(part, Expr::Initial(_) | Expr::Visits));
        found
    }
}

/// Who states something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A rule, by its name.
    Rule(&'static str),
    /// The user, by an annotation at the loop's head.
    User(Inst),
}

/// A statement about the parameters of a loop's header.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Candidate {
    /// Who states it.
    pub source: Source,
    /// What is stated.
    pub expr: Expr,
}

/// The invariants of a kernel's loops.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    loops: BTreeMap<Loop, Vec<Candidate>>,
}

impl Invariants {
    /// Those of one loop.
    pub fn of(&self, id: Loop) -> &[Candidate] {
        self.loops.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Adds one, unless it is stated already.
    pub fn add(&mut self, id: Loop, candidate: Candidate) {
        let list = self.loops.entry(id).or_default();
        let is_user = matches!(candidate.source, Source::User(_));
        if is_user || list.iter().all(|other| other.expr != candidate.expr) {
            list.push(candidate);
        }
    }

    /// Removes one; was it there?
    pub fn remove(&mut self, id: Loop, candidate: &Candidate) -> bool {
        let Some(list) = self.loops.get_mut(&id) else { return false };
        let before = list.len();
        list.retain(|other| other != candidate);
        list.len() != before
    }

    /// Those of all loops, loop by loop.
    pub fn all(&self) -> impl Iterator<Item = &Candidate> {
        self.loops.values().flatten()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.loops.values().map(Vec::len).sum()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// For logs and tests: parameters are `p0`, their values on entry `p0'`.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Param(index) => write!(f, "p{index}"),
            Expr::Initial(index) => write!(f, "p{index}'"),
            Expr::Value(value) => write!(f, "{value}"),
            Expr::Visits => write!(f, "visits"),
            Expr::Geometry(kind, dim) => write!(f, "{kind}.{dim}"),
            Expr::Const { bits, ty } => match ty.bits().unwrap_or(128) {
                width if width < 128 && width > 1 && bits >> (width - 1) == 1 => {
                    write!(f, "-{}", (1u128 << width) - bits)
                }
                _ => write!(f, "{bits}"),
            },
            Expr::Binary { op, args, .. } => write!(f, "({} {} {})", op.name(), args[0], args[1]),
            Expr::Cast { op, arg, to, .. } => write!(f, "({op} {arg} {to})"),
            Expr::Compare { cc, args } => write!(f, "({cc} {} {})", args[0], args[1]),
            Expr::All(parts) => write_list(f, "all", parts),
            Expr::Any(parts) => write_list(f, "any", parts),
            Expr::Not(part) => write!(f, "(not {part})"),
            Expr::AtMostOneBit(part) => write!(f, "(one-bit {part})"),
            Expr::InHeader { value, params } => write_list(f, &value.to_string(), params),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, head: &str, parts: &[Expr]) -> fmt::Result {
    write!(f, "({head}")?;
    parts.iter().try_for_each(|part| write!(f, " {part}"))?;
    write!(f, ")")
}
