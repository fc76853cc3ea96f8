//! Simplifying constructors: one per operation, plus the derived operations.
//!
//! Each rewrite is exact: the simplified term has the same value as the plain
//! application under every assignment (`tests/simplifier.rs` compares the two
//! by the evaluator). Rewrites are local; a constructor looks at most at its
//! arguments' arguments. Canonical forms that later passes rely on:
//!
//! * sums are `Σ c·m + c₀` modulo 2^w, sorted by term, no monomial twice;
//!   subtraction, negation and shifts to the left by a constant are sums;
//! * masks `x & (2^k−1)`, `x % 2^k`, `x / 2^k` and right shifts by constants are
//!   extensions of an extract;
//! * a negated comparison is the opposite comparison.

mod arrays;
mod bits;
mod bools;
mod compare;
mod division;
mod ints;
mod linear;
mod resize;

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{TermId, mask};

pub use compare::Comparisons;
pub use ints::Ints;

/// Makes terms of bit-vectors.
pub struct BitVectors<'p> {
    pool: &'p mut TermPool,
}

impl TermPool {
    /// Applies `op` with the simplifying constructor.
    pub fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        match op {
            Op::True | Op::False | Op::BvConst { .. } | Op::IntConst(_) | Op::Apply(_) => {
                self.raw(op, args)
            }
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Or => self.or(args),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::BvNot => self.bits().not(args[0]),
            Op::BvAdd => self.bits().sum(args),
            Op::BvMul => self.bits().product(args),
            Op::BvUdiv => self.bits().udiv(args[0], args[1]),
            Op::BvUrem => self.bits().urem(args[0], args[1]),
            Op::BvSdiv => self.bits().sdiv(args[0], args[1]),
            Op::BvSrem => self.bits().srem(args[0], args[1]),
            Op::BvSmod => self.bits().smod(args[0], args[1]),
            Op::BvAnd => self.bits().and_all(args),
            Op::BvOr => self.bits().or_all(args),
            Op::BvXor => self.bits().xor_all(args),
            Op::BvShl => self.bits().shl(args[0], args[1]),
            Op::BvLshr => self.bits().lshr(args[0], args[1]),
            Op::BvAshr => self.bits().ashr(args[0], args[1]),
            Op::Concat => self.bits().concat(args[0], args[1]),
            Op::Extract { hi, lo } => self.bits().extract(hi, lo, args[0]),
            Op::ZeroExtend(by) => self.bits().zero_extend(by, args[0]),
            Op::SignExtend(by) => self.bits().sign_extend(by, args[0]),
            Op::Ult => self.compare().ult(args[0], args[1]),
            Op::Ule => self.compare().ule(args[0], args[1]),
            Op::Slt => self.compare().slt(args[0], args[1]),
            Op::Sle => self.compare().sle(args[0], args[1]),
            Op::IntAdd => self.ints().sum(args),
            Op::IntMul => self.ints().product(args),
            Op::IntDiv => self.ints().div(args[0], args[1]),
            Op::IntMod => self.ints().modulo(args[0], args[1]),
            Op::IntLe => self.ints().le(args[0], args[1]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
        }
    }

    /// Makes terms of bit-vectors.
    pub fn bits(&mut self) -> BitVectors<'_> {
        BitVectors { pool: self }
    }

    /// Makes comparisons of bit-vectors.
    pub fn compare(&mut self) -> Comparisons<'_> {
        Comparisons { pool: self }
    }

    /// Makes terms of integers.
    pub fn ints(&mut self) -> Ints<'_> {
        Ints { pool: self }
    }

    /// Truth.
    pub fn tt(&mut self) -> TermId {
        self.raw(Op::True, &[])
    }

    /// Falsehood.
    pub fn ff(&mut self) -> TermId {
        self.raw(Op::False, &[])
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        if value { self.tt() } else { self.ff() }
    }

    /// A bit-vector constant, truncated to its width.
    pub fn bv(&mut self, width: u32, bits: u128) -> TermId {
        self.raw(Op::BvConst { width, bits: bits & mask(width) }, &[])
    }

    /// An integer constant.
    pub fn int(&mut self, value: i128) -> TermId {
        self.raw(Op::IntConst(value), &[])
    }
}
