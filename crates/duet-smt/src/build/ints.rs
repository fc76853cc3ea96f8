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

impl TermPool {
    fn add_int_linear(&mut self, sum: &mut IntLinear, t: TermId, scale: i128) -> Option<()> {
        let data = self.data(t);
        match data.op {
            Op::IntConst(n) => {
                let scaled = n.checked_mul(scale)?;
                sum.constant = sum.constant.checked_add(scaled).filter(negatable)?;
                Some(())
            }
            Op::IntAdd if data.args.len() <= MAX_SUM => {
                let args = data.args.to_vec();
                args.into_iter().try_for_each(|a| self.add_int_linear(sum, a, scale))
            }
            Op::IntMul => match self.as_int(data.args[0]) {
                Some(c) => {
                    let rest = data.args[1..].to_vec();
                    let rest = if rest.len() == 1 { rest[0] } else { self.raw(Op::IntMul, &rest) };
                    self.add_int_linear(sum, rest, scale.checked_mul(c)?)
                }
                None => sum.add_term(t, scale),
            },
            _ => sum.add_term(t, scale),
        }
    }

    fn int_linear_term(&mut self, sum: &IntLinear) -> TermId {
        let mut args: Vec<TermId> =
            sum.terms.iter().map(|(&t, &c)| self.int_scaled(t, c)).collect();
        if sum.constant != 0 || args.is_empty() {
            args.push(self.int(sum.constant));
        }
        if args.len() == 1 { args[0] } else { self.raw(Op::IntAdd, &args) }
    }

    fn int_scaled(&mut self, t: TermId, c: i128) -> TermId {
        if c == 1 {
            return t;
        }
        let mut args = vec![self.int(c)];
        if self.op(t) == Op::IntMul {
            args.extend_from_slice(self.args(t))
        } else {
            args.push(t)
        }
        self.raw(Op::IntMul, &args)
    }

    /// Sum of one or more integers.
    pub fn int_sum(&mut self, args: &[TermId]) -> TermId {
        let mut sum = IntLinear::default();
        let exact = args.iter().try_for_each(|&a| self.add_int_linear(&mut sum, a, 1));
        match (exact, args) {
            (Some(()), _) => self.int_linear_term(&sum),
            (None, [single]) => *single,
            (None, _) => self.raw(Op::IntAdd, args),
        }
    }

    /// `a + b`.
    pub fn int_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_sum(&[a, b])
    }

    /// `a − b`.
    pub fn int_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus_one = self.int(-1);
        let negated = self.int_mul(minus_one, b);
        self.int_sum(&[a, negated])
    }

    /// `a · b`.
    pub fn int_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_product(&[a, b])
    }

    /// Product of two or more integers.
    pub fn int_product(&mut self, args: &[TermId]) -> TermId {
        match self.try_int_product(args) {
            Some(t) => t,
            None => self.raw(Op::IntMul, args),
        }
    }

    fn try_int_product(&mut self, args: &[TermId]) -> Option<TermId> {
        let (mut constant, mut factors) = (1i128, Vec::new());
        for &a in args {
            self.collect_int_factor(a, &mut constant, &mut factors)?;
        }
        factors.sort_unstable();
        let product = match factors[..] {
            [] => return Some(self.int(constant)),
            [single] => single,
            _ => self.raw(Op::IntMul, &factors),
        };
        let mut sum = IntLinear::default();
        if constant != 0 {
            self.add_int_linear(&mut sum, product, constant)?;
        }
        Some(self.int_linear_term(&sum))
    }

    fn collect_int_factor(
        &self,
        t: TermId,
        constant: &mut i128,
        factors: &mut Vec<TermId>,
    ) -> Option<()> {
        let data = self.data(t);
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
    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (_, Some(1)) => a,
            (Some(x), Some(y)) if y != 0 && x.checked_div_euclid(y).is_some() => {
                self.int(x.div_euclid(y))
            }
            _ => self.raw(Op::IntDiv, &[a, b]),
        }
    }

    /// Non-negative remainder.
    pub fn int_mod(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (_, Some(1 | -1)) => self.int(0),
            (Some(x), Some(y)) if y != 0 && x.checked_rem_euclid(y).is_some() => {
                self.int(x.rem_euclid(y))
            }
            _ => self.raw(Op::IntMod, &[a, b]),
        }
    }

    /// `a ≤ b`. Divided by the coefficients' common divisor, constant rounded
    /// down: the other terms only take multiples of it.
    pub fn int_le(&mut self, a: TermId, b: TermId) -> TermId {
        let Some(mut diff) = self.int_difference(b, a) else {
            return self.raw(Op::IntLe, &[a, b]);
        };
        let g = diff.content();
        if g == 0 {
            return self.bool(diff.constant >= 0);
        }
        diff.terms.values_mut().for_each(|c| *c /= g);
        diff.constant = diff.constant.div_euclid(g);
        let Some((low, high)) = self.int_sides(&diff) else {
            return self.raw(Op::IntLe, &[a, b]);
        };
        self.raw(Op::IntLe, &[low, high])
    }

    /// `a < b`.
    pub fn int_lt(&mut self, a: TermId, b: TermId) -> TermId {
        let one = self.int(1);
        let next = self.int_add(a, one);
        self.int_le(next, b)
    }

    /// `a ≥ b`.
    pub fn int_ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_le(b, a)
    }

    pub(super) fn int_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let Some(mut diff) = self.int_difference(a, b) else { return self.plain_eq(a, b) };
        let g = diff.content();
        if g == 0 {
            return self.bool(diff.constant == 0);
        }
        if diff.constant % g != 0 {
            return self.ff();
        }
        diff.constant /= g;
        let negate = *diff.terms.values().next().expect("a term") < 0;
        diff.terms.values_mut().for_each(|c| *c /= if negate { -g } else { g });
        diff.constant = if negate { -diff.constant } else { diff.constant };
        match self.int_sides(&diff) {
            Some((left, right)) => self.plain_eq(left, right),
            None => self.plain_eq(a, b),
        }
    }

    fn int_difference(&mut self, a: TermId, b: TermId) -> Option<IntLinear> {
        let mut sum = IntLinear::default();
        self.add_int_linear(&mut sum, a, 1)?;
        self.add_int_linear(&mut sum, b, -1)?;
        Some(sum)
    }

    /// `(low, high)` with `high − low` the given sum and no negative factors.
    fn int_sides(&mut self, diff: &IntLinear) -> Option<(TermId, TermId)> {
        let (mut low, mut high) = (IntLinear::default(), IntLinear::default());
        for (&t, &c) in &diff.terms {
            if c > 0 { high.add_term(t, c)? } else { low.add_term(t, c.checked_neg()?)? }
        }
        low.constant = diff.constant.checked_neg()?;
        Some((self.int_linear_term(&low), self.int_linear_term(&high)))
    }
}
