//! Folds whose steps are grouped in another way.
//!
//! * *rest*: steps after the last one of the other fold that leave the value as it is
//!   (a tile that is padded with zeros);
//! * *reverse*: steps that add something to the value, in the opposite order;
//! * *exchange*: a loop in a loop that adds something to the value, with the two exchanged;
//! * *join*: the sum of several values that one loop carries, each of which is added to, is one
//!   value to which all of it is added (several accumulators).
//!
//! The last three hold for integers, and for floats where the user lets sums be regrouped.
//!
//! *Why it is sound.* A step that leaves any value as it is may be left out. A sum of what the
//! iterations add does not depend on their order, modulo 2^w or where rounding is ignored, and
//! the sum of two sums over the same iterations is the sum of what both add.

use duet_smt::{Op, TermId};

use super::folds::{Folds, Iteration, Segment, WIDE};
use crate::engines::NotShown;
use crate::engines::blocks::cut::Carried;
use crate::engines::blocks::sums::normal;
use crate::pair::request::FloatModel;

impl Folds<'_, '_> {
    /// A sum of folds with a conditional summand, as a conditional sum: an identity.
    pub(super) fn lifted(&mut self, sum: TermId) -> TermId {
        let op = self.chase.pool.op(sum);
        let is_sum = match op {
            Op::BvAdd => true,
            Op::Apply(func) => self.chase.pool.func_data(func).name.starts_with("fadd.op("),
            _ => false,
        };
        let args = self.chase.pool.args(sum).to_vec();
        let is_ite = |&arg: &TermId| self.chase.pool.op(arg) == Op::Ite;
        let Some(at) = args.iter().position(|arg| is_sum && is_ite(arg)) else { return sum };
        let parts = self.chase.pool.reachable(&args);
        if !parts.into_iter().any(|part| self.is_fold(part)) {
            return sum;
        }
        let choice = self.chase.pool.args(args[at]).to_vec();
        let mut with = |value: TermId| {
            let mut args = args.clone();
            args[at] = value;
            match op {
                Op::Apply(func) => self.chase.pool.apply(func, &args),
                _ => self.chase.pool.bits().sum(&args),
            }
        };
        let (then, other) = (with(choice[1]), with(choice[2]));
        self.chase.pool.raw(Op::Ite, &[choice[0], then, other])
    }

    /// Do loops that make as many steps add the same in the opposite order?
    ///
    /// SOUNDNESS: what is added must not rest on what is carried (test
    /// `a_product_is_not_reversed`), and is compared with that of the opposite iteration
    /// (test `a_sum_that_is_not_reversed`).
    pub(super) fn is_reversed(
        &mut self,
        (a, step): (&Segment, TermId),
        (b, value): (&Segment, TermId),
        (mine, facts): (&Iteration, &[TermId]),
    ) -> Result<(), NotShown> {
        let part = &b.parts[0];
        let one = self.chase.pool.bv(32, 1);
        let last = self.chase.pool.bits().sub(part.trips, one);
        let opposite = self.chase.pool.bits().sub(last, mine.number);
        let theirs = self.iteration(b, Some(opposite));
        let facts: Vec<TermId> = facts.iter().chain(&theirs.facts).copied().collect();
        let other = self.step(b, &theirs.ids, value, &facts)?;
        debug_assert_eq!(a.parts.len(), 1);
        let x = self.added(step, value).ok_or("the step is no sum")?;
        let y = self.added(other, value).ok_or("the step is no sum")?;
        self.same(x, y, &facts)
    }

