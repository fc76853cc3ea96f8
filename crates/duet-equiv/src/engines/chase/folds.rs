//! Loops that carry a value: folds that keep the order of their steps.
//!
//! What a counted loop carries after k iterations is `step(… step(step(first, 0), 1) …, k-1)`.
//! Two such values are equal if both are made of the same steps in the same order. The rules:
//!
//! * *no recursion*: a step that does not use what is carried is what the iteration before
//!   left (prefetching);
//! * *segments*: the first value of a fold may be a fold; the list of them is compared with one
//!   fold, each segment with the iterations that come next in it;
//! * *unroll*: one step of a segment may be several of the other;
//! * *flatten*: the step of an outer loop that is all of an inner loop is `M * T` steps;
//! * further rules are in [`super::regroup`].
//!
//! *Why it is sound.* Each rule is an identity of folds: by induction over the iterations, the
//! value carried after iteration k of a segment is that of the other fold after as many steps
//! as are counted. What it needs is a goal: equal first values, as many steps on both sides as
//! integers, and equal steps for an arbitrary value that is carried, at an arbitrary iteration.
//! A step that uses something else that the loop carries is not compared.

use duet_parametric::writer::Inverse;
use duet_smt::{FuncId, Op, Sort, TermId};

use super::Chase;
use crate::engines::NotShown;
use crate::engines::blocks::cut::{Carried, Round};
use crate::pair::request::Side;

/// Does the kernel turn a float into the integer of the same bits?
fn looks_at_bits(func: &duet_ir::Function) -> bool {
    func.insts_in_order().any(|inst| match &func.insts[inst] {
        duet_ir::InstData::Cast { op, .. } => *op == duet_ir::CastOp::Bitcast,
        _ => false,
    })
}

/// Steps of one side that one step of the other may be.
const MOST_UNROLLED: usize = 32;
/// Conditions that decide what an iteration leaves.
const MOST_BRANCHES: usize = 8;
/// Bits in which numbers of iterations are compared.
pub(super) const WIDE: u32 = 96;

/// Part of a fold.
pub(super) struct Segment {
    pub(super) side: Side,
    /// The loop, and that inside it if both are one.
    pub(super) parts: Vec<Part>,
}

/// A loop of a segment.
pub(super) struct Part {
    pub(super) round: Round,
    pub(super) carried: Carried,
    /// Ids of the thread and counts around the loop.
    pub(super) ids: Vec<TermId>,
    /// How many iterations are made.
    pub(super) trips: TermId,
}

/// Compares what loops carry.
pub(super) struct Folds<'c, 'a> {
    pub(super) chase: &'c mut Chase<'a>,
}

impl Folds<'_, '_> {
    /// The loop and the value that a function stands for.
    pub(super) fn carried_by(&self, func: FuncId) -> Option<(Side, Round, Carried)> {
        Side::BOTH.into_iter().find_map(|side| {
            self.chase.sides[side.index()].rounds.iter().find_map(|open| {
                let carried = open.round.carried.iter().find(|one| one.func == func)?;
                Some((side, open.round.clone(), carried.clone()))
            })
        })
    }

    pub(super) fn is_fold(&self, term: TermId) -> bool {
        match self.chase.pool.op(term) {
            Op::Apply(func) => self.carried_by(func).is_some(),
            _ => false,
        }
    }

    /// The symbols of an iteration of a loop.
    pub(super) fn symbols(&self, side: Side, round: &Round) -> Vec<TermId> {
        let ids = self.chase.sides[side.index()].ids();
        ids.into_iter().chain(round.outer.iter().copied()).chain([round.count]).collect()
    }

    /// Does a term mention something that the loop carries, by itself or by what other loops
    /// begin with or do?
    pub(super) fn is_recursive(&self, round: &Round, term: TermId) -> bool {
        let funcs: Vec<FuncId> = round.carried.iter().map(|one| one.func).collect();
        let (mut left, mut seen) = (vec![term], vec![]);
        while let Some(term) = left.pop() {
            for part in self.chase.pool.reachable(&[term]) {
                let Op::Apply(func) = self.chase.pool.op(part) else { continue };
                if funcs.contains(&func) {
                    return true;
                }
                if let (false, Some((_, _, other))) = (seen.contains(&func), self.carried_by(func))
                {
                    seen.push(func);
                    left.extend([Some(other.first), other.step].into_iter().flatten());
                }
            }
        }
        false
    }

