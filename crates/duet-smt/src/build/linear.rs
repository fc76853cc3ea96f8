//! Bit-vector sums and products in linear normal form.
//!
//! Arithmetic modulo 2^w is a commutative ring, so collecting equal monomials,
//! cancelling them and distributing a constant over a sum are all exact.

use super::BitVectors;
use crate::op::Op;
use crate::pool::{TermPool, TermTable};
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

    /// Adds `scale · t`, looking through sums and constant
    /// factors of `t`. `~x` is `−x − 1`.
    pub fn add(&mut self, terms: &TermTable, t: TermId, scale: u128) {
        let data = terms.data(t);
        match data.op {
            Op::BvConst { bits, .. } => self.add_constant(bits.wrapping_mul(scale)),
            Op::BvAdd if data.args.len() <= MAX_SUM => {
                data.args.iter().for_each(|&a| self.add(terms, a, scale));
            }
            Op::BvNot => {
                let negated = 0u128.wrapping_sub(scale);
                self.add_constant(negated);
                self.add(terms, data.args[0], negated);
            }
            Op::BvMul => match (terms.as_bv(data.args[0]), &data.args[1..]) {
                (Some(c), &[rest]) => self.add(terms, rest, scale.wrapping_mul(c)),
                _ => self.add_term(t, scale),
            },
            _ => self.add_term(t, scale),
        }
    }

    /// The linear form of `a − b`.
    pub fn difference(pool: &mut TermPool, a: TermId, b: TermId) -> Linear {
        let mut sum = Linear::new(pool.width(a));
        sum.add(pool, a, 1);
        sum.add(pool, b, u128::MAX);
        sum.split_monomials(pool)
    }

    /// Rewrites monomials `c·x·y` to coefficient `c` of `x·y`.
    fn split_monomials(self, pool: &mut TermPool) -> Linear {
        let Linear { width, terms, constant } = self;
        let mut out = Linear { width, terms: BTreeMap::new(), constant };
        for (t, c) in terms {
            match constant_factor(pool, t) {
                Some((k, rest)) => out.add_term(rest, c.wrapping_mul(k)),
                None => out.add_term(t, c),
            }
        }
        out
    }

    /// The canonical term.
    pub fn term(&self, pool: &mut TermPool) -> TermId {
        let minus_one = mask(self.width);
        if self.constant == minus_one
            && let Some((&t, _)) = self.terms.iter().next().filter(|(_, c)| **c == minus_one)
            && self.terms.len() == 1
        {
            return pool.raw(Op::BvNot, &[t]);
        }
        let mut args: Vec<TermId> =
            self.terms.iter().map(|(&t, &c)| scaled(pool, t, c, self.width)).collect();
        if self.constant != 0 || args.is_empty() {
            args.push(pool.bv(self.width, self.constant));
        }
        if args.len() == 1 { args[0] } else { pool.raw(Op::BvAdd, &args) }
    }
}

fn constant_factor(pool: &mut TermPool, t: TermId) -> Option<(u128, TermId)> {
    let data = pool.data(t);
    if data.op != Op::BvMul || data.args.len() < 3 {
        return None;
    }
    let k = pool.as_bv(data.args[0])?;
    let rest: Vec<TermId> = data.args[1..].to_vec();
    Some((k, pool.raw(Op::BvMul, &rest)))
}

/// `c · monomial`, where the monomial has no constant factor.
fn scaled(pool: &mut TermPool, t: TermId, c: u128, width: u32) -> TermId {
    if c == 1 {
        return t;
    }
    let mut args = vec![pool.bv(width, c)];
    if pool.op(t) == Op::BvMul {
        args.extend_from_slice(pool.args(t))
    } else {
        args.push(t)
    }
    pool.raw(Op::BvMul, &args)
}

/// Sums and products.
impl BitVectors<'_> {
    /// Sum of one or more terms.
    pub fn sum(&mut self, args: &[TermId]) -> TermId {
        let mut sum = Linear::new(self.pool.width(args[0]));
        for &a in args {
            sum.add(self.pool, a, 1);
        }
        sum.split_monomials(self.pool).term(self.pool)
    }

    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(&[a, b])
    }

    /// `a − b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        Linear::difference(self.pool, a, b).term(self.pool)
    }

    /// `−a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.pool.bv(self.pool.width(a), 0);
        self.sub(zero, a)
    }

    /// `~a`.
    pub fn not(&mut self, a: TermId) -> TermId {
        let mut sum = Linear::new(self.pool.width(a));
        sum.add_constant(u128::MAX);
        sum.add(self.pool, a, u128::MAX);
        sum.split_monomials(self.pool).term(self.pool)
    }

    /// `a · b`.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.product(&[a, b])
    }

    /// Product of one or more terms. Constants are collected; a constant times
    /// a sum is distributed; a sum times a sum is not.
    pub fn product(&mut self, args: &[TermId]) -> TermId {
        let width = self.pool.width(args[0]);
        let (mut constant, mut factors) = (1u128, Vec::new());
        for &a in args {
            self.collect_factor(a, &mut constant, &mut factors);
        }
        factors.sort_unstable();
        let product = match factors[..] {
            [] => return self.pool.bv(width, constant),
            [single] => single,
            _ => self.pool.raw(Op::BvMul, &factors),
        };
        let mut sum = Linear::new(width);
        sum.add(self.pool, product, constant);
        sum.split_monomials(self.pool).term(self.pool)
    }

    fn collect_factor(&self, t: TermId, constant: &mut u128, factors: &mut Vec<TermId>) {
        let data = self.pool.data(t);
        match data.op {
            Op::BvConst { bits, .. } => *constant = constant.wrapping_mul(bits),
            Op::BvMul => data.args.iter().for_each(|&a| self.collect_factor(a, constant, factors)),
            _ => factors.push(t),
        }
    }
}
