//! *Last block done*, *last thread done*, and a barrier of the grid by hand: a counter to
//! which each unit (a block, or a thread) adds one when it is done.
//!
//! What is read off the instructions of the kernel (`words`, `Paths`):
//!
//! * every access to the counter's array is strong and to one literal place; one
//!   instruction adds 1 (`atomicInc` may start again at 0), outside of loops; all others leave
//!   the word as it is, or put 0 there; a plain store of 0 comes behind the last addition,
//!   as below, though there may be no fence;
//! * an access is *before* if it comes before a fence that comes before the addition: in the
//!   thread that adds, or, if the unit is a block, through a barrier of the block;
//! * an access is *after* if it comes behind a fence that comes behind a read of the word:
//!   in the thread that reads, or through a barrier of the block that its first thread passes
//!   behind read and fence, or through a shared variable that the first thread sets from what
//!   it read and the others look at behind the barrier.
//!
//! What is asked of the solver: that no two threads of a unit add; that what was read is at
//! least N (or N - 1, by the addition itself), where N is the number of units in the launch;
//! that an access before the fence in the block of an addition is made by the thread that
//! adds, where no barrier comes between.
//!
//! *Argument.* The word is 0 at launch (a precondition, or an assumption that is printed).
//! Each unit adds one at most once, so there are at most N additions. By atomicity the word
//! holds, at each place of its coherence order, the number of additions since it was last 0
//! (by a reset, or because `atomicInc` started again; it cannot wrap around, since what is
//! read is compared with N as a number without bound). An addition that finds N - 1 therefore
//! comes behind the additions of all other units, and a read that finds N behind all. From the
//! last 0 on all writes are read-modify-writes, so what is read is in the release sequence of
//! each of these additions: each unit's fence, followed by its addition, synchronises with the
//! reader's fence. What is *before* in one unit happens before what is *after* in another.
//! Two additions cannot both find N - 1, for that takes more than N, so what is behind the
//! last addition is in one unit only.
//!
//! Behind the last addition a plain store may put 0 there. That addition has observed all
//! others, through read-modify-writes only, so they come before all that comes behind it,
//! without a fence (PTX: observation order followed by base causality order is part of
//! causality order). No unit adds again, so the store is the last write but for others of
//! its kind in its own unit. A thread that reads the word in another way races with it.
//!
//! Planted: kernels/order/last-block-*-bug, last-thread-*-bug, gate-*-bug.

use duet_ir::{Array, Inst, InstData, Space};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{Reading, ThreadTerms};

use super::argument::{Argument, PairScope, ThreadZero, thread_zero_at};
use super::words::{Does, Reach, Word, words};

/// Who adds once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    Block,
    Thread,
}

/// A counter of what is done.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) array: Array,
    pub(super) unit: Unit,
    /// How often each unit has added when it comes to the addition, that one included.
    pub(super) phase: u32,
    pub(super) add: Inst,
    /// Reads of the word, all additions included.
    pub(super) readers: Vec<Inst>,
    /// All additions.
    pub(super) adds: Vec<Inst>,
    /// Plain stores of 0 behind the last addition.
    pub(super) resets: Vec<Inst>,
}

/// Must a fence stand between the read of the word and what comes behind it?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fence {
    /// Yes: what others wrote before is looked at.
    Needed,
    /// No: only the word itself, or that there is one last unit.
    Any,
}

/// How an access comes after all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    /// Behind the last addition of all, which is in its own unit.
    Last,
    /// Behind a read that has seen all.
    All,
}