    /// A value in which what loops carry without recursion is what an iteration left.
    pub(super) fn expand(&mut self, value: TermId, facts: &[TermId]) -> Result<TermId, NotShown> {
        let mut value = value;
        for _ in 0..6 {
            let mut found = vec![];
            for term in self.chase.pool.reachable(&[value]) {
                let Op::Apply(func) = self.chase.pool.op(term) else { continue };
                let Some((side, round, carried)) = self.carried_by(func) else { continue };
                let step = carried.step.ok_or("a loop was not followed to its end")?;
                let left = match self.is_recursive(&round, step) {
                    true => self.left_by_branch(side, &round, &carried, term, facts),
                    false => Some(self.left_before(side, &round, step, (&carried, term), facts)?),
                };
                found.extend(left.map(|left| (term, left)));
            }
            if found.is_empty() {
                return Ok(value);
            }
            value = Inverse { values: found }.apply(&mut self.chase.pool, value);
        }
        Err("a value goes back too many loops".into())
    }

    /// What the iteration before left, where it may have kept what it found and is shown not
    /// to: the loads of the last iteration are left out (`if (m + 1 < tiles) next = a[…];`).
    ///
    /// SOUNDNESS: that the branch was taken is a goal, in the iteration before (test
    /// `a_load_that_is_not_made_in_every_iteration`).
    fn left_by_branch(
        &mut self,
        side: Side,
        round: &Round,
        carried: &Carried,
        term: TermId,
        facts: &[TermId],
    ) -> Option<TermId> {
        let (own, mut before) = (self.symbols(side, round), self.chase.pool.args(term).to_vec());
        let count = before.pop()?;
        let (zero, one) = (self.chase.pool.bv(32, 0), self.chase.pool.bv(32, 1));
        before.push(self.chase.pool.bits().sub(count, one));
        let is_later = self.chase.pool.ne(count, zero);
        let later: Vec<TermId> = facts.iter().copied().chain([is_later]).collect();
        let mut step = carried.step?;
        for _ in 0..MOST_BRANCHES {
            if !self.is_recursive(round, step) {
                return self.left_before(side, round, step, (carried, term), facts).ok();
            }
            if self.chase.pool.op(step) != Op::Ite {
                return None;
            }
            let [cond, then, otherwise] = *self.chase.pool.args(step) else { return None };
            let cond = self.chase.put(&own, &before, cond);
            let negated = self.chase.pool.not(cond);
            let mut holds =
                |goal| self.chase.goals.show_all(&mut self.chase.pool, &later, &[goal]).is_ok();
            step = match (holds(cond), then, otherwise) {
                (true, then, _) => then,
                (false, _, otherwise) if holds(negated) => otherwise,
                _ => return None,
            };
        }
        None
    }

    /// What the iteration before left, or what was there at first.
    fn left_before(
        &mut self,
        side: Side,
        round: &Round,
        step: TermId,
        (carried, term): (&Carried, TermId),
        facts: &[TermId],
    ) -> Result<TermId, NotShown> {
        let (own, args) = (self.symbols(side, round), self.chase.pool.args(term).to_vec());
        let count = *args.last().ok_or("a loop without a count")?;
        let (zero, one) = (self.chase.pool.bv(32, 0), self.chase.pool.bv(32, 1));
        let mut before = args.clone();
        before.pop();
        before.push(self.chase.pool.bits().sub(count, one));
        let left = self.chase.put(&own, &before, step);
        let first = self.chase.put(&own, &args, carried.first);
        let is_first = self.chase.pool.eq(count, zero);
        let later: Vec<TermId> = facts.iter().copied().chain([is_first]).collect();
        if self.chase.pool.as_bool(is_first) != Some(true)
            && self.chase.goals.is_impossible(&mut self.chase.pool, &later)
        {
            return Ok(left);
        }
        Ok(self.chase.pool.ite(is_first, first, left))
    }

