//! What a host program says about a launch, as plain data: terms over unknowns.
//!
//! A [`Relation`] binds the sizes of a launch and its arguments to terms. A run of the
//! program that makes the launch gives each unknown a value such that all facts hold and
//! the sizes and arguments are the values of their terms. It is never the other way round:
//! values that satisfy the facts need not belong to a run.

mod example;
mod join;
mod limits;
mod packed;
mod settled;
mod show;
mod simplify;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use duet_analysis::bits;
use duet_ir::{BinaryOp, CastOp, Found, IntCc, Type};

pub use example::Example;
pub use join::joined;
pub use show::{Class, Classes};
pub use simplify::COUNT;

/// A term, by its number in [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub u32);

/// An unknown, by its number in [`Relation::unknowns`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unknown(pub u32);

/// What a term is. Operators mean what they mean in the kernel IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // the fields are those of the kernel IR's instructions
pub enum TermData {
    /// The bits of a number.
    Const { bits: u128, ty: Type },
    /// An unknown value.
    Unknown { unknown: Unknown, ty: Type },
    /// Arithmetic; `signed`: the source language leaves overflow undefined.
    Binary { op: BinaryOp, signed: bool, args: [Term; 2] },
    /// A conversion.
    Cast { op: CastOp, arg: Term, to: Type },
    /// A comparison.
    Compare { cc: IntCc, args: [Term; 2] },
    /// `cond ? a : b`.
    Select { cond: Term, args: [Term; 2] },
}

/// Terms, each kept once.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    data: Vec<TermData>,
    known: HashMap<TermData, Term>,
    /// Variables of the source that hold a term.
    names: HashMap<Term, String>,
}

/// Where an unknown comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The program's input: its arguments, files, what it reads. Any value may come.
    Input,
    /// A property of the device.
    Property,
    /// The result of a call of this function.
    Call(String),
    /// The value of a variable in some iteration of a loop.
    Iteration,
    /// A parameter of this function, whose callers are not all known.
    Parameter(String),
    /// What is in memory.
    Memory,
    /// A variable that may not have been set.
    Uninitialised,
    /// One of several values.
    Choice,
    /// A floating-point computation.
    Float,
}

/// An unknown's description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownData {
    /// The name of a variable that holds it, or what it is otherwise called.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its type.
    pub ty: Type,
}

/// A place in the host program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HostPlace {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

/// Memory that pointers point into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseData {
    /// The name of a variable that holds it.
    pub name: String,
    /// Its size in bytes (64 bits), if it is an allocation that is known.
    pub size: Option<Term>,
    /// Whether it is an allocation that is known to be no other one's memory at the
    /// launch.
    pub distinct: bool,
    /// Whether the pointer may be null or never set: then there is no such memory.
    pub may_be_unset: bool,
    /// What the launch finds there, if no kernel keeps the addresses that it is given. An
    /// offset in it counts from the start of the memory.
    pub found: Found,
    /// Symbols of kernels that are given addresses in this memory: what is found is not
    /// known if one of them keeps such an address for others.
    pub given: BTreeSet<String>,
}

impl BaseData {
    /// Memory of which nothing is known but a name.
    pub fn unknown(name: String) -> BaseData {
        BaseData {
            name,
            size: None,
            distinct: false,
            may_be_unset: false,
            found: Found::Unknown,
            given: BTreeSet::new(),
        }
    }
}

/// An argument of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number.
    Scalar(Term),
    /// A pointer: which memory ([`Relation::bases`]) and the offset in bytes.
    Pointer {
        /// Number among the bases.
        base: usize,
        /// Bytes from its start, of 64 bits.
        offset: Term,
    },
    /// A struct passed by value: its parts with their offsets in bytes.
    Struct(Vec<(u64, Argument)>),
    /// Something that could not be followed.
    Opaque,
}

impl Argument {
    /// The numbers and pointers that it is made of.
    pub fn leaves(&self) -> Vec<&Argument> {
        match self {
            Argument::Struct(parts) => parts.iter().flat_map(|(_, part)| part.leaves()).collect(),
            Argument::Scalar(_) | Argument::Pointer { .. } | Argument::Opaque => vec![self],
        }
    }

