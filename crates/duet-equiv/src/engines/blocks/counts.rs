//! How a thread with symbols for its ids goes through a loop that is counted: once, for an
//! iteration of any number, and on with what the loop leaves.

use duet_analysis::Loop;
use duet_ir::{Block, CastOp, Edge, IntCc, Terminator, Value, ValueDef};
use duet_smt::{Sort, TermId, TermPool};
use duet_vc::ops;

use super::cut::{Carried, Counted, Moment, Round, Tail};
use super::guards::{Guard, Guards};
use super::run::{BlockRun, Open};
use super::thread::{Thread, Way};
use crate::engines::NotShown;
use crate::engines::terms::Env;

impl Open {
    /// All of an iteration has been followed.
    pub(super) fn close(&mut self) -> Result<(), NotShown> {
        let (guard, args) = self.back.take().ok_or("a loop does not go back")?;
        // SOUNDNESS: an iteration that does not get back to the head is the last one (test
        // `an_iteration_that_returns`).
        if guard != self.guards[1] || self.passed != self.barriers {
            return Err("an iteration of a loop may end elsewhere".into());
        }
        for carried in &mut self.round.carried {
            carried.step = Some(args[carried.param]);
        }
        Ok(())
    }
}

impl BlockRun<'_> {
    pub(super) fn is_counted(&self, block: Block) -> bool {
        self.symbolic.as_ref().is_some_and(|symbolic| symbolic.counted.contains_key(&block))
    }

    /// The counted loops around a block, outermost first.
    fn around(&self, block: Block) -> Vec<usize> {
        let Some(symbolic) = &self.symbolic else { return vec![] };
        let around: Vec<Loop> = self.loops.around(block).collect();
        let open = |id: &Loop| symbolic.latest.get(&self.loops.data(*id).header).copied();
        let is_counted = |id: &&Loop| symbolic.counted.contains_key(&self.loops.data(**id).header);
        let mut open: Vec<(u32, usize)> = around
            .iter()
            .filter(is_counted)
            .filter_map(|id| Some((self.loops.data(*id).depth, open(id)?)))
            .collect();
        open.sort_unstable();
        open.into_iter().map(|(_, round)| round).collect()
    }

    /// Counts of the counted loops around a block.
    pub(super) fn counts(&self, block: Block) -> Vec<TermId> {
        let rounds = self.around(block);
        let Some(symbolic) = &self.symbolic else { return vec![] };
        rounds.into_iter().map(|number| symbolic.rounds[number].round.count).collect()
    }

    /// How many barriers a thread has passed that is in a block.
    pub(super) fn moment(&self, block: Block) -> Moment {
        let inside = self.around(block);
        let Some(symbolic) = &self.symbolic else { return Moment::default() };
        let mut moment = symbolic.moment.clone();
        for (number, open) in symbolic.rounds.iter().enumerate() {
            match (open.barriers > 0, inside.contains(&number)) {
                (false, _) => {}
                (true, true) => {
                    moment.number += open.passed;
                    moment.parts.push((open.round.count, open.barriers));
                }
                // The loop is behind: all of its iterations have passed theirs.
                (true, false) => moment.parts.push((open.round.trips, open.barriers)),
            }
        }
        moment
    }

    /// A thread with symbols for its ids passes a barrier of the block.
    ///
    /// SOUNDNESS: barriers are counted, so all of the block must pass this one (test
    /// `a_barrier_under_a_condition_ends_the_attempt`).
    pub(super) fn pass_barrier(&mut self, block: Block, guard: Guard) -> Result<(), NotShown> {
        let innermost = self.around(block).last().copied();
        let symbolic = self.symbolic.as_mut().ok_or("no thread with symbols")?;
        let is_met = match innermost.map(|number| &mut symbolic.rounds[number]) {
            None => {
                symbolic.moment.number += 1;
                guard == Guard::TRUE
            }
            Some(open) => {
                open.passed += 1;
                open.guards == [Guard::TRUE, guard]
            }
        };
        if is_met { Ok(()) } else { Err("a barrier under a condition".into()) }
    }

    /// Goes through a counted loop: into an iteration of any number, and on behind the loop.
    pub(super) fn enter(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
        way: Way,
    ) -> Result<(), NotShown> {
        let symbolic = self.symbolic.as_ref().ok_or("no thread with symbols")?;
        let counted = symbolic.counted[&way.block].clone();
        let number = symbolic.rounds.len();
        let parent = self.loops.headed_by(way.block).and_then(|id| self.loops.data(id).parent);
        let outer = parent.map_or(vec![], |id| self.counts(self.loops.data(id).header));
        let count = pool.bv_var(&format!("count.{}.{number}", self.terms.side.letter()), 32);
        let limits = self.limits(pool, &way, &counted, count)?;
        let trips = self.trips(pool, &limits, (number, count), &outer);
        let happens = limits.happens;
        let carried = self.carried(pool, &way, &counted, (number, count), &outer);
        let body = guards.of(pool, happens);
        let body = guards.and(way.guard, body);
        self.note_wrap(&counted, &limits, pool);
        let round = Round {
            outer,
            count,
            trips,
            happens,
            keeps: limits.keeps,
            counter: limits.counter,
            carried,
        };
        let symbolic = self.symbolic.as_mut().ok_or("no thread with symbols")?;
        symbolic.latest.insert(way.block, number);
        let at_first = [way.guard, body];
        let open =
            Open { round, guards: at_first, back: None, barriers: counted.barriers, passed: 0 };
        symbolic.rounds.push(open);
        if let Some(tail) = counted.tail.clone() {
            return self.enter_untested(
                pool,
                guards,
                thread,
                (way, body),
                (&counted, &tail),
                &limits,
            );
        }
        let Terminator::Branch { then, otherwise, .. } =
            self.terms.func.blocks[way.block].terminator.clone()
        else {
            return Err("a head without a test".into());
        };
        let id = self.loops.headed_by(way.block).ok_or("no head")?;
        let (inside, outside) = match self.loops.contains(id, then.block) {
            true => (then, otherwise),
            false => (otherwise, then),
        };
        for (edge, count, guard) in [(inside, count, body), (outside, trips, way.guard)] {
            let mut next = way.clone();
            self.bind(pool, &mut next.env, &counted, &limits, (number, count))?;
            for &inst in &self.terms.func.blocks[way.block].insts.clone() {
                self.step(pool, guards, thread, &mut next, inst)?;
            }
            self.take(pool, guards, thread, &next, &edge, guard)?;
        }
        Ok(())
    }

    /// Goes through a loop that is tested at its end.
    ///
    /// SOUNDNESS: its first iteration is not tested, so the test must be known to hold there;
    /// and what its iterations compute is known behind it only as far as they hand it to the
    /// next one (test `loops_tested_at_their_end`).
    fn enter_untested(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
        (way, body): (Way, Guard),
        (counted, tail): (&Counted, &Tail),
        limits: &Limits,
    ) -> Result<(), NotShown> {
        let symbolic = self.symbolic.as_ref().ok_or("no thread with symbols")?;
        let number = symbolic.latest[&counted.header];
        let (count, trips) =
            (symbolic.rounds[number].round.count, symbolic.rounds[number].round.trips);
        let mut known = way.guard;
        for &fact in &symbolic.facts {
            let fact = guards.of(pool, fact);
            known = guards.and(known, fact);
        }
        let (first, bound) = (limits.counters[&counted.tested].0, limits.counter.1);
        let test = compared(pool, counted.cc, first, bound).ok_or("a counter without an order")?;
        let test = guards.of(pool, test);
        let fails = guards.not(test);
        if guards.and(known, fails) != Guard::FALSE {
            return Err("a loop is not known to make a first iteration".into());
        }
        let mut inside = Way { guard: body, ..way.clone() };
        self.bind(pool, &mut inside.env, counted, limits, (number, count))?;
        self.go_through(pool, guards, thread, inside)?;
        let mut after = Env::new();
        self.bind(pool, &mut after, counted, limits, (number, trips))?;
        let func = self.terms.func;
        let id = self.loops.headed_by(counted.header).ok_or("no head")?;
        let is_inside = |value: &Value| match func.values[*value] {
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => false,
            ValueDef::BlockParam(block, _) => self.loops.contains(id, block),
            ValueDef::Result(inst, _) => {
                func.block_of(inst).is_some_and(|block| self.loops.contains(id, block))
            }
        };
        let mut outside = Way { block: tail.block, ..way };
        outside.env.retain(|value, _| !is_inside(value));
        let params = &func.blocks[counted.header].params;
        for (param, next) in params.iter().zip(&tail.back.args) {
            if let (true, Some(&left)) = (is_inside(next), after.get(param)) {
                outside.env.insert(*next, left);
            }
        }
        let guard = outside.guard;
        self.take(pool, guards, thread, &outside, &tail.out, guard)
    }

    /// The way back that is taken where an iteration of any number ends that is tested there.
    pub(super) fn untested_back(&self, block: Block) -> Option<Edge> {
        let symbolic = self.symbolic.as_ref()?;
        let tails = symbolic.counted.values().filter_map(|counted| counted.tail.as_ref());
        let mut own = tails.filter(|tail| tail.block == block);
        own.next().map(|tail| tail.back.clone())
    }

    /// The head's parameters at a count.
    fn bind(
        &mut self,
        pool: &mut TermPool,
        env: &mut Env,
        counted: &Counted,
        limits: &Limits,
        (number, count): (usize, TermId),
    ) -> Result<(), NotShown> {
        let params = &self.terms.func.blocks[counted.header].params;
        let symbolic = self.symbolic.as_ref().ok_or("no thread with symbols")?;
        let round = &symbolic.rounds[number].round;
        let ids: Vec<TermId> = symbolic.ids().into_iter().chain(round.outer.clone()).collect();
        for (&position, &(first, step)) in &limits.counters {
            let width = pool.width(first);
            let count = pool.bits().zext_or_trunc(count, width);
            let moved = pool.bits().mul(count, step);
            env.insert(params[position], pool.bits().add(first, moved));
        }
        for carried in &round.carried {
            let args: Vec<TermId> = ids.iter().copied().chain([count]).collect();
            env.insert(params[carried.param], pool.apply(carried.func, &args));
        }
        Ok(())
    }

    fn carried(
        &mut self,
        pool: &mut TermPool,
        way: &Way,
        counted: &Counted,
        (number, count): (usize, TermId),
        outer: &[TermId],
    ) -> Vec<Carried> {
        let params = self.terms.func.blocks[counted.header].params.clone();
        let ids = self.symbolic.as_ref().map(|symbolic| symbolic.ids()).unwrap_or_default();
        let args: Vec<TermId> = ids.iter().chain(outer).chain([&count]).copied().collect();
        let sorts: Vec<Sort> = args.iter().map(|&arg| pool.sort(arg)).collect();
        let mut list = vec![];
        for (param, &value) in params.iter().enumerate() {
            if counted.counters.contains_key(&param) {
                continue;
            }
            let name = format!("carried.{}.{number}.{param}", self.terms.side.letter());
            let func = pool.func(&name, &sorts, ops::sort_of(self.terms.func.type_of(value)));
            let first = way.env[&value];
            list.push(Carried { func, param, first, step: None });
        }
        list
    }

    /// When an iteration happens.
    fn limits(
        &mut self,
        pool: &mut TermPool,
        way: &Way,
        counted: &Counted,
        count: TermId,
    ) -> Result<Limits, NotShown> {
        let params = self.terms.func.blocks[counted.header].params.clone();
        let mut counters = std::collections::BTreeMap::new();
        for (&position, &step) in &counted.counters {
            let step = self.invariant(pool, &way.env, step)?;
            counters.insert(position, (way.env[&params[position]], step));
        }
        let bound = self.invariant(pool, &way.env, counted.bound)?;
        let (first, step) = counters[&counted.tested];
        let is_signed = matches!(counted.cc, IntCc::Slt | IntCc::Sle | IntCc::Sgt | IntCc::Sge);
        let is_strict = matches!(counted.cc, IntCc::Slt | IntCc::Ult | IntCc::Sgt | IntCc::Ugt);
        let is_down = counted.is_down();
        let zero = pool.bv(32, 0);
        let moved = pool.bits().mul(count, step);
        let counter = (pool.bits().add(first, moved), bound);
        let is_counter = pool.as_bv(first) == Some(0)
            && pool.as_bv(step) == Some(1)
            && counted.extended.is_none()
            && counted.shift == 0;
        let not_negative = pool.compare().sle(zero, count);
        let mut limits = Limits {
            counters,
            happens: not_negative,
            is_simple: None,
            extent: None,
            keeps: None,
            counter,
        };
        if is_counter && is_strict {
            // SOUNDNESS: a loop over unsigned numbers may make more iterations than a signed
            // count can number (test `iterations_beyond_a_signed_count`).
            limits.happens = match is_signed {
                true => {
                    let below = pool.compare().slt(count, bound);
                    pool.and2(not_negative, below)
                }
                false => pool.compare().ult(count, bound),
            };
            limits.is_simple = Some((bound, is_signed));
            return Ok(limits);
        }
        let wide = if counted.extended.is_some() { 128 } else { 64 };
        let extends_sign = match counted.extended {
            Some((cast, _)) => cast == CastOp::SExt,
            None => is_signed,
        };
        let widen = |pool: &mut TermPool, term: TermId, signed: bool| match signed {
            true => pool.bits().sext_or_trunc(term, wide),
            false => pool.bits().zext_or_trunc(term, wide),
        };
        let machine = first;
        let first = widen(pool, first, extends_sign);
        let narrow_step = step;
        let one = pool.bv(32, 1);
        let is_positive = match is_down {
            true => pool.compare().slt(step, zero),
            false => pool.compare().sle(one, step),
        };
        let step = widen(pool, step, true);
        let bound = widen(pool, bound, is_signed);
        let counter = pool.bits().zext_or_trunc(count, wide);
        let moved = pool.bits().mul(counter, step);
        let at = pool.bits().add(first, moved);
        // SOUNDNESS: what is compared is the counter with what is added to it (test
        // `a_shifted_test_is_not_the_counter`).
        let shift = pool.bv(wide, i128::from(counted.shift) as u128 & duet_smt::mask(wide));
        let compared = pool.bits().add(at, shift);
        let (low, high) = if is_down { (bound, compared) } else { (compared, bound) };
        let mut below = match is_strict {
            true => pool.compare().slt(low, high),
            false => pool.compare().sle(low, high),
        };
        if counted.extended.is_some() {
            // It keeps its value in its own type.
            let limit = pool.bv(wide, 1 << if extends_sign { 31 } else { 32 });
            let fits = pool.compare().slt(at, limit);
            below = pool.and2(below, fits);
        }
        limits.happens = pool.and(&[not_negative, is_positive, below]);
        let moved = pool.bits().mul(count, narrow_step);
        let machine = pool.bits().add(machine, moved);
        let machine = widen(pool, machine, extends_sign);
        let keeps = pool.eq(machine, at);
        let otherwise = pool.not(limits.happens);
        limits.keeps = Some(pool.or2(otherwise, keeps));
        limits.extent = Some((below, is_positive));
        Ok(limits)
    }

    /// How many iterations there are.
    fn trips(
        &mut self,
        pool: &mut TermPool,
        limits: &Limits,
        (number, count): (usize, TermId),
        outer: &[TermId],
    ) -> TermId {
        let zero = pool.bv(32, 0);
        if let Some((bound, is_signed)) = limits.is_simple {
            let is_some = pool.compare().slt(zero, bound);
            return if is_signed { pool.ite(is_some, bound, zero) } else { bound };
        }
        let Some((below, is_positive)) = limits.extent else { return zero };
        let ids = self.symbolic.as_ref().map(|symbolic| symbolic.ids()).unwrap_or_default();
        let mentioned = pool.reachable(&[below]);
        let args: Vec<TermId> =
            ids.iter().chain(outer).copied().filter(|arg| mentioned.contains(arg)).collect();
        let args: Vec<TermId> = args.into_iter().filter(|&arg| pool.as_bv(arg).is_none()).collect();
        let sorts: Vec<Sort> = args.iter().map(|&arg| pool.sort(arg)).collect();
        let name = format!("trips.{}.{number}", self.terms.side.letter());
        let func = pool.func(&name, &sorts, Sort::BitVec(32));
        let trips = pool.apply(func, &args);
        // It stops there, and not before.
        let at = |pool: &mut TermPool, value: TermId| {
            pool.rebuild(&[below], |_, term, _| (term == count).then_some(value))[0]
        };
        let stops = at(pool, trips);
        let stops = pool.not(stops);
        let one = pool.bv(32, 1);
        let last = pool.bits().sub(trips, one);
        let goes_on = at(pool, last);
        let none = pool.eq(trips, zero);
        let goes_on = pool.and2(goes_on, is_positive);
        let before = pool.or2(none, goes_on);
        let natural = pool.compare().sle(zero, trips);
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.lemmas.push((func, args, vec![stops, before, natural]));
        }
        trips
    }

    /// A value that the loop does not change, at its entry.
    fn invariant(&self, pool: &mut TermPool, env: &Env, value: Value) -> Result<TermId, NotShown> {
        if let Ok(term) = self.terms.term(pool, env, value) {
            return Ok(term);
        }
        let ValueDef::Result(inst, _) = self.terms.func.values[value] else {
            return Err("a value is used that was not computed on the way".into());
        };
        let mut env = env.clone();
        for arg in self.terms.func.insts[inst].values() {
            let term = self.invariant(pool, &env, arg)?;
            env.insert(arg, term);
        }
        let geometry = |pool: &mut TermPool, own| self.geometry(pool, own, [0; 3]);
        let term = self.terms.pure(pool, &env, inst, &geometry)?;
        term.ok_or_else(|| "a bound is not computed from what is known".into())
    }

    /// An iteration goes back to the head.
    pub(super) fn go_back(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        way: &Way,
        edge: &Edge,
        guard: Guard,
    ) -> Result<(), NotShown> {
        let mut args = vec![];
        for &arg in &edge.args {
            args.push(self.terms.term(pool, &way.env, arg)?);
        }
        let symbolic = self.symbolic.as_mut().ok_or("no thread with symbols")?;
        let number = symbolic.latest[&edge.block];
        let open = &mut symbolic.rounds[number];
        open.back = Some(match open.back.take() {
            None => (guard, args),
            Some((old, before)) => {
                let both = before.iter().zip(&args);
                let merged = both.map(|(&x, &y)| guards.select(pool, old, x, y)).collect();
                (guards.or(old, guard), merged)
            }
        });
        Ok(())
    }

    fn note_wrap(&mut self, counted: &Counted, limits: &Limits, pool: &TermPool) {
        let (first, step) = limits.counters[&counted.tested];
        let numbers = [first, step, limits.counter.1].map(|term| pool.as_bv(term));
        if numbers.iter().all(|number| number.is_some_and(|bits| bits < 1 << 24)) {
            // From a small number by a small one to a small one.
            return;
        }
        let starts_low = pool.as_bv(first).is_some_and(|bits| bits < 1 << 31);
        let is_signed = matches!(counted.cc, IntCc::Slt | IntCc::Sle);
        let is_numbered = limits.is_simple.is_some() || is_signed;
        if !counted.may_wrap && !counted.is_down() && starts_low && is_numbered {
            return;
        }
        let func = self.terms.func;
        let loc = func.blocks[counted.header].loc;
        let line = self.kernel.module.source_span(loc).map(|span| format!(":{}", span.line));
        let (file, line) = (self.kernel.file.display(), line.unwrap_or_default());
        self.assumptions.insert(format!(
            "{file}{line}: no overflow of the counter of this loop, and fewer than 2^31 iterations"
        ));
    }
}

