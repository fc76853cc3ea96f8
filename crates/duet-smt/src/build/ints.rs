//! Integer operations in linear normal form.
//!
//! Coefficients are `i128`; where one would overflow, the term is left as it
//! was given, which is always exact.

use super::linear::MAX_SUM;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::TermId;
use std::collections::BTreeMap;

/// `Σ coefficient·term + constant`; no coefficient is zero.
#[derive(Clone, Debug, Default)]
struct IntLinear {
    terms: BTreeMap<TermId, i128>,
    constant: i128,
}

impl IntLinear {
    fn add_term(&mut self, t: TermId, c: i128) -> Option<()> {
        let sum = self.terms.get(&t).copied().unwrap_or(0).checked_add(c).filter(negatable)?;
        if sum == 0 {
            self.terms.remove(&t);
        } else {
            self.terms.insert(t, sum);
        }
        Some(())
    }

    /// The greatest common divisor of the coefficients; 0 if there is none.
    fn content(&self) -> i128 {
        self.terms.values().fold(0, |g, &c| gcd(g, c))
    }

    /// Adds `scale · t`, looking through sums and constant factors of `t`.
    fn add(&mut self, pool: &mut TermPool, t: TermId, scale: i128) -> Option<()> {
        let data = pool.data(t);
        match data.op {
            Op::IntConst(n) => {
                let scaled = n.checked_mul(scale)?;
                self.constant = self.constant.checked_add(scaled).filter(negatable)?;
                Some(())
            }
            Op::IntAdd if data.args.len() <= MAX_SUM => {
                let args = data.args.to_vec();
                args.into_iter().try_for_each(|a| self.add(pool, a, scale))
            }
            Op::IntMul => match pool.as_int(data.args[0]) {
                Some(c) => {
                    let rest = data.args[1..].to_vec();
                    let rest = if rest.len() == 1 { rest[0] } else { pool.raw(Op::IntMul, &rest) };
                    self.add(pool, rest, scale.checked_mul(c)?)
                }
                None => self.add_term(t, scale),
            },
            _ => self.add_term(t, scale),
        }
    }

    /// The canonical term.
    fn term(&self, pool: &mut TermPool) -> TermId {
        let mut args: Vec<TermId> = self.terms.iter().map(|(&t, &c)| scaled(pool, t, c)).collect();
        if self.constant != 0 || args.is_empty() {
            args.push(pool.int(self.constant));
        }
        if args.len() == 1 { args[0] } else { pool.raw(Op::IntAdd, &args) }
    }
}

/// The one number whose negation overflows counts as an overflow itself.
fn negatable(n: &i128) -> bool {
    *n != i128::MIN
}

/// The non-negative greatest common divisor.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

/// Makes terms of integers.
pub struct Ints<'p> {
    pub(super) pool: &'p mut TermPool,
}

