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
            Op::BvNot => self.bv_not(args[0]),
            Op::BvAdd => self.bv_sum(args),
            Op::BvMul => self.bv_product(args),
            Op::BvUdiv => self.bv_udiv(args[0], args[1]),
            Op::BvUrem => self.bv_urem(args[0], args[1]),
            Op::BvSdiv => self.bv_sdiv(args[0], args[1]),
            Op::BvSrem => self.bv_srem(args[0], args[1]),
            Op::BvSmod => self.bv_smod(args[0], args[1]),
            Op::BvAnd => self.bv_and_all(args),
            Op::BvOr => self.bv_or_all(args),
            Op::BvXor => self.bv_xor_all(args),
            Op::BvShl => self.bv_shl(args[0], args[1]),
            Op::BvLshr => self.bv_lshr(args[0], args[1]),
            Op::BvAshr => self.bv_ashr(args[0], args[1]),
            Op::Concat => self.concat(args[0], args[1]),
            Op::Extract { hi, lo } => self.extract(hi, lo, args[0]),
            Op::ZeroExtend(by) => self.zero_extend(by, args[0]),
            Op::SignExtend(by) => self.sign_extend(by, args[0]),
            Op::Ult => self.ult(args[0], args[1]),
            Op::Ule => self.ule(args[0], args[1]),
            Op::Slt => self.slt(args[0], args[1]),
            Op::Sle => self.sle(args[0], args[1]),
            Op::IntAdd => self.int_sum(args),
            Op::IntMul => self.int_product(args),
            Op::IntDiv => self.int_div(args[0], args[1]),
            Op::IntMod => self.int_mod(args[0], args[1]),
            Op::IntLe => self.int_le(args[0], args[1]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
        }
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

    /// The bits of a bit-vector constant.
    pub fn as_bv(&self, t: TermId) -> Option<u128> {
        match self.op(t) {
            Op::BvConst { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int(&self, t: TermId) -> Option<i128> {
        match self.op(t) {
            Op::IntConst(n) => Some(n),
            _ => None,
        }
    }

    /// The value of a truth constant.
    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match self.op(t) {
            Op::True => Some(true),
            Op::False => Some(false),
            _ => None,
        }
    }

    /// Whether the term is a constant of an interpreted sort.
    pub fn is_literal_constant(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::True | Op::False | Op::BvConst { .. } | Op::IntConst(_))
    }
}