    /// Are two values the same? Equal operations on equal operands are, and equal folds.
    pub(super) fn same(&mut self, a: TermId, b: TermId, facts: &[TermId]) -> Result<(), NotShown> {
        if a == b {
            return Ok(());
        }
        if self.chase.pool.sort(a) != self.chase.pool.sort(b) {
            return Err("the values have different types".into());
        }
        let (x, y) = (self.chase.pool.args(a).to_vec(), self.chase.pool.args(b).to_vec());
        let is_function = matches!(self.chase.pool.op(a), Op::Apply(_));
        if is_function
            && self.chase.pool.op(a) == self.chase.pool.op(b)
            && x.len() == y.len()
            && !x.is_empty()
        {
            if let (&[x, x2], &[y, y2]) = (x.as_slice(), y.as_slice())
                && self.may_be_turned([x, x2], [y, y2], a)
                && self.same(x, y2, facts).and_then(|()| self.same(x2, y, facts)).is_ok()
            {
                return Ok(());
            }
            return x.iter().zip(&y).try_for_each(|(&x, &y)| self.same(x, y, facts));
        }
        let (a, b) = (self.lifted(a), self.lifted(b));
        if let Some(cond) = [a, b].into_iter().find(|&one| self.chase.pool.op(one) == Op::Ite) {
            return self.same_in_cases(self.chase.pool.args(cond)[0], [a, b], facts);
        }
        match (self.is_fold(a), self.is_fold(b)) {
            (true, true) => return self.same_folds(a, b, facts),
            (true, false) => {
                let a = self.last_step(a, facts)?;
                return self.same(a, b, facts);
            }
            (false, true) => {
                let b = self.last_step(b, facts)?;
                return self.same(a, b, facts);
            }
            (false, false) => {}
        }
        if let (Some(x), Some(y)) = (self.joined(a), self.joined(b))
            && (x, y) != (a, b)
            && self.same(x, y, facts).is_ok()
        {
            return Ok(());
        }
        let b = self.unified(a, b, facts);
        let equal = self.chase.pool.eq(a, b);
        if self.chase.goals.holds_always(&mut self.chase.pool, equal) {
            return Ok(());
        }
        self.chase.goals.show_all(&mut self.chase.pool, facts, &[equal])
    }

    /// Is it a float sum or product whose operands may be exchanged, and look alike only then?
    ///
    /// SOUNDNESS: the two are equal but for which NaN they yield, so not where a kernel looks
    /// at the bits of a float (test `operands_are_exchanged_unless_bits_are_looked_at`).
    fn may_be_turned(&self, x: [TermId; 2], y: [TermId; 2], sum: TermId) -> bool {
        let pool = &self.chase.pool;
        let Op::Apply(func) = pool.op(sum) else { return false };
        let name = &pool.func_data(func).name;
        let is_commutative = name.starts_with("fadd.op(") || name.starts_with("fmul.op(");
        let is_alike =
            |a: TermId, b: TermId| pool.op(a) == pool.op(b) || self.is_fold(a) || self.is_fold(b);
        is_commutative
            && is_alike(x[0], y[1])
            && is_alike(x[1], y[0])
            && !(is_alike(x[0], y[0]) && is_alike(x[1], y[1]))
            && !self.chase.kernels.iter().any(|kernel| looks_at_bits(kernel.function()))
    }