impl Argument<'_, '_, '_> {
    /// The counter that an array holds, if it is one of what is done.
    pub(super) fn counter(&mut self, array: Array) -> Result<Option<Counter>, SolverError> {
        let facts = self.facts();
        let Some(words) = words(facts, array) else { return Ok(None) };
        // SOUNDNESS: the units of the launch are counted, and each block has a shared word of
        // its own (kernels/order/last-block-shared-bug).
        if facts.module.arrays[array].space != Space::Global {
            return Ok(None);
        }
        let place = words.first().and_then(|word| facts.func.const_bits(word.offset));
        let is_one_place = |word: &Word| facts.func.const_bits(word.offset) == place;
        if place.is_none() || !words.iter().all(is_one_place) {
            return Ok(None);
        }
        // SOUNDNESS: other steps reach the number too soon
        // (kernels/order/last-block-steps-bug).
        let adds = |word: &&Word| matches!(word.does, Does::Add(1) | Does::Increment);
        let additions: Vec<&Word> = words.iter().filter(adds).collect();
        let &[addition] = &additions[..] else { return Ok(None) };
        let (add, phase) = (addition.inst, 1);
        // SOUNDNESS: in a loop a unit adds more than once (kernels/order/last-block-loop-bug).
        if self.paths.may_repeat(add) {
            return Ok(None);
        }
        // SOUNDNESS: where two threads of a block may add, the block is no unit
        // (kernels/order/last-block-two-bug).
        let is_once = self.are_never_two(PairScope::SameBlock, add, add, &mut |_, _, _| vec![])?;
        let unit = if is_once { Unit::Block } else { Unit::Thread };
        let resets = |word: &Word| matches!(word.does, Does::Set { to: 0, .. });
        let reads = |word: &&Word| matches!(word.does, Does::Read) || word.inst == add;
        let plain = |word: &&Word| word.does == Does::Reset;
        if !words.iter().all(|word| reads(&word) || resets(word) || plain(&word)) {
            return Ok(None);
        }
        let readers = words.iter().filter(reads).map(|word| word.inst).collect();
        let resets: Vec<Inst> = words.iter().filter(plain).map(|word| word.inst).collect();
        let counter = Counter { array, unit, phase, add, readers, adds: vec![add], resets };
        for &reset in &counter.resets {
            // SOUNDNESS: before the last addition a reset loses some of the count
            // (kernels/order/last-block-plain-reset-early-bug).
            if self.after(&counter, reset, Fence::Any)? != Some(After::Last) {
                return Ok(None);
            }
        }
        Ok(Some(counter))
    }

    /// The number of units of the launch, in a width that it fits.
    pub(super) fn units(&mut self, unit: Unit) -> TermId {
        let walker = &mut self.check.walker;
        let mut sizes = walker.geometry.grid.to_vec();
        if unit == Unit::Thread {
            sizes.extend(walker.geometry.block);
        }
        let sizes: Vec<TermId> =
            sizes.into_iter().filter(|&size| walker.pool.as_bv(size) != Some(1)).collect();
        let width = 32 * (sizes.len() as u32 + 1).max(3);
        let one = walker.pool.bv(width, 1);
        let wide: Vec<TermId> =
            sizes.iter().map(|&size| walker.pool.bits().zext_or_trunc(size, width)).collect();
        match &wide[..] {
            [] => one,
            [size] => *size,
            sizes => walker.pool.bits().product(sizes),
        }
    }

    /// That a number is less than the number of additions of all units up to the phase, or
    /// than that less one.
    pub(super) fn is_fewer(&mut self, counter: &Counter, number: TermId, but_one: bool) -> TermId {
        let units = self.units(counter.unit);
        let pool = &mut self.check.walker.pool;
        let width = pool.width(units);
        let phase = pool.bv(width, u128::from(counter.phase));
        let units = if counter.phase == 1 { units } else { pool.bits().mul(units, phase) };
        let number = pool.bits().zext_or_trunc(number, width);
        let one = pool.bv(width, 1);
        let counted = if but_one { pool.bits().add(number, one) } else { number };
        pool.compare().ult(counted, units)
    }

    /// Does the access come before its unit's addition, behind a fence?
    pub(super) fn before(&mut self, counter: &Counter, a: Inst) -> Result<bool, SolverError> {
        let add = counter.add;
        if self.is_released(a, add, Reach::Device) {
            let is_own = counter.unit == Unit::Thread;
            // SOUNDNESS: another thread's fence says nothing about this one's accesses
            // (kernels/order/last-block-no-barrier-bug).
            if is_own || self.are_never_two(PairScope::SameBlock, a, add, &mut |_, _, _| vec![])? {
                return Ok(true);
            }
        }
        Ok(counter.unit == Unit::Block && self.is_gathered(a, add, Reach::Device))
    }

    /// Does the access come after all units' additions, behind a fence where one is needed?
    pub(super) fn after(
        &mut self,
        counter: &Counter,
        b: Inst,
        fence: Fence,
    ) -> Result<Option<After>, SolverError> {
        for &reader in &counter.readers {
            let kind = if reader == counter.add { After::Last } else { After::All };
            let is_after = self.is_behind(counter, reader, b, fence)?
                || counter.unit == Unit::Block
                    && (self.is_behind_gate(counter, reader, b, fence)?
                        || self.is_told(counter, reader, b, fence)?);
            if is_after {
                return Ok(Some(kind));
            }
        }
        Ok(None)
    }

    /// The thread itself has read, and then passed a fence.
    fn is_behind(
        &mut self,
        counter: &Counter,
        reader: Inst,
        b: Inst,
        fence: Fence,
    ) -> Result<bool, SolverError> {
        let paths = self.paths;
        let is_acquired = fence == Fence::Any || self.is_acquired(paths, reader, b, Reach::Device);
        if !paths.must_precede(reader, b) || !is_acquired {
            return Ok(false);
        }
        let (thread, given) = self.one_thread();
        let mut reading = Reading::of(&thread, "at");
        let goal = self.conditions(paths, &mut reading, b);
        self.has_seen_all(counter, reader, &mut reading, given, goal)
    }

    /// What was read is enough, where the goal holds.
    pub(super) fn has_seen_all(
        &mut self,
        counter: &Counter,
        reader: Inst,
        reading: &mut Reading,
        given: Vec<TermId>,
        mut goal: Vec<TermId>,
    ) -> Result<bool, SolverError> {
        let result = self.facts().func.result(reader);
        let read = reading.term(&mut self.check.walker, result);
        goal.push(self.is_fewer(counter, read, counter.adds.contains(&reader)));
        self.is_impossible(given, goal, vec![reader])
    }

    /// The first thread of the block has read and passed a fence; then came a barrier.
    fn is_behind_gate(
        &mut self,
        counter: &Counter,
        reader: Inst,
        b: Inst,
        fence: Fence,
    ) -> Result<bool, SolverError> {
        let (mate, given) = self.one_thread();
        let zero = thread_zero_at(self, &mate, b);
        for barrier in self.block_barriers() {
            if !is_gate_with(self, &zero, reader, barrier, b, fence) {
                continue;
            }
            let mut reading = Reading::of(&zero.thread, "gate");
            let goal = self.conditions(&zero.paths, &mut reading, barrier);
            if self.has_seen_all(counter, reader, &mut reading, given.clone(), goal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does the first thread read, pass a fence and then the barrier, and comes `b` behind?
    pub(super) fn is_gate(
        &self,
        zero: &ThreadZero<'_>,
        reader: Inst,
        barrier: Inst,
        b: Inst,
    ) -> bool {
        is_gate_with(self, zero, reader, barrier, b, Fence::Needed)
    }

    /// The first thread has read, passed a fence and put what it read into a shared
    /// variable; the others looked at it behind a barrier.
    fn is_told(
        &mut self,
        counter: &Counter,
        reader: Inst,
        b: Inst,
        fence: Fence,
    ) -> Result<bool, SolverError> {
        let facts = self.facts();
        let shared = facts.func.arrays_used().into_iter();
        let shared = shared.filter(|&array| facts.module.arrays[array].space == Space::Shared);
        for array in shared.filter(|array| !facts.ordered.contains(array)) {
            if let Some((store, loads)) = self.message(array)?
                && self.is_told_by(counter, (reader, fence), b, store, &loads)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The one store to a shared variable and its loads, if only the first thread of a block
    /// stores, and all are plain and at one literal place.
    ///
    /// SOUNDNESS: a second store, or another thread's, may be what is loaded
    /// (kernels/order/last-block-told-twice-bug).
    fn message(&mut self, array: Array) -> Result<Option<(Inst, Vec<Inst>)>, SolverError> {
        let facts = self.facts();
        if facts.uses.aliases(array).next().is_some() {
            return Ok(None);
        }
        let (mut stores, mut loads, mut places) = (vec![], vec![], vec![]);
        for site in facts.uses.sites(array) {
            let data = &facts.func.insts[site.inst];
            let is_visible = site.inner.is_none();
            if let InstData::Load { access, lanes: 1, .. } = data
                && is_visible
            {
                places.push(facts.func.const_bits(access.offset));
                loads.push(site.inst);
            } else if let InstData::Store { access, values } = data
                && is_visible
                && values.len() == 1
            {
                places.push(facts.func.const_bits(access.offset));
                stores.push(site.inst);
            } else {
                return Ok(None);
            }
        }
        let is_one_place = places.iter().all(|place| place.is_some() && *place == places[0]);
        let &[store] = &stores[..] else { return Ok(None) };
        if !is_one_place || self.paths.may_repeat(store) {
            return Ok(None);
        }
        Ok(self.is_only_first(store)?.then_some((store, loads)))
    }

    fn is_told_by(
        &mut self,
        counter: &Counter,
        (reader, fence): (Inst, Fence),
        b: Inst,
        store: Inst,
        loads: &[Inst],
    ) -> Result<bool, SolverError> {
        let (thread, given) = self.one_thread();
        let zero = thread_zero_at(self, &thread, b);
        let paths = self.paths;
        for barrier in self.block_barriers() {
            // What is loaded was stored behind the read and before the barrier.
            let is_stored = zero.paths.must_precede(reader, store)
                && zero.paths.must_precede(store, barrier)
                && !paths.may_reach(Some(barrier), store, |_| false);
            let gate_of = |load: &&Inst| is_gate_with(self, &zero, reader, barrier, **load, fence);
            let heard: Vec<Inst> = match is_stored && !paths.may_repeat(reader) {
                true => loads.iter().filter(gate_of).copied().collect(),
                false => vec![],
            };
            for load in heard.into_iter().filter(|&load| paths.must_precede(load, b)) {
                let Some((told, read)) = self.told(&zero.thread, reader, store, load) else {
                    continue;
                };
                let mut reading = Reading::of(&thread, "at");
                reading.given.insert(self.facts().func.result(load), told);
                let mut goal = self.conditions(paths, &mut reading, b);
                goal.push(self.is_fewer(counter, read, counter.adds.contains(&reader)));
                if self.is_impossible(given.clone(), goal, vec![reader, store, load])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What the first thread stores, as a function of what it read and of sizes and
    /// arguments; and what it read.
    fn told(
        &mut self,
        zero: &ThreadTerms,
        reader: Inst,
        store: Inst,
        load: Inst,
    ) -> Option<(TermId, TermId)> {
        let func = self.facts().func;
        let InstData::Store { values, .. } = &func.insts[store] else { return None };
        if func.type_of(values[0]) != func.type_of(func.result(load)) {
            return None;
        }
        let result = func.result(reader);
        let mut reading = Reading::of(zero, "told");
        let read = reading.term(&mut self.check.walker, result);
        let told = reading.term(&mut self.check.walker, values[0]);
        let is_known = reading.unknown.keys().all(|&value| value == result);
        is_known.then_some((told, read))
    }
}

/// The same, with a fence where one is needed.
fn is_gate_with(
    argument: &Argument<'_, '_, '_>,
    zero: &ThreadZero<'_>,
    reader: Inst,
    barrier: Inst,
    b: Inst,
    fence: Fence,
) -> bool {
    let is_acquired = || argument.is_acquired(&zero.paths, reader, barrier, Reach::Device);
    argument.paths.must_precede(barrier, b)
        && zero.passes(barrier)
        && zero.paths.must_precede(reader, barrier)
        && (fence == Fence::Any || is_acquired())
}
