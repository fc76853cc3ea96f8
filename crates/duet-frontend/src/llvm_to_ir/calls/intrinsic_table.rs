//! Which of LLVM's own intrinsics have a meaning here, by their whole names.
//!
//! The name is LLVM's, without the types of an overload: `llvm.vector.reduce.fmax`
//! for `llvm.vector.reduce.fmax.v4f32`. What is not in the table is rejected, with
//! its place. SOUNDNESS: a family of names that share a beginning is no entry; two
//! functions would become one, or a store be dropped (the test
//! `every_intrinsic_of_llvm_is_in_the_table_or_rejected`).

use duet_ir::{BinaryOp, CastOp, IntCc, UnaryOp};

/// What an intrinsic does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Nothing that a proof or a run depends on: debug information, hints, and facts
    /// that need not be used.
    Nothing,
    /// Says which variable a value belongs to.
    NameVariable,
    /// `llvm.assume`.
    Assume,
    /// Ends the kernel.
    Trap,
    /// `llvm.memcpy`, `llvm.memmove`.
    CopyMemory,
    /// `llvm.memset`.
    SetMemory,
    /// Its first argument.
    FirstArgument,
    /// Whether the optimiser knows its argument, which is unknown.
    IsConstant,
    /// The result of an operation and whether it overflowed.
    WithOverflow(BinaryOp, Sign),
    /// A function of each lane by itself.
    Lanes(LaneOp),
    /// The lanes of a vector, combined.
    Reduce(Combine),
}

impl Meaning {
    /// How many arguments it takes at least. Bitcode may hold anything.
    pub fn arguments(self) -> usize {
        match self {
            Nothing | Trap => 0,
            Assume | FirstArgument | IsConstant | Lanes(_) | Reduce(_) => 1,
            NameVariable | WithOverflow(..) => 2,
            CopyMemory | SetMemory => 4,
        }
    }
}

/// A function of the arguments of one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneOp {
    /// An operation of the IR. A second argument says what is undefined.
    Unary(UnaryOp),
    /// `llvm.abs`.
    Abs,
    /// The first of two arguments if it compares so with the second, else the second.
    Pick(IntCc),
    /// The upper or the lower half of two words that are shifted as one.
    Funnel {
        /// To the left.
        left: bool,
    },
    /// An operation whose result stays at the limit of the type.
    Saturating(BinaryOp, Sign),
    /// A conversion.
    Cast(CastOp),
    /// The argument itself.
    Same,
    /// An unknown function of so many floats, under the name of the C function; the
    /// version for `float` has an `f` at its end.
    Float(&'static str, usize),
    /// The same of a float and an integer of 32 bits.
    FloatAndInt(&'static str),
}

/// Whether numbers are signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Sign {
    Signed,
    Unsigned,
}

/// How two lanes become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// By an operation of the IR whose order does not matter.
    Binary(BinaryOp),
    /// The one that compares so with the other.
    Pick(IntCc),
}

/// The meaning of an intrinsic, by LLVM's name without types.
pub fn meaning(name: &str) -> Option<Meaning> {
    TABLE.iter().find(|(known, _)| *known == name).map(|&(_, meaning)| meaning)
}

/// The names in the table.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|&(name, _)| name)
}

use Meaning::*;
use Sign::*;