    /// Do a loop in a loop and another such pair make the same steps, or add the same if the
    /// two are exchanged?
    ///
    /// SOUNDNESS: the loops are compared with the ones that they correspond to, in the number
    /// of their iterations too, and exchanged only if the steps are sums (test
    /// `loops_that_are_exchanged`).
    pub(super) fn same_nests(
        &mut self,
        a: &Segment,
        b: &Segment,
        is_exchanged: bool,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let ([x, x2], [y, y2]) = (a.parts.as_slice(), b.parts.as_slice()) else {
            return Err("loops in loops of different depths".into());
        };
        let (y, y2) = if is_exchanged { (y2, y) } else { (y, y2) };
        let goals = [(x, y), (x2, y2)].map(|(x, y)| self.chase.pool.eq(x.trips, y.trips));
        self.chase.goals.show_all(&mut self.chase.pool, facts, &goals)?;
        let [i, j] = [(); 2].map(|()| self.fresh_index());
        let mine = self.iteration_at(a, [i, j]);
        let theirs = self.iteration_at(b, if is_exchanged { [j, i] } else { [i, j] });
        let facts: Vec<TermId> =
            facts.iter().chain(&mine.facts).chain(&theirs.facts).copied().collect();
        let value = self.value_of(a)?;
        let mut x = self.step(a, &mine.ids, value, &facts)?;
        let mut y = self.step(b, &theirs.ids, value, &facts)?;
        if is_exchanged {
            x = self.added(x, value).ok_or("the step is no sum")?;
            y = self.added(y, value).ok_or("the step is no sum")?;
        }
        self.same(x, y, &facts)
    }

    /// What a step adds to a value, if it does nothing else with it.
    fn added(&mut self, step: TermId, value: TermId) -> Option<TermId> {
        let pool = &mut self.chase.pool;
        if let Op::Apply(func) = pool.op(step) {
            let is_sum = pool.func_data(func).name.starts_with("fadd.op(");
            let [a, b] = *pool.args(step) else { return None };
            let other = if a == value { b } else { (b == value).then_some(a)? };
            let is_allowed = is_sum && self.chase.float != FloatModel::Exact;
            let mentions = self.chase.pool.reachable(&[other]).contains(&value);
            return (is_allowed && !mentions).then_some(other);
        }
        if pool.op(step) != Op::BvAdd {
            return None;
        }
        let added = pool.bits().sub(step, value);
        (!pool.reachable(&[added]).contains(&value)).then_some(added)
    }

    /// A sum with the values that one loop carries, and adds to, as one value.
    pub(super) fn joined(&mut self, sum: TermId) -> Option<TermId> {
        let is_float = match self.chase.pool.op(sum) {
            Op::BvAdd => false,
            Op::Apply(func) => self.chase.pool.func_data(func).name.starts_with("fadd.op("),
            _ => return Some(sum),
        };
        if is_float && self.chase.float == FloatModel::Exact {
            return Some(sum);
        }
        let args = self.chase.pool.args(sum).to_vec();
        let folds: Vec<TermId> = args.iter().copied().filter(|&arg| self.is_fold(arg)).collect();
        let [x, y] = folds[..] else { return Some(sum) };
        let both = self.join(x, y, (sum, is_float))?;
        let mut rest: Vec<TermId> = args.into_iter().filter(|arg| !folds.contains(arg)).collect();
        rest.push(both);
        Some(if rest.len() == 1 { both } else { self.chase.pool.bits().sum(&rest) })
    }

    /// Two values of one loop as their sum.
    ///
    /// SOUNDNESS: both are of the same iterations, and each step adds to its own value alone
    /// (test `accumulators_of_different_loops`).
    fn join(&mut self, x: TermId, y: TermId, (sum, is_float): (TermId, bool)) -> Option<TermId> {
        let (Op::Apply(f), Op::Apply(g)) = (self.chase.pool.op(x), self.chase.pool.op(y)) else {
            return None;
        };
        let (side, round, first) = self.carried_by(f)?;
        let (other, of_other, second) = self.carried_by(g)?;
        let is_same = self.chase.pool.args(x) == self.chase.pool.args(y);
        if f == g || side != other || round.count != of_other.count || !is_same {
            return None;
        }
        let own = self.symbols(side, &round);
        let data = self.chase.pool.func_data(f).clone();
        let name = format!("{}+{}", data.name, self.chase.pool.func_data(g).name);
        let func = self.chase.pool.func(&name, &data.args, data.result);
        let befores = [f, g, func].map(|func| self.chase.pool.apply(func, &own));
        let mut parts = vec![];
        for (carried, before) in [(&first, befores[0]), (&second, befores[1])] {
            let added = self.added(carried.step?, before)?;
            if self.is_recursive(&round, added) {
                return None;
            }
            parts.push(added);
        }
        let op = self.chase.pool.op(sum);
        let add = |folds: &mut Self, a: TermId, b: TermId| match (op, is_float) {
            (Op::Apply(add), true) => folds.chase.pool.apply(add, &[a, b]),
            _ => folds.chase.pool.bits().add(a, b),
        };
        let more = add(self, parts[0], parts[1]);
        let step = Some(add(self, befores[2], more));
        let carried =
            Carried { func, param: first.param, first: add(self, first.first, second.first), step };
        let rounds = &mut self.chase.sides[side.index()].rounds;
        let open = rounds.iter_mut().find(|open| open.round.count == round.count)?;
        if !open.round.carried.iter().any(|one| one.func == func) {
            open.round.carried.push(carried);
        }
        let args = self.chase.pool.args(x).to_vec();
        Some(self.chase.pool.apply(func, &args))
    }