    /// The argument with each term exchanged.
    pub fn with_terms(&self, change: &mut impl FnMut(Term) -> Term) -> Argument {
        match self {
            Argument::Scalar(term) => Argument::Scalar(change(*term)),
            Argument::Pointer { base, offset } => {
                Argument::Pointer { base: *base, offset: change(*offset) }
            }
            Argument::Struct(parts) => {
                let changed = parts.iter().map(|(at, part)| (*at, part.with_terms(change)));
                Argument::Struct(changed.collect())
            }
            Argument::Opaque => Argument::Opaque,
        }
    }

    /// The terms in it.
    pub fn terms(&self) -> Vec<Term> {
        let leaves = self.leaves().into_iter();
        leaves
            .filter_map(|leaf| match leaf {
                Argument::Scalar(term) | Argument::Pointer { offset: term, .. } => Some(*term),
                Argument::Struct(_) | Argument::Opaque => None,
            })
            .collect()
    }
}

/// What is known about one launch in the host code.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The terms.
    pub terms: Terms,
    /// The unknowns.
    pub unknowns: Vec<UnknownData>,
    /// Blocks of the grid.
    pub grid: [Term; 3],
    /// Threads of a block.
    pub block: [Term; 3],
    /// Bytes of dynamic shared memory.
    pub shared: Term,
    /// The arguments in the order of the kernel's parameters; `None` if they could not be
    /// found.
    pub arguments: Option<Vec<Argument>>,
    /// Memory that the arguments point into.
    pub bases: Vec<BaseData>,
    /// Conditions (of one bit) that hold whenever the launch is made.
    pub facts: Vec<Term>,
    /// The launch is one of OpenCL that was recorded: what that says beyond blocks.
    pub items: Option<WorkItems>,
}

/// The work-items of a launch of OpenCL, as numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkItems {
    /// How many of the three dimensions there are.
    pub dimensions: u32,
    /// Work-items along each.
    pub global: [u32; 3],
    /// Work-items of a group, if the program says: OpenCL chooses otherwise.
    pub local: Option<[u32; 3]>,
    /// Added to global ids.
    pub offset: [u32; 3],
    /// The launch as messages show it.
    pub shown: String,
}

/// A launch in the host code.
#[derive(Clone, Debug)]
pub struct Site {
    /// The symbol of the kernel.
    pub kernel: String,
    /// Where it is launched: the user's own line.
    pub place: HostPlace,
    /// The calls that the launch was reached through, innermost first.
    pub through: Vec<HostPlace>,
    /// What is known about it.
    pub relation: Relation,
    /// The tables of constants that the host filled before.
    pub tables: Vec<Table>,
    /// Whether a run of the program makes the launch at most once.
    pub is_once: bool,
}

impl Site {
    /// The same launch, where it does not matter what it finds in memory.
    pub fn without_contents(&self) -> Site {
        let mut site = self.clone();
        for base in &mut site.relation.bases {
            base.found = Found::Unknown;
            base.given.clear();
        }
        site
    }
}

/// A variable of the device that the host filled with constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its symbol.
    pub symbol: String,
    /// The file and the line that declare it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// All of its bytes.
    pub contents: Vec<u8>,
}

impl Terms {
    /// What a term is.
    pub fn data(&self, term: Term) -> TermData {
        self.data[term.0 as usize]
    }

    /// All terms in the order in which they were made.
    pub fn all(&self) -> &[TermData] {
        &self.data
    }

    /// The type of a term.
    pub fn ty(&self, term: Term) -> Type {
        match self.data(term) {
            TermData::Const { ty, .. } | TermData::Unknown { ty, .. } => ty,
            TermData::Binary { args, .. } | TermData::Select { args, .. } => self.ty(args[0]),
            TermData::Cast { to, .. } => to,
            TermData::Compare { .. } => Type::BOOL,
        }
    }