impl Ints<'_> {
    /// Sum of one or more integers.
    pub fn sum(&mut self, args: &[TermId]) -> TermId {
        let mut sum = IntLinear::default();
        let exact = args.iter().try_for_each(|&a| sum.add(self.pool, a, 1));
        match (exact, args) {
            (Some(()), _) => sum.term(self.pool),
            (None, [single]) => *single,
            (None, _) => self.pool.raw(Op::IntAdd, args),
        }
    }

    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(&[a, b])
    }

    /// `a − b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus_one = self.pool.int(-1);
        let negated = self.mul(minus_one, b);
        self.sum(&[a, negated])
    }

    /// `a · b`.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.product(&[a, b])
    }

    /// Product of two or more integers.
    pub fn product(&mut self, args: &[TermId]) -> TermId {
        match self.try_int_product(args) {
            Some(t) => t,
            None => self.pool.raw(Op::IntMul, args),
        }
    }

    fn try_int_product(&mut self, args: &[TermId]) -> Option<TermId> {
        let (mut constant, mut factors) = (1i128, Vec::new());
        for &a in args {
            self.collect_int_factor(a, &mut constant, &mut factors)?;
        }
        factors.sort_unstable();
        let product = match factors[..] {
            [] => return Some(self.pool.int(constant)),
            [single] => single,
            _ => self.pool.raw(Op::IntMul, &factors),
        };
        let mut sum = IntLinear::default();
        if constant != 0 {
            sum.add(self.pool, product, constant)?;
        }
        Some(sum.term(self.pool))
    }

    fn collect_int_factor(
        &self,
        t: TermId,
        constant: &mut i128,
        factors: &mut Vec<TermId>,
    ) -> Option<()> {
        let data = self.pool.data(t);
        match data.op {
            Op::IntConst(n) => *constant = constant.checked_mul(n)?,
            Op::IntMul => {
                return data
                    .args
                    .iter()
                    .try_for_each(|&a| self.collect_int_factor(a, constant, factors));
            }
            _ => factors.push(t),
        }
        Some(())
    }

    /// Quotient, rounded so that the remainder is not negative.
    pub fn div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.pool.as_int(a), self.pool.as_int(b)) {
            (_, Some(1)) => a,
            (Some(x), Some(y)) if y != 0 && x.checked_div_euclid(y).is_some() => {
                self.pool.int(x.div_euclid(y))
            }
            _ => self.pool.raw(Op::IntDiv, &[a, b]),
        }
    }

    /// Non-negative remainder.
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.pool.as_int(a), self.pool.as_int(b)) {
            (_, Some(1 | -1)) => self.pool.int(0),
            (Some(x), Some(y)) if y != 0 && x.checked_rem_euclid(y).is_some() => {
                self.pool.int(x.rem_euclid(y))
            }
            _ => self.pool.raw(Op::IntMod, &[a, b]),
        }
    }

    /// `a ≤ b`. Divided by the coefficients' common divisor, constant rounded
    /// down: the other terms only take multiples of it.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        let Some(mut diff) = self.difference(b, a) else {
            return self.pool.raw(Op::IntLe, &[a, b]);
        };
        let g = diff.content();
        if g == 0 {
            return self.pool.bool(diff.constant >= 0);
        }
        diff.terms.values_mut().for_each(|c| *c /= g);
        diff.constant = diff.constant.div_euclid(g);
        let Some((low, high)) = self.sides(&diff) else {
            return self.pool.raw(Op::IntLe, &[a, b]);
        };
        self.pool.raw(Op::IntLe, &[low, high])
    }

    /// `a < b`.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let one = self.pool.int(1);
        let next = self.add(a, one);
        self.le(next, b)
    }

    /// `a ≥ b`.
    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    pub(super) fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let Some(mut diff) = self.difference(a, b) else { return self.pool.plain_eq(a, b) };
        let g = diff.content();
        if g == 0 {
            return self.pool.bool(diff.constant == 0);
        }
        if diff.constant % g != 0 {
            return self.pool.ff();
        }
        diff.constant /= g;
        let negate = *diff.terms.values().next().expect("a term") < 0;
        diff.terms.values_mut().for_each(|c| *c /= if negate { -g } else { g });
        diff.constant = if negate { -diff.constant } else { diff.constant };
        match self.sides(&diff) {
            Some((left, right)) => self.pool.plain_eq(left, right),
            None => self.pool.plain_eq(a, b),
        }
    }

    fn difference(&mut self, a: TermId, b: TermId) -> Option<IntLinear> {
        let mut sum = IntLinear::default();
        sum.add(self.pool, a, 1)?;
        sum.add(self.pool, b, -1)?;
        Some(sum)
    }

    /// `(low, high)` with `high − low` the given sum and no negative factors.
    fn sides(&mut self, diff: &IntLinear) -> Option<(TermId, TermId)> {
        let (mut low, mut high) = (IntLinear::default(), IntLinear::default());
        for (&t, &c) in &diff.terms {
            if c > 0 { high.add_term(t, c)? } else { low.add_term(t, c.checked_neg()?)? }
        }
        low.constant = diff.constant.checked_neg()?;
        Some((low.term(self.pool), high.term(self.pool)))
    }
}

/// `c · t`.
fn scaled(pool: &mut TermPool, t: TermId, c: i128) -> TermId {
    if c == 1 {
        return t;
    }
    let mut args = vec![pool.int(c)];
    if pool.op(t) == Op::IntMul {
        args.extend_from_slice(pool.args(t))
    } else {
        args.push(t)
    }
    pool.raw(Op::IntMul, &args)
}
