//! Bit-vector sums and products in linear normal form.
//!
//! Arithmetic modulo 2^w is a commutative ring, so collecting equal monomials,
//! cancelling them and distributing a constant over a sum are all exact.

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{TermId, mask};
use std::collections::BTreeMap;

/// A sum of more parts is no part of a larger sum but a term of it: a value to which
/// something is added again and again, as in a hash of many rounds, would else be written
/// out anew each time. No index has so many parts.
pub(crate) const MAX_SUM: usize = 48;

/// `Σ coefficient·term + constant`, modulo 2^width; no coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    pub width: u32,
    pub terms: BTreeMap<TermId, u128>,
    pub constant: u128,
}

impl Linear {
    pub fn new(width: u32) -> Self {
        Linear { width, terms: BTreeMap::new(), constant: 0 }
    }

    pub fn add_constant(&mut self, c: u128) {
        self.constant = self.constant.wrapping_add(c) & mask(self.width);
    }

    pub fn add_term(&mut self, t: TermId, c: u128) {
        let sum = self.terms.get(&t).copied().unwrap_or(0).wrapping_add(c) & mask(self.width);
        if sum == 0 {
            self.terms.remove(&t);
        } else {
            self.terms.insert(t, sum);
        }
    }
}

impl TermPool {
    /// Adds `scale · t` to a linear form, looking through sums and constant
    /// factors of `t`. `~x` is `−x − 1`.
    pub(crate) fn add_linear(&self, sum: &mut Linear, t: TermId, scale: u128) {
        let data = self.data(t);
        match data.op {
            Op::BvConst { bits, .. } => sum.add_constant(bits.wrapping_mul(scale)),
            Op::BvAdd if data.args.len() <= MAX_SUM => {
                data.args.iter().for_each(|&a| self.add_linear(sum, a, scale));
            }
            Op::BvNot => {
                let negated = 0u128.wrapping_sub(scale);
                sum.add_constant(negated);
                self.add_linear(sum, data.args[0], negated);
            }
            Op::BvMul => match (self.as_bv(data.args[0]), &data.args[1..]) {
                (Some(c), &[rest]) => self.add_linear(sum, rest, scale.wrapping_mul(c)),
                _ => sum.add_term(t, scale),
            },
            _ => sum.add_term(t, scale),
        }
    }

    /// Rewrites monomials `c·x·y` of a sum to coefficient `c` of `x·y`.
    fn split_monomials(&mut self, sum: Linear) -> Linear {
        let mut out = Linear { terms: BTreeMap::new(), ..sum.clone() };
        for (&t, &c) in &sum.terms {
            match self.constant_factor(t) {
                Some((k, rest)) => out.add_term(rest, c.wrapping_mul(k)),
                None => out.add_term(t, c),
            }
        }
        out
    }

    fn constant_factor(&mut self, t: TermId) -> Option<(u128, TermId)> {
        let data = self.data(t);
        if data.op != Op::BvMul || data.args.len() < 3 {
            return None;
        }
        let k = self.as_bv(data.args[0])?;
        let rest: Vec<TermId> = data.args[1..].to_vec();
        Some((k, self.raw(Op::BvMul, &rest)))
    }

    /// The canonical term of a linear form.
    pub(crate) fn linear_term(&mut self, sum: &Linear) -> TermId {
        let minus_one = mask(sum.width);
        if sum.constant == minus_one
            && let Some((&t, _)) = sum.terms.iter().next().filter(|(_, c)| **c == minus_one)
            && sum.terms.len() == 1
        {
            return self.raw(Op::BvNot, &[t]);
        }
        let mut args: Vec<TermId> =
            sum.terms.iter().map(|(&t, &c)| self.scaled(t, c, sum.width)).collect();
        if sum.constant != 0 || args.is_empty() {
            args.push(self.bv(sum.width, sum.constant));
        }
        if args.len() == 1 { args[0] } else { self.raw(Op::BvAdd, &args) }
    }

    /// `c · monomial`, where the monomial has no constant factor.
    fn scaled(&mut self, t: TermId, c: u128, width: u32) -> TermId {
        if c == 1 {
            return t;
        }
        let mut args = vec![self.bv(width, c)];
        if self.op(t) == Op::BvMul {
            args.extend_from_slice(self.args(t))
        } else {
            args.push(t)
        }
        self.raw(Op::BvMul, &args)
    }

    /// Sum of one or more terms.
    pub fn bv_sum(&mut self, args: &[TermId]) -> TermId {
        let mut sum = Linear::new(self.width(args[0]));
        for &a in args {
            self.add_linear(&mut sum, a, 1);
        }
        let sum = self.split_monomials(sum);
        self.linear_term(&sum)
    }

    /// `a + b`.
    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_sum(&[a, b])
    }

    /// `a − b`.
    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let diff = self.difference(a, b);
        self.linear_term(&diff)
    }

    /// `−a`.
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        let zero = self.bv(self.width(a), 0);
        self.bv_sub(zero, a)
    }

    /// `~a`.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        let mut sum = Linear::new(self.width(a));
        sum.add_constant(u128::MAX);
        self.add_linear(&mut sum, a, u128::MAX);
        let sum = self.split_monomials(sum);
        self.linear_term(&sum)
    }

    /// The linear form of `a − b`.
    pub(crate) fn difference(&mut self, a: TermId, b: TermId) -> Linear {
        let mut sum = Linear::new(self.width(a));
        self.add_linear(&mut sum, a, 1);
        self.add_linear(&mut sum, b, u128::MAX);
        self.split_monomials(sum)
    }

    /// `a · b`.
    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_product(&[a, b])
    }

    /// Product of one or more terms. Constants are collected; a constant times
    /// a sum is distributed; a sum times a sum is not.
    pub fn bv_product(&mut self, args: &[TermId]) -> TermId {
        let width = self.width(args[0]);
        let (mut constant, mut factors) = (1u128, Vec::new());
        for &a in args {
            self.collect_factor(a, &mut constant, &mut factors);
        }
        factors.sort_unstable();
        let product = match factors[..] {
            [] => return self.bv(width, constant),
            [single] => single,
            _ => self.raw(Op::BvMul, &factors),
        };
        let mut sum = Linear::new(width);
        self.add_linear(&mut sum, product, constant);
        let sum = self.split_monomials(sum);
        self.linear_term(&sum)
    }

    fn collect_factor(&self, t: TermId, constant: &mut u128, factors: &mut Vec<TermId>) {
        let data = self.data(t);
        match data.op {
            Op::BvConst { bits, .. } => *constant = constant.wrapping_mul(bits),
            Op::BvMul => data.args.iter().for_each(|&a| self.collect_factor(a, constant, factors)),
            _ => factors.push(t),
        }
    }
}