    /// The bits of a constant.
    pub fn bits(&self, term: Term) -> Option<u128> {
        match self.data(term) {
            TermData::Const { bits, .. } => Some(bits),
            TermData::Unknown { .. }
            | TermData::Binary { .. }
            | TermData::Cast { .. }
            | TermData::Compare { .. }
            | TermData::Select { .. } => None,
        }
    }

    /// A variable of the source that holds the term, if it is more than a leaf.
    pub fn name(&self, term: Term) -> Option<&str> {
        self.names.get(&term).map(String::as_str)
    }

    /// Remembers that a variable of the source holds the term.
    pub fn set_name(&mut self, term: Term, name: String) {
        let is_leaf = matches!(self.data(term), TermData::Const { .. } | TermData::Unknown { .. });
        if !is_leaf && !name.is_empty() {
            self.names.entry(term).or_insert(name);
        }
    }

    /// The one term of this form.
    fn keep(&mut self, data: TermData) -> Term {
        *self.known.entry(data).or_insert_with(|| {
            self.data.push(data);
            Term(self.data.len() as u32 - 1)
        })
    }

    /// A number.
    pub fn constant(&mut self, bits: u128, ty: Type) -> Term {
        let bits = bits & mask(ty.bits().unwrap_or(128));
        self.keep(TermData::Const { bits, ty })
    }

    /// An unknown.
    pub fn unknown(&mut self, unknown: Unknown, ty: Type) -> Term {
        self.keep(TermData::Unknown { unknown, ty })
    }

