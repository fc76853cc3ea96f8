//! Counters of loops: an induction over visits by which a loop's counter does not wrap, and
//! the loop comes to an end after fewer than 2^32 iterations.
//!
//! For a loop with a parameter `first + m·step`: if the step is at least 1 and, whenever
//! visit m goes round, `first + (m + 1)·step` is still in range, then it is in range at every
//! visit, and `m <= (first + m·step) - first < 2^32`. So counts are numbers of 32 bits.
//!
//! SOUNDNESS: the step of the induction uses nothing of later visits, of the loop's end or
//! of its count (kernels/prove/traps/12-wrapping-counter, 17-endless).
//!
//! A loop may count several variables (`a += s, b += s * w`). Of the others the same is shown by
//! itself, without a look at what they grow by: if the variable is in range at visit m, it is
//! at the next one. Then it is `first + m·step` without wrapping at every visit.
//!
//! A loop without such a parameter ends too if a variable of 32 bits grows, or shrinks, with
//! every iteration: `d *= 2`, `d >>= 1`. Nothing more is known of it then.

use duet_ask::Effort;
use duet_ir::Type;
use duet_smt::solver::SolverError;
use duet_smt::{TermId, TermPool};
use duet_vc::HeaderTerm;

use crate::proof::Prover;
use crate::proof::walked::Instance;

/// What is known of a loop's counter at every visit that happens.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// Its value at the first visit, and what it grows by, in 64 bits; over the formal
    /// thread and the counts of loops around.
    first: TermId,
    step: TermId,
    /// The greatest or, for a falling one, least value in range.
    limit: TermId,
    /// The end of the range that it moves away from.
    least: i128,
    /// It falls.
    falls: bool,
}

/// A variable of a loop that is `first + m·step` at visit m, in 64 bits, and in range.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    first: TermId,
    step: TermId,
}

/// Looks for counters with a prover.
pub struct Counting<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Counting);

impl Counter {
    /// Its value at the first visit, in 64 bits.
    pub fn first(&self) -> TermId {
        self.first
    }
}

impl Counting<'_, '_, '_> {
    /// Finds the counter of each loop, outer ones first; the loop that has none.
    pub fn find_counters(&mut self) -> Result<Option<duet_analysis::Loop>, SolverError> {
        let headers = self.walked.walk.headers.clone();
        for header in &headers {
            let twice = headers.iter().filter(|other| other.id == header.id).count() > 1;
            let counter = if twice { None } else { self.find_counter(header)? };
            match counter {
                Some(counter) => {
                    self.counters.insert(header.id, counter);
                    self.find_followers(header)?;
                }
                None if !twice && self.moves_on(header)? => {}
                None => return Ok(Some(header.id)),
            }
        }
        Ok(None)
    }
}

impl Prover<'_, '_> {
    /// What is known of the counter of a loop at an instance whose visit happens, and what the
    /// contract says at the loop.
    pub fn counter_facts(
        &mut self,
        instance: &mut Instance,
        id: duet_analysis::Loop,
        count: TermId,
    ) -> Vec<TermId> {
        let stated = self.invariants.iter().filter(|one| one.0 == id);
        let stated: Vec<TermId> = stated.map(|one| one.1).collect();
        let mut known = self.walked.at(instance, &stated);
        if let Some(&counter) = self.counters.get(&id) {
            let terms = self.walked.at(instance, &[counter.first, counter.step]);
            let own = Counter { first: terms[0], step: terms[1], ..counter };
            known.push(moves(&mut self.walked.walker.pool, own));
            known.push(in_range(&mut self.walked.walker.pool, own, count, false));
            known.push(from_first(&mut self.walked.walker.pool, own, count));
        }
        for (_, follower) in self.followers.clone().into_iter().filter(|one| one.0 == id) {
            let terms = self.walked.at(instance, &[follower.first, follower.step]);
            let own = Follower { first: terms[0], step: terms[1] };
            known.push(stays(&mut self.walked.walker.pool, own, count, false));
        }
        known
    }
}