    /// The same under a condition, and where it does not hold.
    fn same_in_cases(
        &mut self,
        cond: TermId,
        values: [TermId; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let negated = self.chase.pool.not(cond);
        for (case, branch) in [(cond, 1), (negated, 2)] {
            let facts: Vec<TermId> = facts.iter().copied().chain([case]).collect();
            if self.chase.goals.is_impossible(&mut self.chase.pool, &facts) {
                continue;
            }
            let [a, b] = values.map(|value| match self.chase.pool.op(value) {
                Op::Ite if self.chase.pool.args(value)[0] == cond => {
                    self.chase.pool.args(value)[branch]
                }
                _ => value,
            });
            self.same(a, b, &facts)?;
        }
        Ok(())
    }

    /// A fold that makes at least one step, as its last step on the others.
    fn last_step(&mut self, fold: TermId, facts: &[TermId]) -> Result<TermId, NotShown> {
        let Op::Apply(func) = self.chase.pool.op(fold) else { return Err("no fold".into()) };
        let (side, round, carried) = self.carried_by(func).ok_or("no fold")?;
        let step = carried.step.ok_or("a loop was not followed to its end")?;
        let (own, mut ids) = (self.symbols(side, &round), self.chase.pool.args(fold).to_vec());
        let trips = ids.pop().ok_or("a loop without a count")?;
        let (zero, one) = (self.chase.pool.bv(32, 0), self.chase.pool.bv(32, 1));
        // SOUNDNESS: there is a last step only if there is one (test
        // `a_loop_without_iterations_has_no_last_step`).
        let is_some = self.chase.pool.compare().slt(zero, trips);
        self.chase.goals.show_all(&mut self.chase.pool, facts, &[is_some])?;
        ids.push(self.chase.pool.bits().sub(trips, one));
        let last = self.chase.put(&own, &ids, step);
        self.chase.resolve(side, last, facts, 0)
    }

    /// The second value with its reads and folds replaced by those of the first that are
    /// shown to be the same.
    fn unified(&mut self, a: TermId, b: TermId, facts: &[TermId]) -> TermId {
        let (mine, theirs) = (self.atoms(a), self.atoms(b));
        let mut found = vec![];
        for &theirs in theirs.iter().filter(|atom| !mine.contains(atom)).take(MOST_UNROLLED) {
            for &mine in &mine {
                let alike = self.chase.pool.op(mine) == self.chase.pool.op(theirs)
                    || self.is_fold(mine) && self.is_fold(theirs);
                if alike && self.may_be_same(mine, theirs) && self.same(mine, theirs, facts).is_ok()
                {
                    found.push((theirs, mine));
                    break;
                }
            }
        }
        Inverse { values: found }.apply(&mut self.chase.pool, b)
    }

    /// The outermost functions in a term.
    fn atoms(&self, term: TermId) -> Vec<TermId> {
        let (mut left, mut atoms) = (vec![term], vec![]);
        while let Some(term) = left.pop() {
            match self.chase.pool.op(term) {
                Op::Apply(_) if !self.chase.pool.args(term).is_empty() => {
                    if !atoms.contains(&term) {
                        atoms.push(term);
                    }
                }
                _ => left.extend(self.chase.pool.args(term).iter().rev()),
            }
        }
        atoms
    }

    /// Are the arguments not a number apart?
    fn may_be_same(&mut self, a: TermId, b: TermId) -> bool {
        let pairs: Vec<(TermId, TermId)> = self
            .chase
            .pool
            .args(a)
            .iter()
            .copied()
            .zip(self.chase.pool.args(b).iter().copied())
            .collect();
        pairs.into_iter().all(|(x, y)| {
            if self.chase.pool.sort(x) != self.chase.pool.sort(y)
                || self.chase.pool.sort(x).width().is_none()
            {
                return true;
            }
            let apart = self.chase.pool.bits().sub(x, y);
            self.chase.pool.as_bv(apart).is_none_or(|bits| bits == 0)
        })
    }

    fn same_folds(&mut self, a: TermId, b: TermId, facts: &[TermId]) -> Result<(), NotShown> {
        let (first_a, a) = self.segments(a, facts)?;
        let (first_b, b) = self.segments(b, facts)?;
        self.same(first_a, first_b, facts)?;
        if a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x.parts.len() == y.parts.len()) {
            let pairwise = a.iter().zip(&b).try_for_each(|(x, y)| self.same_loops(x, y, facts));
            if pairwise.is_ok() {
                return pairwise;
            }
        }
        match (a.as_slice(), b.as_slice()) {
            ([one], several) if one.parts.len() == 1 => self.is_made_of(one, several, facts),
            (several, [one]) if one.parts.len() == 1 => self.is_made_of(one, several, facts),
            _ => Err("what the loops carry was not compared".into()),
        }
        .or_else(|why: NotShown| match (a.as_slice(), b.as_slice()) {
            ([one], [other]) => match (one.parts.len(), other.parts.len()) {
                (1, 2) => self.is_followed_by_nothing(one, other, facts),
                (2, 1) => self.is_followed_by_nothing(other, one, facts),
                (1, 1) => self
                    .is_followed_by_nothing(one, other, facts)
                    .or_else(|_| self.is_followed_by_nothing(other, one, facts)),
                _ => Err(why.clone()),
            }
            .map_err(|_| why),
            _ => Err(why),
        })
    }