    /// Arithmetic, on constants done at once.
    pub fn binary(&mut self, op: BinaryOp, signed: bool, a: Term, b: Term) -> Term {
        let ty = self.ty(a);
        if let (Some(x), Some(y), Type::Int(width)) = (self.bits(a), self.bits(b), ty)
            && let Some(bits) = fold(op, x, y, u32::from(width))
        {
            return self.constant(bits, ty);
        }
        match (op, self.bits(a), self.bits(b)) {
            (BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor, Some(0), _) => b,
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor, _, Some(0)) => a,
            (BinaryOp::Mul, Some(1), _) => b,
            (BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::SDiv, _, Some(1)) => a,
            (BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, _, Some(0)) => a,
            (BinaryOp::LShr, None, Some(_)) => match self.upper_part(a, b) {
                Some(part) => part,
                None => self.keep(TermData::Binary { op, signed, args: [a, b] }),
            },
            _ => self.keep(TermData::Binary { op, signed, args: [a, b] }),
        }
    }

    /// A conversion, of constants done at once.
    pub fn cast(&mut self, op: CastOp, arg: Term, to: Type) -> Term {
        let from = self.ty(arg);
        if from == to {
            return arg;
        }
        match (op, self.bits(arg), from.bits()) {
            (CastOp::Trunc | CastOp::ZExt | CastOp::Bitcast, Some(bits), _) => {
                self.constant(bits, to)
            }
            (CastOp::SExt, Some(bits), Some(width)) => {
                self.constant(signed(bits, width) as u128, to)
            }
            (CastOp::Trunc, None, _) => match self.lower_part(arg, to) {
                Some(part) => part,
                None => self.keep(TermData::Cast { op, arg, to }),
            },
            _ => self.keep(TermData::Cast { op, arg, to }),
        }
    }

    /// A comparison, of constants done at once.
    pub fn compare(&mut self, cc: IntCc, a: Term, b: Term) -> Term {
        let width = self.ty(a).bits().unwrap_or(128);
        if let (Some(x), Some(y)) = (self.bits(a), self.bits(b)) {
            let holds = bits::compare(cc, x, y, width as u8);
            return self.constant(u128::from(holds), Type::BOOL);
        }
        self.keep(TermData::Compare { cc, args: [a, b] })
    }

    /// `cond ? a : b`.
    pub fn select(&mut self, cond: Term, a: Term, b: Term) -> Term {
        match self.bits(cond) {
            _ if a == b => a,
            Some(0) => b,
            Some(_) => a,
            None => self.keep(TermData::Select { cond, args: [a, b] }),
        }
    }

    /// The opposite of a condition.
    pub fn not(&mut self, cond: Term) -> Term {
        if let TermData::Compare { cc, args: [a, b] } = self.data(cond) {
            let opposite = bits::negate(cc);
            return self.compare(opposite, a, b);
        }
        let one = self.constant(1, Type::BOOL);
        self.binary(BinaryOp::Xor, false, cond, one)
    }

    /// Either condition.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        match (self.bits(a), self.bits(b)) {
            (Some(1), _) | (_, Some(1)) => self.constant(1, Type::BOOL),
            _ => self.binary(BinaryOp::Or, false, a, b),
        }
    }

    /// The unknowns of a term.
    pub fn unknowns_of(&self, term: Term) -> BTreeSet<Unknown> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.data(term) {
                TermData::Const { .. } => {}
                TermData::Unknown { unknown, .. } => {
                    found.insert(unknown);
                }
                TermData::Binary { args, .. } | TermData::Compare { args, .. } => open.extend(args),
                TermData::Cast { arg, .. } => open.push(arg),
                TermData::Select { cond, args } => {
                    open.push(cond);
                    open.extend(args);
                }
            }
        }
        found
    }

    /// The value of a term under values of the unknowns; `None` where it has none (a
    /// division by zero, a floating-point operation).
    pub fn evaluate(&self, term: Term, values: &dyn Fn(Unknown) -> Option<u128>) -> Option<u128> {
        let width = |term: Term| self.ty(term).bits();
        match self.data(term) {
            TermData::Const { bits, .. } => Some(bits),
            TermData::Unknown { unknown, .. } => values(unknown),
            TermData::Binary { op, args: [a, b], .. } => {
                let (x, y) = (self.evaluate(a, values)?, self.evaluate(b, values)?);
                fold(op, x, y, width(a)?).map(|bits| bits & mask(width(a).unwrap_or(128)))
            }
            TermData::Cast { op, arg, to } => {
                let bits = self.evaluate(arg, values)?;
                match op {
                    CastOp::Trunc | CastOp::ZExt | CastOp::Bitcast => Some(bits & mask(to.bits()?)),
                    CastOp::SExt => Some(signed(bits, width(arg)?) as u128 & mask(to.bits()?)),
                    CastOp::FToU
                    | CastOp::FToS
                    | CastOp::FToUSat
                    | CastOp::FToSSat
                    | CastOp::UToF
                    | CastOp::SToF
                    | CastOp::FTrunc
                    | CastOp::FExt => None,
                }
            }
            TermData::Compare { cc, args: [a, b] } => {
                let (x, y) = (self.evaluate(a, values)?, self.evaluate(b, values)?);
                Some(u128::from(bits::compare(cc, x, y, width(a)? as u8)))
            }
            TermData::Select { cond, args: [a, b] } => match self.evaluate(cond, values)? {
                0 => self.evaluate(b, values),
                _ => self.evaluate(a, values),
            },
        }
    }
}

/// All ones of a width.
fn mask(width: u32) -> u128 {
    bits::mask(width.clamp(1, 128) as u8)
}

/// The signed reading of bits.
fn signed(of: u128, width: u32) -> i128 {
    bits::signed(of, width.clamp(1, 128) as u8)
}

/// The result of an operation on numbers; `None` where it has none.
fn fold(op: BinaryOp, x: u128, y: u128, width: u32) -> Option<u128> {
    use BinaryOp::*;
    let (sx, sy) = (signed(x, width), signed(y, width));
    let too_far = y >= u128::from(width);
    Some(match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        UDiv => x.checked_div(y)?,
        URem => x.checked_rem(y)?,
        SDiv if y == 0 => return None,
        SDiv => sx.wrapping_div(sy) as u128,
        SRem if y == 0 => return None,
        SRem => sx.wrapping_rem(sy) as u128,
        Shl | LShr if too_far => 0,
        Shl => x << y,
        LShr => x >> y,
        AShr => (sx >> y.min(u128::from(width) - 1)) as u128,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        FAdd | FSub | FMul | FDiv | FRem => return None,
    })
}