impl Counting<'_, '_, '_> {
    /// The ids of the formal thread and the counts of loops stay what they are.
    pub fn identity(&mut self, instance: &mut Instance) {
        let ids: Vec<TermId> = self
            .walked
            .ids(false)
            .into_iter()
            .chain(self.walked.ids(true))
            .map(|one| one.0)
            .collect();
        for id in ids {
            instance.set(id, id);
        }
        let counts: Vec<TermId> =
            self.walked.walk.headers.iter().map(|header| header.visits).collect();
        for visits in counts {
            instance.set(visits, visits);
        }
        let block = self.walked.thread.block;
        self.walked.set_block(instance, block);
    }

    /// What is known of the counts of the loops around a header, in the formal walk: counts
    /// are below 2^32, and counters in range.
    pub fn around_formal(&mut self, header: &HeaderTerm) -> Vec<TermId> {
        let facts = self.walked.facts();
        let block = facts.program.alone.nodes[header.node].block;
        let around: Vec<_> = facts.loops.around(block).filter(|id| *id != header.id).collect();
        let mut known = vec![];
        for id in around {
            let (Some(outer), Some(&counter)) = (self.walked.header(id), self.counters.get(&id))
            else {
                continue;
            };
            let visits = outer.visits;
            let pool = &mut self.walked.walker.pool;
            let most = pool.bv(64, u128::from(u32::MAX));
            known.push(pool.compare().ule(visits, most));
            known.push(in_range_wide(&mut self.walked.walker.pool, counter, visits));
            known.push(moves(&mut self.walked.walker.pool, counter));
        }
        known
    }

    /// Does a variable of 32 bits grow or shrink whenever the loop goes round, as a number
    /// without sign or with one? Then it does so fewer than 2^32 times.
    fn moves_on(&mut self, header: &HeaderTerm) -> Result<bool, SolverError> {
        let mut hypotheses = self.base.clone();
        hypotheses.extend(self.walked.thread.facts.clone());
        hypotheses.push(self.walked.walk.reach[&header.node]);
        hypotheses.extend(self.around_formal(header));
        let backs: Vec<_> = header.edges.iter().filter(|edge| edge.is_back).cloned().collect();
        for (index, &param) in header.params.iter().enumerate() {
            if self.walked.walker.pool.sort(param) != duet_smt::Sort::BitVec(32) {
                continue;
            }
            let mut hypotheses = hypotheses.clone();
            if self.stays_positive(header, index, &hypotheses)? {
                self.positive.push((header.id, index));
                let zero = self.walked.walker.pool.bv(32, 0);
                hypotheses.push(self.walked.walker.pool.compare().slt(zero, param));
            }
            'ways: for (signed, falls) in [(false, true), (false, false), (true, false)] {
                for edge in &backs {
                    let (from, to) = match falls {
                        true => (edge.args[index], param),
                        false => (param, edge.args[index]),
                    };
                    let pool = &mut self.walked.walker.pool;
                    let moves = match signed {
                        true => pool.compare().slt(from, to),
                        false => pool.compare().ult(from, to),
                    };
                    let mut all = hypotheses.clone();
                    all.extend(self.walked.walk.facts_at(edge.at));
                    all.push(edge.guard);
                    if !self.implies(&all, moves, "a loop's variable moves on", Effort::Small)? {
                        continue 'ways;
                    }
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is a variable of a loop above zero at every visit? By induction: on entry, and over
    /// each way round.
    fn stays_positive(
        &mut self,
        header: &HeaderTerm,
        index: usize,
        hypotheses: &[TermId],
    ) -> Result<bool, SolverError> {
        let pool = &mut self.walked.walker.pool;
        let zero = pool.bv(32, 0);
        let first = pool.compare().slt(zero, header.initial[index]);
        let now = pool.compare().slt(zero, header.params[index]);
        if !self.implies(hypotheses, first, "a variable starts above zero", Effort::Small)? {
            return Ok(false);
        }
        for edge in header.edges.iter().filter(|edge| edge.is_back) {
            let next = self.walked.walker.pool.compare().slt(zero, edge.args[index]);
            let mut all = hypotheses.to_vec();
            all.extend(self.walked.walk.facts_at(edge.at));
            all.extend([edge.guard, now]);
            if !self.implies(&all, next, "a variable stays above zero", Effort::Small)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn find_counter(&mut self, header: &HeaderTerm) -> Result<Option<Counter>, SolverError> {
        let facts = self.walked.facts();
        let block = facts.program.alone.nodes[header.node].block;
        for (index, &param) in facts.func.blocks[block].params.iter().enumerate() {
            let is_affine =
                matches!(facts.forms.get(param), Some(duet_analysis::ClosedForm::Affine { .. }));
            let ty = facts.func.type_of(param);
            if !is_affine || ty != Type::I32 {
                continue;
            }
            for (signed, falls) in [(true, false), (false, false), (true, true)] {
                let counter = self.candidate(header, index, signed, falls);
                if self.is_counter(header, counter)? {
                    return Ok(Some(counter));
                }
            }
        }
        Ok(None)
    }

    /// Finds the other variables of 32 bits that count with a loop.
    fn find_followers(&mut self, header: &HeaderTerm) -> Result<(), SolverError> {
        let facts = self.walked.facts();
        let block = facts.program.alone.nodes[header.node].block;
        for (index, &param) in facts.func.blocks[block].params.iter().enumerate() {
            let is_affine =
                matches!(facts.forms.get(param), Some(duet_analysis::ClosedForm::Affine { .. }));
            if !is_affine || facts.func.type_of(param) != Type::I32 {
                continue;
            }
            let Counter { first, step, .. } = self.candidate(header, index, true, false);
            let is_counter = self.counters.get(&header.id).is_some_and(|own| own.first == first);
            let follower = Follower { first, step };
            if !is_counter && self.is_follower(header, follower)? {
                self.followers.push((header.id, follower));
            }
        }
        Ok(())
    }

    /// Is a variable in range at each visit? On entry it is, as a number of 32 bits.
    fn is_follower(
        &mut self,
        header: &HeaderTerm,
        follower: Follower,
    ) -> Result<bool, SolverError> {
        let mut hypotheses = self.base.clone();
        hypotheses.extend(self.walked.thread.facts.clone());
        hypotheses.push(self.walked.walk.reach[&header.node]);
        hypotheses.extend(self.around_formal(header));
        let mut instance = Instance::default();
        let count = self.walked.walker.pool.fresh("count", duet_smt::Sort::BitVec(32));
        self.identity(&mut instance);
        self.walked.set_count(&mut instance, header.id, count);
        hypotheses.push(stays(&mut self.walked.walker.pool, follower, count, false));
        let next = stays(&mut self.walked.walker.pool, follower, count, true);
        for edge in header.edges.iter().filter(|edge| edge.is_back) {
            let mut known = self.walked.walk.facts_at(edge.at);
            known.push(edge.guard);
            let mut all = hypotheses.clone();
            all.extend(self.walked.at(&mut instance, &known));
            let about = "a loop's variable stays in range";
            if !self.implies(&all, next, about, Effort::Moment)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn candidate(
        &mut self,
        header: &HeaderTerm,
        index: usize,
        signed: bool,
        falls: bool,
    ) -> Counter {
        let pool = &mut self.walked.walker.pool;
        let at = |pool: &mut TermPool, count: u128| {
            let number = pool.bv(64, count);
            let visits = header.visits;
            let replaced = pool
                .rebuild(&[header.params[index]], |_, term, _| (term == visits).then_some(number));
            replaced[0]
        };
        let (first, second) = (at(pool, 0), at(pool, 1));
        let step = pool.bits().sub(second, first);
        let wide = |pool: &mut TermPool, term| match signed {
            true => pool.bits().sign_extend(32, term),
            false => pool.bits().zero_extend(32, term),
        };
        let (first, step) = (wide(pool, first), wide(pool, step));
        let limit = match (signed, falls) {
            (true, false) => i128::from(i32::MAX),
            (false, _) => i128::from(u32::MAX),
            (true, true) => i128::from(i32::MIN),
        };
        let least = match (signed, falls) {
            (true, false) => i128::from(i32::MIN),
            (false, _) => 0,
            (true, true) => i128::from(i32::MAX),
        };
        let limit = pool.bv(64, limit as u128);
        Counter { first, step, limit, least, falls }
    }

    fn is_counter(&mut self, header: &HeaderTerm, counter: Counter) -> Result<bool, SolverError> {
        let mut hypotheses = self.base.clone();
        hypotheses.extend(self.walked.thread.facts.clone());
        hypotheses.push(self.walked.walk.reach[&header.node]);
        hypotheses.extend(self.around_formal(header));
        let steps = moves(&mut self.walked.walker.pool, counter);
        if !self.implies(&hypotheses, steps, "a loop's counter moves", Effort::Small)? {
            return Ok(false);
        }
        hypotheses.push(steps);
        // One visit that goes round, in the formal walk itself: its count is a number of 32
        // bits by the hypothesis of the induction.
        let mut instance = Instance::default();
        let count = self.walked.walker.pool.fresh("count", duet_smt::Sort::BitVec(32));
        self.identity(&mut instance);
        self.walked.set_count(&mut instance, header.id, count);
        let now = in_range(&mut self.walked.walker.pool, counter, count, false);
        let next = in_range(&mut self.walked.walker.pool, counter, count, true);
        let backs: Vec<_> = header.edges.iter().filter(|edge| edge.is_back).cloned().collect();
        for edge in backs {
            let mut known = self.walked.walk.facts_at(edge.at);
            known.push(edge.guard);
            let mut all = hypotheses.clone();
            all.extend(self.walked.at(&mut instance, &known));
            all.push(now);
            if !self.implies(&all, next, "a loop's counter stays in range", Effort::Small)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The step is at least 1, or at most -1.
fn moves(pool: &mut TermPool, counter: Counter) -> TermId {
    let zero = pool.bv(64, 0);
    match counter.falls {
        false => pool.compare().slt(zero, counter.step),
        true => pool.compare().slt(counter.step, zero),
    }
}

/// The counter is in range at a visit, or at the next one.
fn in_range(pool: &mut TermPool, counter: Counter, count: TermId, next: bool) -> TermId {
    let mut wide = pool.bits().zext_or_trunc(count, 64);
    if next {
        let one = pool.bv(64, 1);
        wide = pool.bits().add(wide, one);
    }
    in_range_wide(pool, counter, wide)
}

/// A variable is in range at a visit, or at the next one.
fn stays(pool: &mut TermPool, follower: Follower, count: TermId, next: bool) -> TermId {
    let mut wide = pool.bits().zext_or_trunc(count, 64);
    if next {
        let one = pool.bv(64, 1);
        wide = pool.bits().add(wide, one);
    }
    let distance = pool.bits().mul(wide, follower.step);
    let value = pool.bits().add(follower.first, distance);
    let least = pool.bv(64, i128::from(i32::MIN) as u128);
    let most = pool.bv(64, i128::from(i32::MAX) as u128);
    let (low, high) = (pool.compare().sle(least, value), pool.compare().sle(value, most));
    pool.and2(low, high)
}

/// The counter is on the other side of where it started, at a visit that happens: it moved away
/// from there, and did not wrap.
fn from_first(pool: &mut TermPool, counter: Counter, count: TermId) -> TermId {
    let wide = pool.bits().zext_or_trunc(count, 64);
    let distance = pool.bits().mul(wide, counter.step);
    let value = pool.bits().add(counter.first, distance);
    let least = pool.bv(64, counter.least as u128);
    match counter.falls {
        false => pool.compare().sle(least, value),
        true => pool.compare().sle(value, least),
    }
}

fn in_range_wide(pool: &mut TermPool, counter: Counter, count: TermId) -> TermId {
    let distance = pool.bits().mul(count, counter.step);
    let value = pool.bits().add(counter.first, distance);
    match counter.falls {
        false => pool.compare().sle(value, counter.limit),
        true => pool.compare().sle(counter.limit, value),
    }
}