    /// The first value of a fold, and its parts.
    fn segments(
        &mut self,
        term: TermId,
        facts: &[TermId],
    ) -> Result<(TermId, Vec<Segment>), NotShown> {
        let mut list = vec![];
        let mut term = term;
        for _ in 0..4 {
            let Op::Apply(func) = self.chase.pool.op(term) else { break };
            let Some((side, round, carried)) = self.carried_by(func) else { break };
            let mut ids = self.chase.pool.args(term).to_vec();
            let trips = ids.pop().ok_or("a loop without a count")?;
            let own = self.symbols(side, &round);
            let first = self.chase.put(&own, &ids, carried.first);
            let part = Part { round, carried, ids, trips };
            list.push(self.flattened(side, part)?);
            term = self.chase.resolve(side, first, facts, 0)?;
        }
        list.reverse();
        Ok((term, list))
    }

    /// A loop whose step is all of an inner loop is one with that.
    fn flattened(&mut self, side: Side, outer: Part) -> Result<Segment, NotShown> {
        let step = outer.carried.step.ok_or("a loop was not followed to its end")?;
        let alone = |outer| Ok(Segment { side, parts: vec![outer] });
        let Op::Apply(func) = self.chase.pool.op(step) else { return alone(outer) };
        let Some((_, round, carried)) = self.carried_by(func) else { return alone(outer) };
        let own = self.symbols(side, &outer.round);
        let before = self.chase.pool.apply(outer.carried.func, &own);
        let mut ids = self.chase.pool.args(step).to_vec();
        let trips = ids.pop().ok_or("a loop without a count")?;
        // SOUNDNESS: the inner loop begins with what is carried, and makes as many iterations
        // each time (tests `an_inner_loop_that_starts_anew`, `a_triangle_is_not_flattened`).
        let symbols = self.symbols(side, &round);
        let first = self.chase.put(&symbols, &ids, carried.first);
        let is_fixed = !self.chase.pool.reachable(&[trips]).contains(&outer.round.count);
        if first != before || !is_fixed {
            return alone(outer);
        }
        // In terms of the ids that the outer loop has here.
        let mut here = outer.ids.clone();
        here.push(outer.round.count);
        let trips = self.chase.put(&own, &here, trips);
        let ids = ids.into_iter().map(|id| self.chase.put(&own, &here, id)).collect();
        let inner = Part { round, carried, ids, trips };
        Ok(Segment { side, parts: vec![outer, inner] })
    }

    /// What a thread computes without overflow, if that is assumed, at these values of symbols:
    /// ids and counts of loops. See [`Chase::exact`].
    pub(super) fn exact_at(&mut self, side: Side, own: &[TermId], ids: &[TermId]) -> Vec<TermId> {
        if !self.chase.is_exact {
            return vec![];
        }
        let counts: Vec<TermId> =
            self.chase.sides[side.index()].rounds.iter().map(|open| open.round.count).collect();
        let mut list = vec![];
        for (inst, guard, fits) in self.chase.sides[side.index()].exact.clone() {
            let mentioned = self.chase.pool.reachable(&[guard, fits]);
            // Of other loops than these nothing is said.
            if counts.iter().any(|count| mentioned.contains(count) && !own.contains(count)) {
                continue;
            }
            let negated = self.chase.pool.not(guard);
            let known = self.chase.pool.or2(negated, fits);
            list.push(self.chase.put(own, ids, known));
            let kernel = &self.chase.kernels[side.index()];
            let span = kernel.module.span_of_inst(kernel.function(), inst);
            let line = span.map_or(String::new(), |span| format!(":{}", span.line));
            self.chase.used.insert(format!("{}{line}: no overflow", kernel.file.display()));
        }
        list
    }

