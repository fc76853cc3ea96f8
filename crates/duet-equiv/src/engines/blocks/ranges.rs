//! Sums over ranges: what a loop leaves of a value to which each iteration adds something.
//!
//! `for (i = lo; i < hi; i += d) s += f(i);` leaves `s + Σ f(i)` over i = lo, lo + d, … below
//! hi. Such a sum is one term, a function of lo, hi and d that is named after f. So the same
//! sums are the same terms, each summand of an iteration is a sum of its own, and the sums of
//! threads that share a range are put together when blocks are compared: those that begin at
//! lo, lo + e, lo + 2e, … up to lo + d go on by d each, so that together they are the one that
//! begins at lo and goes on by e.
//!
//! *Why it is sound.* A sum of integers may be regrouped, and one of floats where the user
//! allows it. What is added must not rest on anything that the loop carries but its counters,
//! which the counter that is tested decides: another one with the same step is as far from its
//! first value. The ranges are those of integers, if the counter does not wrap: where sums are
//! put together or a range is moved to begin at a number, that is an assumption, which is
//! listed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use duet_ir::{BinaryOp, Type};
use duet_parametric::writer::Inverse;
use duet_smt::{FuncId, Op, TermId, TermPool, mask, to_signed};
use duet_vc::ops;

use super::extend::multiplied_out;
use super::guards::{Guard, Guards};
use super::sums::{Adder, Summands};
use super::whole::{Closed, Whole, apply, mentions, parts};
use crate::pair::request::FloatModel;

/// A sum over a range, as both sides know it.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Where it was made.
    lines: BTreeSet<String>,
}

/// Sums over ranges by the functions that stand for them, whose arguments begin with the first
/// index, the bound and the step.
pub type Sums = HashMap<FuncId, Known>;

/// The values of a counter.
#[derive(Clone, Debug)]
pub struct Range {
    /// What stands for the counter.
    counter: TermId,
    /// Holes of loops around.
    outer: Vec<TermId>,
    /// How the counter is compared with the bound.
    test: Op,
    first: TermId,
    bound: TermId,
    step: TermId,
    /// The loop, in the user's words.
    line: String,
}

/// How a loop counts.
pub(super) struct Counting {
    /// Which value is the counter that is tested.
    pub(super) number: usize,
    pub(super) range: Range,
    /// Holes but the counter.
    carried: Vec<TermId>,
    /// Other counters, as terms over the one that is tested.
    others: Vec<(TermId, TermId)>,
}

impl Counting {
    /// Of a loop that goes on while its counter is below a bound.
    pub(super) fn of(pool: &mut TermPool, whole: &Whole) -> Option<Counting> {
        let test = pool.op(whole.test);
        let [left, bound] = *pool.args(whole.test) else { return None };
        let is_up = matches!(test, Op::Slt | Op::Sle | Op::Ult | Op::Ule);
        let number = whole.holes.iter().position(|hole| *hole == left)?;
        if !is_up || mentions(pool, bound, &whole.holes) {
            return None;
        }
        let steps: Vec<Option<TermId>> =
            (0..whole.holes.len()).map(|number| added(pool, whole, number)).collect();
        let (step, first) = (steps[number]?, whole.firsts[number]);
        let mut others = vec![];
        for (other, &own) in steps.iter().enumerate() {
            if other != number && own == Some(step) {
                let moved = pool.bits().sub(left, first);
                let term = pool.bits().add(whole.firsts[other], moved);
                others.push((whole.holes[other], term));
            }
        }
        let carried = whole.holes.iter().copied().filter(|&hole| hole != left).collect();
        let (outer, line) = (whole.outer.clone(), whole.line.clone());
        let range = Range { counter: left, outer, test, first, bound, step, line };
        Some(Counting { number, range, carried, others })
    }

    /// A term over the counter alone, if it is one.
    pub(super) fn over_counter(&self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let term = Inverse { values: self.others.clone() }.apply(pool, term);
        (!mentions(pool, term, &self.carried)).then_some(term)
    }
}

/// What an iteration adds to a value, if that is always the same.
fn added(pool: &mut TermPool, whole: &Whole, number: usize) -> Option<TermId> {
    let (hole, step) = (whole.holes[number], whole.steps[number]);
    if !matches!(whole.types[number], Type::Int(_)) || pool.op(step) != Op::BvAdd {
        return None;
    }
    let mut rest = parts(pool, step);
    let place = rest.iter().position(|part| *part == hole)?;
    rest.remove(place);
    let rest = if rest.len() == 1 { rest[0] } else { pool.bits().sum(&rest) };
    (!mentions(pool, rest, &whole.holes)).then_some(rest)
}

/// Makes sums of a loop.
pub(super) struct Ranges<'a> {
    pub(super) pool: &'a mut TermPool,
    pub(super) guards: &'a mut Guards,
    pub(super) whole: &'a Whole,
    pub(super) counting: &'a Counting,
    pub(super) float: FloatModel,
}