/// The intrinsics that are translated.
pub const TABLE: &[(&str, Meaning)] = &[
    ("llvm.dbg.declare", Nothing),
    ("llvm.dbg.assign", Nothing),
    ("llvm.dbg.label", Nothing),
    ("llvm.dbg.value", NameVariable),
    // Marks of the optimiser about variables, which are private here.
    ("llvm.lifetime.start", Nothing),
    ("llvm.lifetime.end", Nothing),
    // Promises that no proof makes use of.
    ("llvm.invariant.end", Nothing),
    ("llvm.experimental.noalias.scope.decl", Nothing),
    ("llvm.prefetch", Nothing),
    ("llvm.donothing", Nothing),
    ("llvm.sideeffect", Nothing),
    ("llvm.assume", Assume),
    ("llvm.trap", Trap),
    ("llvm.debugtrap", Trap),
    ("llvm.ubsantrap", Trap),
    ("llvm.memcpy", CopyMemory),
    ("llvm.memcpy.inline", CopyMemory),
    ("llvm.memmove", CopyMemory),
    ("llvm.memset", SetMemory),
    ("llvm.memset.inline", SetMemory),
    ("llvm.expect", FirstArgument),
    ("llvm.expect.with.probability", FirstArgument),
    ("llvm.is.constant", IsConstant),
    ("llvm.sadd.with.overflow", WithOverflow(BinaryOp::Add, Signed)),
    ("llvm.ssub.with.overflow", WithOverflow(BinaryOp::Sub, Signed)),
    ("llvm.smul.with.overflow", WithOverflow(BinaryOp::Mul, Signed)),
    ("llvm.uadd.with.overflow", WithOverflow(BinaryOp::Add, Unsigned)),
    ("llvm.usub.with.overflow", WithOverflow(BinaryOp::Sub, Unsigned)),
    ("llvm.umul.with.overflow", WithOverflow(BinaryOp::Mul, Unsigned)),
    ("llvm.sadd.sat", Lanes(LaneOp::Saturating(BinaryOp::Add, Signed))),
    ("llvm.ssub.sat", Lanes(LaneOp::Saturating(BinaryOp::Sub, Signed))),
    ("llvm.uadd.sat", Lanes(LaneOp::Saturating(BinaryOp::Add, Unsigned))),
    ("llvm.usub.sat", Lanes(LaneOp::Saturating(BinaryOp::Sub, Unsigned))),
    ("llvm.ctlz", Lanes(LaneOp::Unary(UnaryOp::CountLeadingZeros))),
    ("llvm.cttz", Lanes(LaneOp::Unary(UnaryOp::CountTrailingZeros))),
    ("llvm.ctpop", Lanes(LaneOp::Unary(UnaryOp::PopCount))),
    ("llvm.bitreverse", Lanes(LaneOp::Unary(UnaryOp::ReverseBits))),
    ("llvm.bswap", Lanes(LaneOp::Unary(UnaryOp::SwapBytes))),
    ("llvm.abs", Lanes(LaneOp::Abs)),
    ("llvm.smin", Lanes(LaneOp::Pick(IntCc::Slt))),
    ("llvm.smax", Lanes(LaneOp::Pick(IntCc::Sgt))),
    ("llvm.umin", Lanes(LaneOp::Pick(IntCc::Ult))),
    ("llvm.umax", Lanes(LaneOp::Pick(IntCc::Ugt))),
    ("llvm.fshl", Lanes(LaneOp::Funnel { left: true })),
    ("llvm.fshr", Lanes(LaneOp::Funnel { left: false })),
    ("llvm.fptosi.sat", Lanes(LaneOp::Cast(CastOp::FToSSat))),
    ("llvm.fptoui.sat", Lanes(LaneOp::Cast(CastOp::FToUSat))),
    ("llvm.arithmetic.fence", Lanes(LaneOp::Same)),
    ("llvm.vector.reduce.add", Reduce(Combine::Binary(BinaryOp::Add))),
    ("llvm.vector.reduce.mul", Reduce(Combine::Binary(BinaryOp::Mul))),
    ("llvm.vector.reduce.and", Reduce(Combine::Binary(BinaryOp::And))),
    ("llvm.vector.reduce.or", Reduce(Combine::Binary(BinaryOp::Or))),
    ("llvm.vector.reduce.xor", Reduce(Combine::Binary(BinaryOp::Xor))),
    ("llvm.vector.reduce.smin", Reduce(Combine::Pick(IntCc::Slt))),
    ("llvm.vector.reduce.smax", Reduce(Combine::Pick(IntCc::Sgt))),
    ("llvm.vector.reduce.umin", Reduce(Combine::Pick(IntCc::Ult))),
    ("llvm.vector.reduce.umax", Reduce(Combine::Pick(IntCc::Ugt))),
    // It is open whether the product is rounded.
    ("llvm.fmuladd", Lanes(LaneOp::Float("fmuladd", 3))),
    ("llvm.fma", Lanes(LaneOp::Float("fma", 3))),
    ("llvm.sqrt", Lanes(LaneOp::Float("sqrt", 1))),
    ("llvm.sin", Lanes(LaneOp::Float("sin", 1))),
    ("llvm.cos", Lanes(LaneOp::Float("cos", 1))),
    ("llvm.tan", Lanes(LaneOp::Float("tan", 1))),
    ("llvm.asin", Lanes(LaneOp::Float("asin", 1))),
    ("llvm.acos", Lanes(LaneOp::Float("acos", 1))),
    ("llvm.atan", Lanes(LaneOp::Float("atan", 1))),
    ("llvm.sinh", Lanes(LaneOp::Float("sinh", 1))),
    ("llvm.cosh", Lanes(LaneOp::Float("cosh", 1))),
    ("llvm.tanh", Lanes(LaneOp::Float("tanh", 1))),
    ("llvm.exp", Lanes(LaneOp::Float("exp", 1))),
    ("llvm.exp2", Lanes(LaneOp::Float("exp2", 1))),
    ("llvm.exp10", Lanes(LaneOp::Float("exp10", 1))),
    ("llvm.log", Lanes(LaneOp::Float("log", 1))),
    ("llvm.log2", Lanes(LaneOp::Float("log2", 1))),
    ("llvm.log10", Lanes(LaneOp::Float("log10", 1))),
    ("llvm.floor", Lanes(LaneOp::Float("floor", 1))),
    ("llvm.ceil", Lanes(LaneOp::Float("ceil", 1))),
    ("llvm.trunc", Lanes(LaneOp::Float("trunc", 1))),
    ("llvm.rint", Lanes(LaneOp::Float("rint", 1))),
    ("llvm.nearbyint", Lanes(LaneOp::Float("nearbyint", 1))),
    ("llvm.round", Lanes(LaneOp::Float("round", 1))),
    ("llvm.roundeven", Lanes(LaneOp::Float("roundeven", 1))),
    ("llvm.fabs", Lanes(LaneOp::Float("fabs", 1))),
    ("llvm.canonicalize", Lanes(LaneOp::Float("canonicalize", 1))),
    ("llvm.pow", Lanes(LaneOp::Float("pow", 2))),
    ("llvm.copysign", Lanes(LaneOp::Float("copysign", 2))),
    ("llvm.minnum", Lanes(LaneOp::Float("fmin", 2))),
    ("llvm.maxnum", Lanes(LaneOp::Float("fmax", 2))),
    // Unlike the two above these yield NaN if one argument is.
    ("llvm.minimum", Lanes(LaneOp::Float("minimum", 2))),
    ("llvm.maximum", Lanes(LaneOp::Float("maximum", 2))),
    ("llvm.powi", Lanes(LaneOp::FloatAndInt("powi"))),
    ("llvm.ldexp", Lanes(LaneOp::FloatAndInt("ldexp"))),
];