    /// An arbitrary iteration of a segment: its number, what is known of it, and as terms the
    /// ids at which the innermost loop is.
    pub(super) fn iteration(&mut self, segment: &Segment, fixed: Option<TermId>) -> Iteration {
        let index = fixed.unwrap_or_else(|| self.fresh_index());
        let inner = self.fresh_index();
        self.iteration_at(segment, [index, inner])
    }

    pub(super) fn fresh_index(&mut self) -> TermId {
        self.chase.pool.fresh("step", Sort::BitVec(32))
    }

    /// The iteration of a segment of these numbers, in the outer loop and in the inner one.
    pub(super) fn iteration_at(
        &mut self,
        segment: &Segment,
        [index, own_index]: [TermId; 2],
    ) -> Iteration {
        let outer = &segment.parts[0];
        let below = self.chase.pool.compare().ult(index, outer.trips);
        let mut ids = outer.ids.clone();
        ids.push(index);
        let own = self.symbols(segment.side, &outer.round);
        let happens = self.chase.put(&own, &ids, outer.round.happens);
        let mut facts = vec![below, happens];
        let Some(inner) = segment.parts.get(1) else {
            return Iteration { number: index, ids, facts };
        };
        let at: Vec<TermId> =
            inner.ids.iter().map(|&id| if id == outer.round.count { index } else { id }).collect();
        facts.push(self.chase.pool.compare().ult(own_index, inner.trips));
        let mut ids = at;
        ids.push(own_index);
        let own = self.symbols(segment.side, &inner.round);
        facts.push(self.chase.put(&own, &ids, inner.round.happens));
        let scaled = self.chase.pool.bits().mul(index, inner.trips);
        let number = self.chase.pool.bits().add(scaled, own_index);
        Iteration { number, ids, facts }
    }

    /// The step of a segment's innermost loop, on a value.
    pub(super) fn step(
        &mut self,
        segment: &Segment,
        ids: &[TermId],
        value: TermId,
        facts: &[TermId],
    ) -> Result<TermId, NotShown> {
        let part = segment.parts.last().ok_or("a fold without a loop")?;
        let step = part.carried.step.ok_or("a loop was not followed to its end")?;
        let own = self.symbols(segment.side, &part.round);
        let before = self.chase.pool.apply(part.carried.func, &own);
        let step = Inverse { values: vec![(before, value)] }.apply(&mut self.chase.pool, step);
        let step = self.chase.put(&own, ids, step);
        let step = self.chase.resolve(segment.side, step, facts, 0)?;
        // SOUNDNESS: a step that rests on something else that is carried is no step of this
        // value alone (test `two_values_that_are_carried_together`).
        if self.is_recursive(&part.round, step) {
            return Err("several values are carried together".into());
        }
        Ok(step)
    }

    pub(super) fn value_of(&mut self, segment: &Segment) -> Result<TermId, NotShown> {
        let part = segment.parts.last().ok_or("a fold without a loop")?;
        let sort = self.chase.pool.func_data(part.carried.func).result;
        Ok(self.chase.pool.fresh("carried", sort))
    }

    /// Loops that make the same steps, one by one.
    fn same_loops(&mut self, a: &Segment, b: &Segment, facts: &[TermId]) -> Result<(), NotShown> {
        if a.parts.len() > 1 {
            return self
                .same_nests(a, b, false, facts)
                .or_else(|_| self.same_nests(a, b, true, facts));
        }
        let equal = self.chase.pool.eq(a.parts[0].trips, b.parts[0].trips);
        self.chase.goals.show_all(&mut self.chase.pool, facts, &[equal])?;
        let value = self.value_of(a)?;
        let mine = self.iteration(a, None);
        let theirs = self.iteration(b, Some(mine.number));
        let facts: Vec<TermId> =
            facts.iter().chain(&mine.facts).chain(&theirs.facts).copied().collect();
        let x = self.step(a, &mine.ids, value, &facts)?;
        let y = self.step(b, &theirs.ids, value, &facts)?;
        let Err(why) = self.same(x, y, &facts) else { return Ok(()) };
        // That nothing overflows in an iteration makes questions longer, and few need it.
        let mut exact = facts.clone();
        for (segment, ids) in [(a, &mine.ids), (b, &theirs.ids)] {
            let own = self.symbols(segment.side, &segment.parts[0].round);
            exact.extend(self.exact_at(segment.side, &own, ids));
        }
        if exact.len() > facts.len() && self.same(x, y, &exact).is_ok() {
            return Ok(());
        }
        self.is_reversed((a, x), (b, value), (&mine, &facts)).map_err(|_| why)
    }