impl Ranges<'_> {
    /// What the loop leaves of a value to which it only adds.
    pub(super) fn sum(mut self, number: usize) -> Option<TermId> {
        let (whole, ty) = (self.whole, self.whole.types[number]);
        let is_float = matches!(ty, Type::Float(_));
        if is_float && self.float == FloatModel::Exact {
            return None;
        }
        let hole = whole.holes[number];
        let mut adder = Adder::new(self.pool, self.guards, self.float, is_float);
        let mut summands = (*adder.summands(whole.steps[number])?).clone();
        // SOUNDNESS: what is carried must go on as it is, once (test
        // `what_is_carried_is_no_summand`).
        if summands.remove(&hole)? != [(Guard::TRUE, 1)] {
            return None;
        }
        let mut sum = whole.firsts[number];
        for (term, counts) in summands {
            for (guard, count) in counts {
                let value = self.summand(term, guard, count, ty)?;
                let part = self.counting.range.sum(self.pool, self.guards, value, ty)?;
                sum = match is_float {
                    true => ops::binary(self.pool, BinaryOp::FAdd, sum, part, ty),
                    false => self.pool.bits().add(sum, part),
                };
            }
        }
        Some(sum)
    }

    /// A summand with its condition, in terms of the counter.
    fn summand(&mut self, term: TermId, guard: Guard, count: u128, ty: Type) -> Option<TermId> {
        let is_float = matches!(ty, Type::Float(_));
        if is_float && count != 1 {
            return None;
        }
        let pool = &mut *self.pool;
        let width = pool.sort(term).width()?;
        let number = pool.bv(width, count & mask(width));
        let value = if is_float { term } else { pool.bits().mul(number, term) };
        let when = self.guards.term(pool, guard);
        let zero = pool.bv(width, 0);
        let value = pool.ite(when, value, zero);
        self.counting.over_counter(pool, value)
    }
}

impl Range {
    /// The sum of a value of a type over the range of the counter.
    ///
    /// SOUNDNESS: the bits of a float are summed in another way than an integer (test
    /// `sums_of_floats_are_not_those_of_their_bits`).
    pub(super) fn sum(
        &self,
        pool: &mut TermPool,
        guards: &mut Guards,
        value: TermId,
        ty: Type,
    ) -> Option<TermId> {
        let (mut first, mut bound, mut value) = (self.first, self.bound, value);
        if let Some((base, low, high)) = self.moved(pool, guards) {
            let shifted = pool.bits().add(base, self.counter);
            value = Inverse { values: vec![(self.counter, shifted)] }.apply(pool, value);
            value = by_parts(pool, value, shifted, [base, self.counter]);
            (first, bound) = (low, high);
        }
        let known = guards.closed.get(&(value, self.counter)).cloned();
        let closed = known
            .unwrap_or_else(|| Rc::new(Closed::of(pool, &[value], &[self.counter], &self.outer)));
        guards.closed.insert((value, self.counter), closed.clone());
        let name = format!("sum.{ty:?}.{:?}.{:?}", self.test, closed.terms[0]);
        let args: Vec<TermId> =
            [first, bound, self.step].into_iter().chain(closed.free.iter().copied()).collect();
        let sort = pool.sort(value);
        let sum = apply(pool, &name, &args, sort);
        let Op::Apply(func) = pool.op(sum) else { return None };
        guards.sums.entry(func).or_default().lines.insert(self.line.clone());
        Some(sum)
    }

    /// A range whose ends are a term and something: the term, and the range without it.
    ///
    /// SOUNDNESS: only if neither end overflows, which is an assumption that comparing signed
    /// numbers allows (test `a_range_that_is_moved`). It says so of the sum of two values only:
    /// the sum of all may fit where that of some does not (test `a_range_with_ends_of_many_parts`).
    fn moved(&self, pool: &mut TermPool, guards: &mut Guards) -> Option<(TermId, TermId, TermId)> {
        if !guards.moves_ranges || !matches!(self.test, Op::Slt | Op::Sle) {
            return None;
        }
        let bases: Vec<TermId> =
            parts(pool, self.first).into_iter().filter(|&one| pool.as_bv(one).is_none()).collect();
        let mut rest = parts(pool, self.bound);
        for base in &bases {
            let place = rest.iter().position(|part| part == base)?;
            rest.remove(place);
        }
        let &[base] = &bases[..] else { return None };
        if rest.len() > 1 {
            return None;
        }
        let (low, high) = (pool.bits().sub(self.first, base), pool.bits().sub(self.bound, base));
        let line = &self.line;
        guards
            .assumed
            .insert(format!("{line}: no overflow of the counter and the bounds of this loop"));
        Some((base, low, high))
    }
}

/// A term in which a sum that does not overflow is extended summand by summand.
fn by_parts(pool: &mut TermPool, term: TermId, sum: TermId, parts: [TermId; 2]) -> TermId {
    pool.rebuild(&[term], |pool, old, args| match pool.op(old) {
        Op::SignExtend(_) if args[0] == sum => {
            let width = pool.width(old);
            let [a, b] = parts.map(|part| pool.bits().sext_or_trunc(part, width));
            Some(pool.bits().add(a, b))
        }
        Op::BvMul => {
            let product = pool.bits().product(args);
            Some(multiplied_out(pool, product))
        }
        _ => None,
    })[0]
}