    /// Are the first steps of a segment those of one loop, and does the rest change nothing?
    ///
    /// SOUNDNESS: the segment makes at least as many steps, and a number of 32 bits counts
    /// them; those beyond must leave any value as it is (tests `a_rest_that_adds`,
    /// `a_ragged_tile_that_stops_early`).
    pub(super) fn is_followed_by_nothing(
        &mut self,
        one: &Segment,
        segment: &Segment,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let all = one.parts[0].trips;
        let wide = self.chase.pool.bits().zext_or_trunc(all, WIDE);
        let mut total = self.chase.pool.bv(WIDE, 1);
        for part in &segment.parts {
            let trips = self.chase.pool.bits().zext_or_trunc(part.trips, WIDE);
            total = self.chase.pool.bits().mul(total, trips);
        }
        let limit = self.chase.pool.bv(WIDE, 1 << 32);
        let goals = [
            self.chase.pool.compare().ule(wide, total),
            self.chase.pool.compare().ult(total, limit),
        ];
        self.chase.goals.show_all(&mut self.chase.pool, facts, &goals)?;
        let value = self.value_of(one)?;
        let theirs = self.iteration(segment, None);
        let is_inside = self.chase.pool.compare().ult(theirs.number, all);
        let is_beyond = self.chase.pool.not(is_inside);
        let both = |case: TermId| -> Vec<TermId> {
            facts.iter().chain(&theirs.facts).copied().chain([case]).collect()
        };
        let (inside, beyond) = (both(is_inside), both(is_beyond));
        let step = self.step(segment, &theirs.ids, value, &beyond)?;
        let step = self.decided(step, &beyond);
        let step = normal(&mut self.chase.pool, step, self.chase.float);
        self.same(step, value, &beyond)?;
        let mut ids = one.parts[0].ids.clone();
        ids.push(theirs.number);
        let mine = self.step(one, &ids, value, &inside)?;
        let step = self.step(segment, &theirs.ids, value, &inside)?;
        self.same(mine, step, &inside)
    }

    /// A value with its conditions decided as far as the facts tell.
    fn decided(&mut self, value: TermId, facts: &[TermId]) -> TermId {
        let conditions: Vec<TermId> = self
            .chase
            .pool
            .reachable(&[value])
            .into_iter()
            .filter(|&part| self.chase.pool.op(part) == Op::Ite)
            .map(|part| self.chase.pool.args(part)[0])
            .collect();
        let mut known = vec![];
        for cond in conditions.into_iter().take(8) {
            let negated = self.chase.pool.not(cond);
            for (case, holds) in [(negated, true), (cond, false)] {
                let facts: Vec<TermId> = facts.iter().copied().chain([case]).collect();
                if self.chase.goals.is_impossible(&mut self.chase.pool, &facts) {
                    known.push((cond, holds));
                    break;
                }
            }
        }
        self.chase.pool.rebuild(&[value], |pool, term, args| {
            if pool.op(term) != Op::Ite {
                return None;
            }
            let cond = pool.args(term)[0];
            let (_, holds) = known.iter().find(|(own, _)| *own == cond)?;
            Some(if *holds { args[1] } else { args[2] })
        })[0]
    }
}