    /// Is one loop made of the iterations of several segments, in their order?
    fn is_made_of(
        &mut self,
        one: &Segment,
        several: &[Segment],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let mut before = self.chase.pool.bv(32, 0);
        let mut total = self.chase.pool.bv(WIDE, 0);
        for segment in several {
            let unrolled = self.is_part_of(one, segment, before, facts)?;
            let mut count = self.chase.pool.bv(WIDE, unrolled as u128);
            let mut narrow = self.chase.pool.bv(32, unrolled as u128);
            for part in &segment.parts {
                let trips = self.chase.pool.bits().zext_or_trunc(part.trips, WIDE);
                count = self.chase.pool.bits().mul(count, trips);
                narrow = self.chase.pool.bits().mul(narrow, part.trips);
            }
            before = self.chase.pool.bits().add(before, narrow);
            total = self.chase.pool.bits().add(total, count);
        }
        // SOUNDNESS: as many steps on both sides, as integers (test
        // `a_loop_that_stops_one_early`).
        let all = self.chase.pool.bits().zext_or_trunc(one.parts[0].trips, WIDE);
        let equal = self.chase.pool.eq(all, total);
        self.chase
            .goals
            .show_all(&mut self.chase.pool, facts, &[equal])
            .map_err(|_| "the loops are not shown to make as many steps".into())
    }

    /// Is an iteration of a segment so many iterations of one loop, after some others? How
    /// many.
    fn is_part_of(
        &mut self,
        one: &Segment,
        segment: &Segment,
        before: TermId,
        facts: &[TermId],
    ) -> Result<usize, NotShown> {
        let value = self.value_of(one)?;
        let iteration = self.iteration(segment, None);
        let facts: Vec<TermId> = facts.iter().chain(&iteration.facts).copied().collect();
        let theirs = self.step(segment, &iteration.ids, value, &facts)?;
        let size = self.loads(theirs);
        let part = &one.parts[0];
        let mut ids = part.ids.clone();
        ids.push(before);
        let single = self.step(one, &ids, value, &facts)?;
        let unrolled = (size / self.loads(single).max(1)).clamp(1, MOST_UNROLLED);
        let mut mine = value;
        let factor = self.chase.pool.bv(32, unrolled as u128);
        let scaled = self.chase.pool.bits().mul(iteration.number, factor);
        let start = self.chase.pool.bits().add(before, scaled);
        for number in 0..unrolled {
            let number = self.chase.pool.bv(32, number as u128);
            let index = self.chase.pool.bits().add(start, number);
            let mut ids = part.ids.clone();
            ids.push(index);
            mine = self.step(one, &ids, mine, &facts)?;
        }
        self.same(mine, theirs, &facts)?;
        Ok(unrolled)
    }

    /// How often a term reads memory.
    fn loads(&self, term: TermId) -> usize {
        let is_start = |part: &TermId| match self.chase.pool.op(*part) {
            Op::Apply(func) => self.chase.pool.func_data(func).name.starts_with("start."),
            _ => false,
        };
        self.chase.pool.reachable(&[term]).iter().filter(|part| is_start(part)).count()
    }
}

/// An arbitrary iteration.
pub(super) struct Iteration {
    /// How many came before in its segment.
    pub(super) number: TermId,
    /// Ids of the thread and counts, the own one included.
    pub(super) ids: Vec<TermId>,
    /// It happens.
    pub(super) facts: Vec<TermId>,
}
