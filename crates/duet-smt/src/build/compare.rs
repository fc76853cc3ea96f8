//! Equality and order of bit-vectors.

use super::linear::Linear;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{TermId, mask, to_signed};

/// Makes comparisons of bit-vectors.
pub struct Comparisons<'p> {
    pub(super) pool: &'p mut TermPool,
}

impl Comparisons<'_> {
    pub(super) fn eq_bits(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(simple) = self.structural_eq(a, b) {
            return simple;
        }
        let diff = Linear::difference(self.pool, a, b);
        self.eq_zero(&diff)
    }

    /// Rules that look at the shape of both sides.
    fn structural_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (a, b) = if self.pool.as_bv(a).is_some() { (b, a) } else { (a, b) };
        let args = self.pool.args(a).to_vec();
        let constant = self.pool.as_bv(b);
        match (self.pool.op(a), self.pool.op(b), constant) {
            (Op::BvConst { .. }, _, Some(_)) => Some(self.pool.ff()),
            (Op::ZeroExtend(m), Op::ZeroExtend(n), _)
            | (Op::SignExtend(m), Op::SignExtend(n), _)
                if m == n =>
            {
                let inner = self.pool.args(b)[0];
                Some(self.pool.eq(args[0], inner))
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_), _, Some(_)) => {
                Some(self.eq_extended(a, args[0], b))
            }
            (Op::Concat, _, Some(_)) => Some(self.eq_concat(args[0], args[1], b)),
            (Op::Concat, Op::Concat, _)
                if self.pool.width(args[1]) == self.pool.width(self.pool.args(b)[1]) =>
            {
                Some(self.eq_concat(args[0], args[1], b))
            }
            (Op::Ite, _, Some(_)) => self.eq_ite(&args, b),
            _ => None,
        }
    }

    /// `extend(x) = c`: the constant must be the extension of its low bits.
    fn eq_extended(&mut self, extended: TermId, inner: TermId, c: TermId) -> TermId {
        let width = self.pool.width(inner);
        let low = self.pool.bits().extract(width - 1, 0, c);
        let back = self.pool.mk(self.pool.op(extended), &[low]);
        if back == c { self.pool.eq(inner, low) } else { self.pool.ff() }
    }

    fn eq_concat(&mut self, high: TermId, low: TermId, other: TermId) -> TermId {
        let (split, width) = (self.pool.width(low), self.pool.width(other));
        let other_high = self.pool.bits().extract(width - 1, split, other);
        let other_low = self.pool.bits().extract(split - 1, 0, other);
        let (h, l) = (self.pool.eq(high, other_high), self.pool.eq(low, other_low));
        self.pool.and(&[h, l])
    }

    /// `ite(c, k1, k2) = k` for constants is `c`, `¬c` or a truth value.
    fn eq_ite(&mut self, ite: &[TermId], k: TermId) -> Option<TermId> {
        self.pool.as_bv(ite[1])?;
        self.pool.as_bv(ite[2])?;
        let (then, other) = (self.pool.bool(ite[1] == k), self.pool.bool(ite[2] == k));
        Some(self.pool.ite(ite[0], then, other))
    }

    /// `Σ c·t + k = 0` modulo 2^w. If 2^v divides every coefficient it must
    /// divide `k`; a lone odd coefficient has an inverse.
    fn eq_zero(&mut self, diff: &Linear) -> TermId {
        let twos = diff.terms.values().map(|c| c.trailing_zeros()).min();
        let Some(v) = twos else { return self.pool.bool(diff.constant == 0) };
        if diff.constant != 0 && diff.constant.trailing_zeros() < v {
            return self.pool.ff();
        }
        if v == 0 && diff.terms.len() == 1 {
            let (&t, &c) = diff.terms.iter().next().expect("one term");
            let value = inverse(c).wrapping_mul(0u128.wrapping_sub(diff.constant));
            let value = self.pool.bv(diff.width, value);
            return self.eq_normal(t, value);
        }
        let (left, right) = self.balanced(diff);
        self.eq_normal(left, right)
    }

    /// Equality of two normalised sides, after one more look at their shape.
    fn eq_normal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.pool.tt();
        }
        match self.structural_eq(a, b) {
            Some(simple) => simple,
            None => self.pool.plain_eq(a, b),
        }
    }

    /// Splits a sum into two sides: coefficients above 2^(w−1) change sides.
    /// The side chosen first has the smallest term, so that `a = b` and `b = a`
    /// are one term.
    fn balanced(&mut self, diff: &Linear) -> (TermId, TermId) {
        let half = 1u128 << (diff.width - 1);
        let first = *diff.terms.values().next().expect("a term");
        let flip = first > half;
        let (mut left, mut right) = (Linear::new(diff.width), Linear::new(diff.width));
        for (&t, &c) in &diff.terms {
            let c = if flip { 0u128.wrapping_sub(c) & mask(diff.width) } else { c };
            if c <= half { left.add_term(t, c) } else { right.add_term(t, 0u128.wrapping_sub(c)) }
        }
        let constant = if flip { 0u128.wrapping_sub(diff.constant) } else { diff.constant };
        right.add_constant(0u128.wrapping_sub(constant));
        (left.term(self.pool), right.term(self.pool))
    }

    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            _ if a == b => return self.pool.ff(),
            (Some(x), Some(y)) => return self.pool.bool(x < y),
            (_, Some(0)) => return self.pool.ff(),
            (_, Some(1)) => {
                let zero = self.pool.bv(width, 0);
                return self.pool.eq(a, zero);
            }
            (Some(0), _) => return self.pool.ne(a, b),
            (Some(x), _) if x == mask(width) => return self.pool.ff(),
            (None, Some(y)) => {
                if let Some(simple) = self.ult_of_multiples(a, y) {
                    return simple;
                }
            }
            _ => {}
        }
        self.unsigned_by_extension(Op::Ult, a, b)
    }

    /// `Σ c·t + k < y` where 2^v divides every coefficient and `y ≤ 2^v`: modulo 2^v the
    /// sum is the rest of `k`, so that it can be nothing else below 2^v. Whether two
    /// elements of one size overlap is such a question.
    fn ult_of_multiples(&mut self, a: TermId, y: u128) -> Option<TermId> {
        if !matches!(self.pool.op(a), Op::BvAdd | Op::BvMul) {
            return None;
        }
        let zero = self.pool.bv(self.pool.width(a), 0);
        let sum = Linear::difference(self.pool, a, zero);
        let v = sum.terms.values().map(|c| c.trailing_zeros()).min()?;
        if v == 0 || y > 1 << v {
            return None;
        }
        let rest = sum.constant & mask(v);
        let rest_term = self.pool.bv(sum.width, rest);
        Some(if rest < y { self.pool.eq(a, rest_term) } else { self.pool.ff() })
    }

    /// Unsigned `a ≤ b`.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            _ if a == b => return self.pool.tt(),
            (Some(x), Some(y)) => return self.pool.bool(x <= y),
            (Some(0), _) => return self.pool.tt(),
            (_, Some(0)) => return self.pool.eq(a, b),
            (_, Some(y)) if y == mask(width) => return self.pool.tt(),
            (Some(x), _) if x == mask(width) => return self.pool.eq(a, b),
            _ => {}
        }
        self.unsigned_by_extension(Op::Ule, a, b)
    }

    /// Unsigned `a > b`.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned `a ≥ b`.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Comparison of zero extensions at the inner width.
    fn unsigned_by_extension(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let inner = [a, b].into_iter().filter(|&t| matches!(self.pool.op(t), Op::ZeroExtend(_)));
        let widest = inner.map(|t| self.pool.width(self.pool.args(t)[0])).max();
        let Some(width) = widest else { return self.pool.raw(op, &[a, b]) };
        match (self.shrink_to(a, width), self.shrink_to(b, width)) {
            (Shrunk::To(a), Shrunk::To(b)) => self.pool.mk(op, &[a, b]),
            (Shrunk::To(_), Shrunk::Above) => self.pool.tt(),
            (Shrunk::Above, Shrunk::To(_)) => self.pool.ff(),
            _ => self.pool.raw(op, &[a, b]),
        }
    }

    fn shrink_to(&mut self, t: TermId, width: u32) -> Shrunk {
        match self.pool.op(t) {
            Op::BvConst { bits, .. } if bits <= mask(width) => {
                Shrunk::To(self.pool.bv(width, bits))
            }
            Op::BvConst { .. } => Shrunk::Above,
            Op::ZeroExtend(_) => Shrunk::To(self.pool.bits().extract(width - 1, 0, t)),
            _ => Shrunk::No,
        }
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        let (min, max) = (1u128 << (width - 1), mask(width) >> 1);
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            _ if a == b => self.pool.ff(),
            (Some(x), Some(y)) => self.pool.bool(to_signed(x, width) < to_signed(y, width)),
            (_, Some(y)) if y == min => self.pool.ff(),
            (Some(x), _) if x == max => self.pool.ff(),
            _ => self.signed_by_extension(Op::Slt, a, b),
        }
    }

    /// Signed `a ≤ b`.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        let (min, max) = (1u128 << (width - 1), mask(width) >> 1);
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            _ if a == b => self.pool.tt(),
            (Some(x), Some(y)) => self.pool.bool(to_signed(x, width) <= to_signed(y, width)),
            (_, Some(y)) if y == max => self.pool.tt(),
            (Some(x), _) if x == min => self.pool.tt(),
            _ => self.signed_by_extension(Op::Sle, a, b),
        }
    }

    /// Signed `a > b`.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed `a ≥ b`.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    fn signed_by_extension(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        if let (Op::SignExtend(m), Op::SignExtend(n)) = (self.pool.op(a), self.pool.op(b))
            && m == n
        {
            let (x, y) = (self.pool.args(a)[0], self.pool.args(b)[0]);
            return self.pool.mk(op, &[x, y]);
        }
        let unsigned = if op == Op::Slt { Op::Ult } else { Op::Ule };
        match (self.pool.is_non_negative(a), self.pool.is_non_negative(b)) {
            (true, true) => self.pool.mk(unsigned, &[a, b]),
            (true, false) if self.pool.is_negative_constant(b) => self.pool.ff(),
            (false, true) if self.pool.is_negative_constant(a) => self.pool.tt(),
            _ => self.pool.raw(op, &[a, b]),
        }
    }
}

enum Shrunk {
    To(TermId),
    Above,
    No,
}

/// The inverse of an odd number modulo 2^128 (and so modulo every 2^w), by
/// Newton's iteration: each round doubles the number of right bits.
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}
