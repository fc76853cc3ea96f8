//! Sums whose order does not matter: of integers always, of floats where the user allows it.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use duet_smt::{Op, TermId, TermPool, mask};

use super::guards::{Guard, Guards};
use crate::pair::request::FloatModel;

/// The summands of a value, each with how often it counts under which conditions. The
/// conditions of one summand exclude each other, and the counts under them are different.
pub type Summands = BTreeMap<TermId, Vec<(Guard, u128)>>;

/// Takes sums apart: `c ? P + x : P` is P, and x under the condition c.
///
/// SOUNDNESS: a summand counts as often as it occurs, under the conditions under which it
/// occurs (test `conditional_summands_keep_their_condition`). Sums of floats and of integers
/// are never mixed (test `bits_of_a_float_sum`).
pub struct Adder<'a> {
    /// Are the values floats?
    is_float: bool,
    pub(super) pool: &'a mut TermPool,
    pub(super) guards: &'a mut Guards,
    pub(super) float: FloatModel,
    known: HashMap<TermId, Rc<Summands>>,
    /// Summands that may still be made.
    left: usize,
}

impl<'a> Adder<'a> {
    pub fn new(
        pool: &'a mut TermPool,
        guards: &'a mut Guards,
        float: FloatModel,
        is_float: bool,
    ) -> Adder<'a> {
        Adder { is_float, pool, guards, float, known: HashMap::new(), left: 4_000_000 }
    }

    /// The summands of a value; nothing if there are too many.
    pub fn summands(&mut self, term: TermId) -> Option<Rc<Summands>> {
        if let Some(known) = self.known.get(&term) {
            return Some(known.clone());
        }
        let args = self.pool.args(term).to_vec();
        let width = self.pool.sort(term).width();
        let mut sum = Summands::new();
        let modulus = match (self.pool.op(term), width) {
            (Op::BvAdd, Some(width)) if !self.is_float => Some(mask(width)),
            (Op::Apply(func), _) if self.is_float && self.float != FloatModel::Exact => {
                let is_sum = self.pool.func_data(func).name.starts_with("fadd.op(");
                is_sum.then_some(u128::MAX)
            }
            _ => None,
        };
        match (self.pool.op(term), modulus) {
            (_, Some(modulus)) => {
                for arg in args {
                    let part = self.summands(arg)?;
                    self.add(&mut sum, &part, Guard::TRUE, modulus)?;
                }
            }
            (Op::Ite, None) if width.is_some() => {
                let condition = self.guards.of(self.pool, args[0]);
                let other = self.guards.not(condition);
                let modulus = width.filter(|_| !self.is_float).map_or(u128::MAX, mask);
                for (arg, guard) in [(args[1], condition), (args[2], other)] {
                    let part = self.summands(arg)?;
                    self.add(&mut sum, &part, guard, modulus)?;
                }
            }
            (Op::BvConst { bits: 0, .. }, None) => {}
            _ if self.is_float && self.float != FloatModel::Exact && is_zero(self.pool, term) => {}
            _ => {
                let own = normal(self.pool, term, self.float);
                let (count, base) = if self.is_float { (1, own) } else { counted(self.pool, own) };
                sum.insert(base, vec![(Guard::TRUE, count)]);
            }
        }
        let sum = Rc::new(sum);
        self.known.insert(term, sum.clone());
        Some(sum)
    }

    /// Adds what counts under a condition.
    fn add(
        &mut self,
        sum: &mut Summands,
        part: &Summands,
        when: Guard,
        modulus: u128,
    ) -> Option<()> {
        for (&term, counts) in part {
            self.left = self.left.checked_sub(1 + counts.len())?;
            let old = sum.remove(&term).unwrap_or_default();
            let mut new = old;
            for &(guard, count) in counts {
                let guard = self.guards.and(guard, when);
                new = self.add_one(&new, guard, count, modulus);
            }
            if !new.is_empty() {
                sum.insert(term, new);
            }
        }
        Some(())
    }

    fn add_one(
        &mut self,
        old: &[(Guard, u128)],
        guard: Guard,
        count: u128,
        modulus: u128,
    ) -> Vec<(Guard, u128)> {
        let mut all: BTreeMap<u128, Guard> = BTreeMap::new();
        let mut left = guard;
        let mut pieces = vec![];
        for &(own, number) in old {
            let both = self.guards.and(own, guard);
            let outside = self.guards.not(guard);
            pieces.push((self.guards.and(own, outside), number));
            pieces.push((both, number.wrapping_add(count) & modulus));
            let rest = self.guards.not(own);
            left = self.guards.and(left, rest);
        }
        pieces.push((left, count & modulus));
        for (guard, number) in pieces {
            if guard != Guard::FALSE && number != 0 {
                let known = all.entry(number).or_insert(Guard::FALSE);
                *known = self.guards.or(*known, guard);
            }
        }
        all.into_iter().map(|(number, guard)| (guard, number)).collect()
    }
}

