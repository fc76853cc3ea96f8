//! Bitwise operations and shifts.

use super::BitVectors;
use super::linear::MAX_SUM;
use crate::op::Op;
use crate::sort::{TermId, mask};

impl BitVectors<'_> {
    /// `a & b`.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.and_all(&[a, b])
    }

    /// `a | b`.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.or_all(&[a, b])
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.xor_all(&[a, b])
    }

    /// Bitwise and of one or more terms.
    pub fn and_all(&mut self, args: &[TermId]) -> TermId {
        let width = self.pool.width(args[0]);
        let (constant, rest) = self.bit_args(Op::BvAnd, args, mask(width), |x, y| x & y);
        if constant == 0 || self.has_bit_complement(&rest) {
            return self.pool.bv(width, 0);
        }
        if rest.is_empty() {
            return self.pool.bv(width, constant);
        }
        if constant != mask(width) && (constant + 1).is_power_of_two() {
            return self.low_bits(constant.trailing_ones(), &rest);
        }
        self.bit_term(Op::BvAnd, (constant, mask(width)), width, rest)
    }

    /// `x & (2^k − 1)` is the low `k` bits of `x`, zero-extended.
    fn low_bits(&mut self, k: u32, rest: &[TermId]) -> TermId {
        let width = self.pool.width(rest[0]);
        let all = if rest.len() == 1 { rest[0] } else { self.pool.raw(Op::BvAnd, rest) };
        let low = self.extract(k - 1, 0, all);
        self.zero_extend(width - k, low)
    }

    /// Bitwise or of one or more terms.
    pub fn or_all(&mut self, args: &[TermId]) -> TermId {
        let width = self.pool.width(args[0]);
        let (constant, rest) = self.bit_args(Op::BvOr, args, 0, |x, y| x | y);
        if constant == mask(width) || self.has_bit_complement(&rest) {
            return self.pool.bv(width, mask(width));
        }
        self.bit_term(Op::BvOr, (constant, 0), width, rest)
    }

    /// Bitwise exclusive or of one or more terms.
    pub fn xor_all(&mut self, args: &[TermId]) -> TermId {
        let width = self.pool.width(args[0]);
        let mut flat = Vec::new();
        let mut constant = 0;
        self.flatten_bits(Op::BvXor, args, &mut flat);
        flat.retain(|&t| match self.pool.as_bv(t) {
            Some(bits) => {
                constant ^= bits;
                false
            }
            None => true,
        });
        flat.sort_unstable();
        let rest = drop_pairs(&flat);
        if constant == mask(width) && rest.len() == 1 {
            return self.not(rest[0]);
        }
        self.bit_term(Op::BvXor, (constant, 0), width, rest)
    }

    fn flatten_bits(&self, op: Op, args: &[TermId], flat: &mut Vec<TermId>) {
        for &a in args {
            match self.pool.op(a) == op && self.pool.args(a).len() <= MAX_SUM {
                true => flat.extend_from_slice(self.pool.args(a)),
                false => flat.push(a),
            }
        }
    }

    /// The combined constant and the other arguments, sorted, each once.
    fn bit_args(
        &self,
        op: Op,
        args: &[TermId],
        unit: u128,
        join: fn(u128, u128) -> u128,
    ) -> (u128, Vec<TermId>) {
        let mut flat = Vec::new();
        self.flatten_bits(op, args, &mut flat);
        let constant = flat.iter().filter_map(|&t| self.pool.as_bv(t)).fold(unit, join);
        flat.retain(|&t| self.pool.as_bv(t).is_none());
        flat.sort_unstable();
        flat.dedup();
        (constant, flat)
    }

    fn has_bit_complement(&self, sorted: &[TermId]) -> bool {
        let negated = sorted.iter().filter(|&&t| self.pool.op(t) == Op::BvNot);
        negated.into_iter().any(|&t| sorted.binary_search(&self.pool.args(t)[0]).is_ok())
    }

    fn bit_term(
        &mut self,
        op: Op,
        constants: (u128, u128),
        width: u32,
        mut rest: Vec<TermId>,
    ) -> TermId {
        let (constant, unit) = constants;
        if rest.is_empty() {
            return self.pool.bv(width, constant);
        }
        if constant != unit {
            rest.insert(0, self.pool.bv(width, constant));
        }
        if rest.len() == 1 { rest[0] } else { self.pool.raw(op, &rest) }
    }

    /// `a << b`. By a constant it is a product.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        match self.pool.as_bv(b) {
            Some(k) if k >= u128::from(width) => self.pool.bv(width, 0),
            Some(k) => {
                let power = self.pool.bv(width, 1 << k);
                self.mul(a, power)
            }
            None if self.pool.as_bv(a) == Some(0) => a,
            None => self.pool.raw(Op::BvShl, &[a, b]),
        }
    }

    /// Logical `a >> b`. By a constant it is an extract.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        match self.pool.as_bv(b) {
            Some(0) => a,
            Some(k) if k >= u128::from(width) => self.pool.bv(width, 0),
            Some(k) => {
                let high = self.extract(width - 1, k as u32, a);
                self.zero_extend(k as u32, high)
            }
            None if self.pool.as_bv(a) == Some(0) => a,
            None => self.pool.raw(Op::BvLshr, &[a, b]),
        }
    }

    /// Arithmetic `a >> b`. By a constant it is an extract.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        match self.pool.as_bv(b) {
            Some(0) => a,
            Some(k) => {
                let k = k.min(u128::from(width - 1)) as u32;
                let high = self.extract(width - 1, k, a);
                self.sign_extend(k, high)
            }
            None if self.pool.as_bv(a) == Some(0) => a,
            None => self.pool.raw(Op::BvAshr, &[a, b]),
        }
    }
}

/// A sorted list without the pairs in it: `x ^ x = 0`.
fn drop_pairs(sorted: &[TermId]) -> Vec<TermId> {
    let odd = sorted.chunk_by(|a, b| a == b).filter(|run| run.len() % 2 == 1);
    odd.map(|run| run[0]).collect()
}