/// Sums that begin one after the other and go on together, put together.
///
/// SOUNDNESS: all of them must be there, each once, under the same condition (test
/// `sums_that_do_not_fill_a_range`).
pub fn put_together(pool: &mut TermPool, guards: &mut Guards, sum: &Summands) -> Summands {
    let mut groups: BTreeMap<Key, Vec<(i128, TermId)>> = BTreeMap::new();
    for (&term, counts) in sum {
        if let (Some((key, number)), true) =
            (Key::of(pool, guards, term, counts), counts.len() == 1)
        {
            groups.entry(key).or_default().push((number, term));
        }
    }
    let mut result = sum.clone();
    for (key, mut members) in groups {
        members.sort_unstable();
        let Some((step, first)) = key.finer(pool, &members) else { continue };
        let term = key.at(pool, first, step);
        if result.contains_key(&term) {
            continue;
        }
        for (_, member) in &members {
            result.remove(member);
        }
        result.insert(term, key.counts.clone());
        let lines = guards.sums.get(&key.func).map(|known| known.lines.clone());
        for line in lines.unwrap_or_default() {
            guards.assumed.insert(format!("{line}: no overflow of the counter of this loop"));
        }
    }
    result
}

/// What sums have in common that may be put together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    func: FuncId,
    /// The bound, the step, and the rest of the arguments.
    rest: Vec<TermId>,
    base: Option<TermId>,
    step: i128,
    counts: Vec<(Guard, u128)>,
}

impl Key {
    fn of(
        pool: &mut TermPool,
        guards: &Guards,
        term: TermId,
        counts: &[(Guard, u128)],
    ) -> Option<(Key, i128)> {
        let Op::Apply(func) = pool.op(term) else { return None };
        guards.sums.get(&func)?;
        let args = pool.args(term).to_vec();
        let [first, _, step] = *args.get(..3)? else { return None };
        let width = pool.width(first);
        let step = to_signed(pool.as_bv(step)?, width);
        let (base, number) = split(pool, first)?;
        let key = Key { func, rest: args[1..].to_vec(), base, step, counts: counts.to_vec() };
        Some((key, number))
    }

    /// The step at which the members are one after the other, and where they begin.
    fn finer(&self, pool: &TermPool, members: &[(i128, TermId)]) -> Option<(i128, i128)> {
        let [(first, _), .., (last, _)] = *members else { return None };
        let apart = members.len() as i128 - 1;
        let step = (last - first) / apart;
        let is_even = members.iter().zip(0..).all(|((at, _), number)| *at == first + number * step);
        let fills = step > 0 && step * members.len() as i128 == self.step;
        // SOUNDNESS: a first index with a carry may be below the others (test
        // `a_range_that_begins_with_a_carry`), and so may a negative one, which is large as an
        // unsigned number.
        let is_known =
            first >= 0 && self.base.is_none_or(|base| last >> zeros(pool, base).min(100) == 0);
        (is_even && fills && is_known).then_some((step, first))
    }

    /// The sum that begins here and goes on by this.
    fn at(&self, pool: &mut TermPool, first: i128, step: i128) -> TermId {
        let width = pool.width(self.rest[1]);
        let number = pool.bv(width, first as u128 & mask(width));
        let first = match self.base {
            Some(base) => pool.bits().add(base, number),
            None => number,
        };
        let step = pool.bv(width, step as u128 & mask(width));
        let mut args = vec![first];
        args.extend(&self.rest);
        args[2] = step;
        pool.apply(self.func, &args)
    }
}

/// A first index as a symbolic part and a number.
fn split(pool: &mut TermPool, term: TermId) -> Option<(Option<TermId>, i128)> {
    let width = pool.width(term);
    let (numbers, rest): (Vec<TermId>, Vec<TermId>) =
        parts(pool, term).into_iter().partition(|&part| pool.as_bv(part).is_some());
    let number = match numbers.as_slice() {
        [] => 0,
        [one] => to_signed(pool.as_bv(*one)?, width),
        _ => return None,
    };
    let base = match rest.as_slice() {
        [] => None,
        [one] => Some(*one),
        _ => Some(pool.bits().sum(&rest)),
    };
    Some((base, number))
}

/// How many low bits of a term are surely zero.
fn zeros(pool: &TermPool, term: TermId) -> u32 {
    match pool.op(term) {
        Op::BvConst { width, bits } => bits.trailing_zeros().min(width),
        Op::BvMul => pool.args(term).iter().map(|&arg| zeros(pool, arg)).sum::<u32>().min(63),
        Op::BvAdd => pool.args(term).iter().map(|&arg| zeros(pool, arg)).min().unwrap_or(0),
        _ => 0,
    }
}