/// A term in which regrouped and reordered sums are one term. Integer arithmetic is exact
/// modulo 2^w in any order; floats are left as they are unless the model says otherwise.
pub fn normal(pool: &mut TermPool, term: TermId, float: FloatModel) -> TermId {
    normal_all(pool, &[term], float)[0]
}

/// Several terms in this form; what they share is looked at once.
pub fn normal_all(pool: &mut TermPool, terms: &[TermId], float: FloatModel) -> Vec<TermId> {
    pool.rebuild(terms, |pool, old, args| match pool.op(old) {
        Op::BvAdd => Some(integer_sum(pool, args)),
        Op::Ite => {
            let one = least(pool, args)?;
            let parts = pool.args(one).to_vec();
            match pool.op(one) {
                Op::Apply(func) => least_of_all(pool, func, &parts).or(Some(one)),
                _ => Some(one),
            }
        }
        Op::Apply(func) => least_of_all(pool, func, args).or_else(|| match float {
            FloatModel::Exact => None,
            FloatModel::Reassociating | FloatModel::Real => float_sum(pool, func, args),
        }),
        _ => None,
    })
}

/// `a < b ? a : b` of integers: the least or the greatest of two, in any order.
///
/// SOUNDNESS: of integers only, whose order is total; comparisons of floats are other terms
/// (test `a_float_minimum_is_not_commutative`).
pub fn least(pool: &mut TermPool, args: &[TermId]) -> Option<TermId> {
    let [cond, then, other] = *args else { return None };
    let sort = pool.sort(then);
    sort.width()?;
    let (is_signed, pair) = match (pool.op(cond), pool.args(cond)) {
        (Op::Slt | Op::Sle, [a, b]) => (true, [*a, *b]),
        (Op::Ult | Op::Ule, [a, b]) => (false, [*a, *b]),
        _ => return None,
    };
    let is_least = match (pair == [then, other], pair == [other, then]) {
        (true, _) => true,
        (_, true) => false,
        (false, false) => return None,
    };
    let what = if is_least { "least" } else { "greatest" };
    let sign = if is_signed { "signed" } else { "unsigned" };
    let func = pool.func(&format!("{what}.{sign}.{}", pool.width(then)), &[sort, sort], sort);
    match then == other {
        true => Some(then),
        false => Some(pool.apply(func, &[then.min(other), then.max(other)])),
    }
}

/// The least or the greatest of as many as there are, each once and in one order.
///
/// Only values that differ are taken apart so: a sorting network would be a long list of lists.
fn least_of_all(pool: &mut TermPool, func: duet_smt::FuncId, args: &[TermId]) -> Option<TermId> {
    let name = &pool.func_data(func).name;
    if !name.starts_with("least.") && !name.starts_with("greatest.") {
        return None;
    }
    let mut parts = vec![];
    for &arg in args {
        collect(pool, func, arg, &mut parts);
    }
    parts.sort_unstable();
    parts.dedup();
    let mut rest = parts.into_iter();
    let first = rest.next()?;
    Some(rest.fold(first, |all, part| pool.apply(func, &[all, part])))
}

/// The simplifier gives long sums up; here each term is counted, however many there are.
fn integer_sum(pool: &mut TermPool, args: &[TermId]) -> TermId {
    let width = pool.width(args[0]);
    let (mut counts, mut constant) = (BTreeMap::new(), 0u128);
    let mut left: Vec<TermId> = args.to_vec();
    while let Some(term) = left.pop() {
        match pool.op(term) {
            Op::BvAdd => left.extend(pool.args(term)),
            Op::BvConst { bits, .. } => constant = constant.wrapping_add(bits) & mask(width),
            _ => {
                let (count, base) = counted(pool, term);
                let sum: &mut u128 = counts.entry(base).or_default();
                *sum = sum.wrapping_add(count) & mask(width);
            }
        }
    }
    let mut parts: Vec<TermId> = vec![];
    for (base, count) in counts.into_iter().filter(|(_, count)| *count != 0) {
        let factor = pool.bv(width, count);
        parts.push(if count == 1 { base } else { pool.raw(Op::BvMul, &[factor, base]) });
    }
    if constant != 0 || parts.is_empty() {
        parts.push(pool.bv(width, constant));
    }
    if parts.len() == 1 { parts[0] } else { pool.raw(Op::BvAdd, &parts) }
}

