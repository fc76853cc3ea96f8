//! Equality and order.

use super::linear::Linear;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{Sort, TermId, mask, to_signed};

impl TermPool {
    /// Equality, of any sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.tt();
        }
        match self.sort(a) {
            Sort::Bool => self.bool_eq(a, b),
            Sort::BitVec(_) => self.bv_eq(a, b),
            Sort::Int => self.int_eq(a, b),
            Sort::Named(_) | Sort::Array { .. } => self.plain_eq(a, b),
        }
    }

    pub(crate) fn plain_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw(Op::Eq, &[a.min(b), a.max(b)])
    }

    fn bool_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (Some(false), _) => not_b,
            (_, Some(true)) => a,
            (_, Some(false)) => self.not(a),
            _ if a == not_b => self.ff(),
            _ => self.plain_eq(a, b),
        }
    }

    fn bv_eq(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(simple) = self.structural_eq(a, b) {
            return simple;
        }
        let diff = self.difference(a, b);
        self.eq_zero(&diff)
    }

    /// Rules that look at the shape of both sides.
    fn structural_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (a, b) = if self.as_bv(a).is_some() { (b, a) } else { (a, b) };
        let args = self.args(a).to_vec();
        let constant = self.as_bv(b);
        match (self.op(a), self.op(b), constant) {
            (Op::BvConst { .. }, _, Some(_)) => Some(self.ff()),
            (Op::ZeroExtend(m), Op::ZeroExtend(n), _)
            | (Op::SignExtend(m), Op::SignExtend(n), _)
                if m == n =>
            {
                let inner = self.args(b)[0];
                Some(self.eq(args[0], inner))
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_), _, Some(_)) => {
                Some(self.eq_extended(a, args[0], b))
            }
            (Op::Concat, _, Some(_)) => Some(self.eq_concat(args[0], args[1], b)),
            (Op::Concat, Op::Concat, _) if self.width(args[1]) == self.width(self.args(b)[1]) => {
                Some(self.eq_concat(args[0], args[1], b))
            }
            (Op::Ite, _, Some(_)) => self.eq_ite(&args, b),
            _ => None,
        }
    }

    /// `extend(x) = c`: the constant must be the extension of its low bits.
    fn eq_extended(&mut self, extended: TermId, inner: TermId, c: TermId) -> TermId {
        let low = self.extract(self.width(inner) - 1, 0, c);
        let back = self.mk(self.op(extended), &[low]);
        if back == c { self.eq(inner, low) } else { self.ff() }
    }

    fn eq_concat(&mut self, high: TermId, low: TermId, other: TermId) -> TermId {
        let (split, width) = (self.width(low), self.width(other));
        let other_high = self.extract(width - 1, split, other);
        let other_low = self.extract(split - 1, 0, other);
        let (h, l) = (self.eq(high, other_high), self.eq(low, other_low));
        self.and(&[h, l])
    }

    /// `ite(c, k1, k2) = k` for constants is `c`, `¬c` or a truth value.
    fn eq_ite(&mut self, ite: &[TermId], k: TermId) -> Option<TermId> {
        self.as_bv(ite[1])?;
        self.as_bv(ite[2])?;
        let (then, other) = (self.bool(ite[1] == k), self.bool(ite[2] == k));
        Some(self.ite(ite[0], then, other))
    }

    /// `Σ c·t + k = 0` modulo 2^w. If 2^v divides every coefficient it must
    /// divide `k`; a lone odd coefficient has an inverse.
    fn eq_zero(&mut self, diff: &Linear) -> TermId {
        let twos = diff.terms.values().map(|c| c.trailing_zeros()).min();
        let Some(v) = twos else { return self.bool(diff.constant == 0) };
        if diff.constant != 0 && diff.constant.trailing_zeros() < v {
            return self.ff();
        }
        if v == 0 && diff.terms.len() == 1 {
            let (&t, &c) = diff.terms.iter().next().expect("one term");
            let value = inverse(c).wrapping_mul(0u128.wrapping_sub(diff.constant));
            let value = self.bv(diff.width, value);
            return self.eq_normal(t, value);
        }
        let (left, right) = self.balanced(diff);
        self.eq_normal(left, right)
    }

    /// Equality of two normalised sides, after one more look at their shape.
    fn eq_normal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.tt();
        }
        match self.structural_eq(a, b) {
            Some(simple) => simple,
            None => self.plain_eq(a, b),
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
        (self.linear_term(&left), self.linear_term(&right))
    }

    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match (self.as_bv(a), self.as_bv(b)) {
            _ if a == b => return self.ff(),
            (Some(x), Some(y)) => return self.bool(x < y),
            (_, Some(0)) => return self.ff(),
            (_, Some(1)) => {
                let zero = self.bv(width, 0);
                return self.eq(a, zero);
            }
            (Some(0), _) => return self.ne(a, b),
            (Some(x), _) if x == mask(width) => return self.ff(),
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
        if !matches!(self.op(a), Op::BvAdd | Op::BvMul) {
            return None;
        }
        let zero = self.bv(self.width(a), 0);
        let sum = self.difference(a, zero);
        let v = sum.terms.values().map(|c| c.trailing_zeros()).min()?;
        if v == 0 || y > 1 << v {
            return None;
        }
        let rest = sum.constant & mask(v);
        let rest_term = self.bv(sum.width, rest);
        Some(if rest < y { self.eq(a, rest_term) } else { self.ff() })
    }

    /// Unsigned `a ≤ b`.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match (self.as_bv(a), self.as_bv(b)) {
            _ if a == b => return self.tt(),
            (Some(x), Some(y)) => return self.bool(x <= y),
            (Some(0), _) => return self.tt(),
            (_, Some(0)) => return self.eq(a, b),
            (_, Some(y)) if y == mask(width) => return self.tt(),
            (Some(x), _) if x == mask(width) => return self.eq(a, b),
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
        let inner = [a, b].into_iter().filter(|&t| matches!(self.op(t), Op::ZeroExtend(_)));
        let widest = inner.map(|t| self.width(self.args(t)[0])).max();
        let Some(width) = widest else { return self.raw(op, &[a, b]) };
        match (self.shrink_to(a, width), self.shrink_to(b, width)) {
            (Shrunk::To(a), Shrunk::To(b)) => self.mk(op, &[a, b]),
            (Shrunk::To(_), Shrunk::Above) => self.tt(),
            (Shrunk::Above, Shrunk::To(_)) => self.ff(),
            _ => self.raw(op, &[a, b]),
        }
    }

    fn shrink_to(&mut self, t: TermId, width: u32) -> Shrunk {
        match self.op(t) {
            Op::BvConst { bits, .. } if bits <= mask(width) => Shrunk::To(self.bv(width, bits)),
            Op::BvConst { .. } => Shrunk::Above,
            Op::ZeroExtend(_) => Shrunk::To(self.extract(width - 1, 0, t)),
            _ => Shrunk::No,
        }
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (min, max) = (1u128 << (width - 1), mask(width) >> 1);
        match (self.as_bv(a), self.as_bv(b)) {
            _ if a == b => self.ff(),
            (Some(x), Some(y)) => self.bool(to_signed(x, width) < to_signed(y, width)),
            (_, Some(y)) if y == min => self.ff(),
            (Some(x), _) if x == max => self.ff(),
            _ => self.signed_by_extension(Op::Slt, a, b),
        }
    }

    /// Signed `a ≤ b`.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (min, max) = (1u128 << (width - 1), mask(width) >> 1);
        match (self.as_bv(a), self.as_bv(b)) {
            _ if a == b => self.tt(),
            (Some(x), Some(y)) => self.bool(to_signed(x, width) <= to_signed(y, width)),
            (_, Some(y)) if y == max => self.tt(),
            (Some(x), _) if x == min => self.tt(),
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
        if let (Op::SignExtend(m), Op::SignExtend(n)) = (self.op(a), self.op(b))
            && m == n
        {
            let (x, y) = (self.args(a)[0], self.args(b)[0]);
            return self.mk(op, &[x, y]);
        }
        let unsigned = if op == Op::Slt { Op::Ult } else { Op::Ule };
        match (self.is_non_negative(a), self.is_non_negative(b)) {
            (true, true) => self.mk(unsigned, &[a, b]),
            (true, false) if self.is_negative_constant(b) => self.ff(),
            (false, true) if self.is_negative_constant(a) => self.tt(),
            _ => self.raw(op, &[a, b]),
        }
    }

    fn is_negative_constant(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::BvConst { width, bits } if to_signed(bits, width) < 0)
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