/// A comparison of two integers by their order.
fn compared(pool: &mut TermPool, cc: IntCc, a: TermId, b: TermId) -> Option<TermId> {
    Some(match cc {
        IntCc::Eq | IntCc::Ne => return None,
        IntCc::Ult => pool.compare().ult(a, b),
        IntCc::Ule => pool.compare().ule(a, b),
        IntCc::Ugt => pool.compare().ult(b, a),
        IntCc::Uge => pool.compare().ule(b, a),
        IntCc::Slt => pool.compare().slt(a, b),
        IntCc::Sle => pool.compare().sle(a, b),
        IntCc::Sgt => pool.compare().slt(b, a),
        IntCc::Sge => pool.compare().sle(b, a),
    })
}

/// What is known of a counted loop where it is reached.
pub(super) struct Limits {
    /// First value and step of each counter.
    counters: std::collections::BTreeMap<usize, (TermId, TermId)>,
    /// When the iteration of the count happens.
    happens: TermId,
    /// The bound of a counter from zero by one.
    is_simple: Option<(TermId, bool)>,
    /// The tested counter, and its bound.
    counter: (TermId, TermId),
    /// Where the iteration happens, the counter is what it is as an integer.
    keeps: Option<TermId>,
    /// Below the bound at the count, and the step is positive.
    extent: Option<(TermId, TermId)>,
}