/// A number and what it is multiplied with.
fn counted(pool: &TermPool, term: TermId) -> (u128, TermId) {
    let number = |term: TermId| match pool.op(term) {
        Op::BvConst { bits, .. } => Some(bits),
        _ => None,
    };
    match (pool.op(term), pool.args(term)) {
        (Op::BvMul, [a, b]) => match (number(*a), number(*b)) {
            (Some(count), None) => (count, *b),
            (None, Some(count)) => (count, *a),
            _ => (1, term),
        },
        _ => (1, term),
    }
}

fn float_sum(pool: &mut TermPool, func: duet_smt::FuncId, args: &[TermId]) -> Option<TermId> {
    let name = pool.func_data(func).name.clone();
    let is_sum = name.starts_with("fadd.op(");
    if !is_sum && !name.starts_with("fmul.op(") {
        return None;
    }
    let mut parts = vec![];
    for &arg in args {
        collect(pool, func, arg, &mut parts);
    }
    if !is_sum && parts.iter().all(|&part| is_zero(pool, part)) {
        // A product of zeros is one, whatever its sign.
        return Some(args[0]);
    }
    if is_sum {
        // Both zeros are neutral: signs of zero are ignored.
        parts.retain(|&part| !is_zero(pool, part));
    }
    parts.sort_unstable();
    let zero = args[0];
    let mut rest = parts.into_iter();
    let first = rest.next().unwrap_or(zero);
    Some(rest.fold(first, |sum, part| pool.apply(func, &[sum, part])))
}

/// The parts of a sum that is in normal form already: nested to the left.
fn collect(pool: &TermPool, func: duet_smt::FuncId, mut term: TermId, parts: &mut Vec<TermId>) {
    while pool.op(term) == Op::Apply(func) {
        parts.push(pool.args(term)[1]);
        term = pool.args(term)[0];
    }
    parts.push(term);
}

fn is_zero(pool: &TermPool, term: TermId) -> bool {
    match pool.op(term) {
        Op::BvConst { width, bits } => bits & (u128::MAX >> (129 - width.clamp(1, 128))) == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::normal;
    use crate::pair::request::FloatModel;
    use duet_ir::{BinaryOp, Type};
    use duet_smt::{TermId, TermPool};
    use duet_vc::ops;

    #[test]
    fn long_integer_sums_count_their_terms() {
        let mut pool = TermPool::new();
        let names: Vec<TermId> = (0..200).map(|k| pool.bv_var(&format!("x{k}"), 32)).collect();
        let up = names.iter().copied().reduce(|a, b| pool.bits().add(a, b)).expect("terms");
        let down = names.iter().rev().copied().reduce(|a, b| pool.bits().add(a, b));
        let down = down.expect("terms");
        let more = pool.bits().add(down, names[7]);
        let mut of = |term: TermId| normal(&mut pool, term, FloatModel::Exact);
        assert_eq!(of(up), of(down));
        assert_ne!(of(up), of(more));
    }

    #[test]
    fn order_matters_only_in_exact_arithmetic() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_var(name, 32));
        let add = |pool: &mut TermPool, a: TermId, b: TermId| {
            ops::binary(pool, BinaryOp::FAdd, a, b, Type::F32)
        };
        let xy = add(&mut pool, x, y);
        let left = add(&mut pool, xy, z);
        let zy = add(&mut pool, z, y);
        let right = add(&mut pool, x, zy);
        let twice = add(&mut pool, right, x);
        let mut of = |term: TermId, float| normal(&mut pool, term, float);
        assert_ne!(of(left, FloatModel::Exact), of(right, FloatModel::Exact));
        let model = FloatModel::Reassociating;
        assert_eq!(of(left, model), of(right, model));
        // Each summand counts as often as it occurs.
        assert_ne!(of(twice, model), of(right, model));
    }
}
