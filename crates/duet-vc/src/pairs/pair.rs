//! Two threads at the start of an interval, and their walks through it.

use std::collections::{BTreeSet, HashMap};

use duet_analysis::Loop;
use duet_ir::{Array, BarrierScope, Block, EntityRef, Inst, Space, Value, ValueDef};
use duet_product::{Context, Family, Interval, KernelFacts, Lanes, Mates, Row, Scope, Start as At};
use duet_smt::TermId;

use super::about_others::{self, OfTwo, Two};
use super::barrier_claims::{AtBarrier, loads_of};
use super::lockstep::Steps;
use super::{Walker, kernel};
use crate::symbols::Side;
use crate::{AboutOthers, Encoder, Point, Sharing, SiteTerm, Start, ThreadTerms, Walk};

/// Threads of a warp.
const WARP: u32 = 32;

/// The two threads' walks through an interval.
pub struct PairWalk {
    /// The first thread's.
    pub first: Walk,
    /// The second thread's.
    pub second: Walk,
    /// What is known at the start: launch, ids, the way there.
    pub facts: Vec<TermId>,
    /// The same without what the source assumes.
    pub not_stated: Vec<TermId>,
    /// How the two go through it.
    pub steps: Steps,
    /// The terms of values on the way there, of each.
    values_before: Vec<HashMap<(Context, Value), TermId>>,
    /// What is assumed of the two in the interval.
    of_two: Vec<OfTwo>,
    /// Both go through the same interval, so that they are interchangeable.
    pub is_symmetric: bool,
}

impl PairWalk {
    fn new(first: Walk, second: Walk, facts: Vec<TermId>, steps: Steps) -> PairWalk {
        let not_stated = facts.clone();
        let (values_before, of_two, is_symmetric) = (vec![], vec![], true);
        PairWalk { first, second, facts, not_stated, steps, values_before, of_two, is_symmetric }
    }

    /// Adds what is known of the ways to the start.
    fn learn(&mut self, ways: [Before; 2]) {
        for before in ways {
            self.facts.extend(before.facts);
            self.not_stated.extend(before.not_stated);
            self.values_before.push(before.values);
        }
    }

    /// What is assumed of the two, if the first is at one place in the interval and the
    /// second at the other.
    pub fn facts_of_two(&self, one: Point, other: Point) -> impl Iterator<Item = TermId> {
        about_others::passed(&self.of_two, move |thread, place| match thread {
            0 => self.first.has_passed(place, one),
            _ => self.second.has_passed(place, other),
        })
    }

    /// The term of a value for the first or the second thread, in code that no loop of the
    /// interval goes round, or before it.
    pub fn value(&self, second: bool, value: Value) -> Option<TermId> {
        let only = (Context::new(0), value);
        let walk = if second { &self.second } else { &self.first };
        let before = || self.values_before.get(usize::from(second))?.get(&only);
        walk.values.get(&only).or_else(before).copied()
    }

    /// The same at one of its accesses: of the iteration that the access belongs to, if the
    /// value was computed in it.
    pub fn value_at(&self, second: bool, site: &SiteTerm, value: Value) -> Option<TermId> {
        let walk = if second { &self.second } else { &self.first };
        let own = walk.values.get(&(site.context, value)).copied();
        own.or_else(|| (site.context == Context::new(0)).then(|| self.value(second, value))?)
    }

    /// The values of the two.
    pub fn as_two(&self, same_block: bool) -> Two<impl Fn(bool, Value) -> Option<TermId>> {
        Two { value: |second, value| self.value(second, value), same_block }
    }
}

/// What a thread brings to the start of an interval.
pub(super) struct Before {
    /// What is known of the way there.
    pub(super) facts: Vec<TermId>,
    /// The same without what the source assumes.
    not_stated: Vec<TermId>,
    /// The accesses on that way.
    sites: Vec<SiteTerm>,
    /// The values on that way.
    values: HashMap<(Context, Value), TermId>,
    /// What is assumed there of this thread and another one.
    about_others: Vec<AboutOthers>,
}

/// What the pair shares at the start of an interval.
pub(super) struct PairSharing<'a> {
    facts: &'a KernelFacts<'a>,
    scope: Option<BarrierScope>,
    /// The block that the interval starts in.
    block: Block,
    unaligned: BTreeSet<Loop>,
    /// The barriers that make arrays common at the start, if any do.
    common: Option<&'a Family>,
    /// The barriers that the two pass together, by what they order.
    families: &'a [Family],
}

impl<'a> PairSharing<'a> {
    /// What two threads of a row share at the start of an interval of a family.
    pub(super) fn new(
        facts: &'a KernelFacts<'a>,
        row: &'a Row,
        family: &'a Family,
        interval: &Interval,
        unaligned: BTreeSet<Loop>,
    ) -> PairSharing<'a> {
        let scope = match row.scope {
            Scope::Warp => Some(BarrierScope::Warp),
            Scope::Block => Some(BarrierScope::Block),
            Scope::Grid => None,
        };
        let block = match interval.start {
            At::Entry => facts.func.entry(),
            At::Barrier(inst) => facts.block_of(inst).unwrap_or_else(|| facts.func.entry()),
        };
        let common = (row.scope != Scope::Grid).then_some(family);
        let families = common.map_or(&[][..], |_| &row.families);
        PairSharing { facts, scope, block, unaligned, common, families }
    }

    /// Nothing.
    fn nothing(facts: &'a KernelFacts<'a>) -> PairSharing<'a> {
        let block = facts.func.entry();
        let unaligned = BTreeSet::new();
        PairSharing { facts, scope: None, block, unaligned, common: None, families: &[] }
    }

    /// Is the value the same for both threads at the start? Both are at the same
    /// visit of its block, as far as the loops around it are aligned.
    fn value(&self, value: Value) -> bool {
        let Some(scope) = self.scope else { return false };
        let home = match self.facts.func.values[value] {
            ValueDef::BlockParam(block, _) => Some(block),
            ValueDef::Result(inst, _) => self.facts.block_of(inst),
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => return true,
        };
        let Some(home) = home else { return false };
        let in_unaligned = self.unaligned.iter().any(|&id| {
            let loops = &self.facts.loops;
            loops.contains(id, self.block) && loops.contains(id, home)
        });
        !in_unaligned && !self.facts.uniformity.may_be_divergent_at(value, self.block, scope)
    }

    /// Are both threads at the same visit of the loop's header, or did they leave
    /// the loop at the same visit?
    ///
    /// SOUNDNESS: that goes for every loop around it too. A loop inside one that the
    /// threads left in different iterations was last seen in different iterations
    /// (kernels/soundness/03-inner-count-after-outer).
    fn visit(&self, id: Loop) -> bool {
        let Some(scope) = self.scope else { return false };
        let loops = &self.facts.loops;
        loops.around(loops.data(id).header).all(|around| match loops.contains(around, self.block) {
            true => !self.unaligned.contains(&around),
            false => !self.facts.uniformity.may_be_left_apart(around, scope),
        })
    }

    fn contents(&self, array: Array) -> bool {
        let is_common = self.common.is_some_and(|family| self.facts.is_ordered_by(array, family));
        // Under another name constant memory may be written, if names may alias.
        let is_constant = self.facts.module.arrays[array].space == Space::Constant;
        is_common || is_constant && self.facts.uses.is_never_written(array)
    }
}

impl PairSharing<'_> {
    /// Are the contents of the array after a barrier on the way the same for both? The two
    /// passed it together, and it ordered all that was written before.
    ///
    /// SOUNDNESS: the same visit of it, so every loop around it is one in which both are at
    /// the same visit, or which both left at the same (kernels/soundness/95-carry-visits).
    fn after_barrier(&self, inst: Inst, array: Array) -> bool {
        let is_barrier_of = |family: &&Family| {
            let starts = |interval: &Interval| interval.start == At::Barrier(inst);
            self.facts.is_ordered_by(array, family) && family.intervals.iter().any(starts)
        };
        let innermost = self.facts.block_of(inst).map(|at| self.facts.loops.around(at).next());
        self.common.filter(is_barrier_of).is_some()
            && innermost.is_some_and(|around| around.is_none_or(|id| self.visit(id)))
    }
}

impl PairSharing<'_> {
    /// The same for a barrier inside of an interval, which does not end it: it orders other
    /// memory than what the interval is about. `sum[b] = s[0]` after a barrier of shared
    /// memory only is compared in an interval that began before it.
    ///
    /// SOUNDNESS: it is in no loop, so each of the two passes it once, and both at the same
    /// time (kernels/soundness/95-carry-inside-visits).
    fn after_barrier_inside(&self, inst: Inst, array: Array) -> bool {
        let starts = |interval: &Interval| interval.start == At::Barrier(inst);
        let is_barrier_of = |family: &Family| {
            self.facts.is_ordered_by(array, family) && family.intervals.iter().any(starts)
        };
        let at = self.facts.block_of(inst);
        self.families.iter().any(is_barrier_of)
            && at.is_some_and(|at| self.facts.loops.around(at).next().is_none())
    }
}

impl Walker<'_> {
    /// The two threads of a row, with what tells them apart.
    pub fn threads(&mut self, row: &Row) -> (ThreadTerms, ThreadTerms, Vec<TermId>) {
        let first = self.thread(Side::First, None);
        let same_block = row.scope != Scope::Grid;
        let second = self.thread(Side::Second, same_block.then_some(&first));
        let mut facts = self.geometry.facts.clone();
        facts.extend(&first.facts);
        facts.extend(&second.facts);
        facts.push(match same_block {
            true => first.differs_in_thread(&mut self.pool, &second),
            false => first.differs_in_block(&mut self.pool, &second),
        });
        let (same, size) = match row.mates {
            Mates::Any => return (first, second, facts),
            Mates::SameWarp => (true, WARP),
            Mates::OtherWarps => (false, WARP),
            Mates::LockStep(size) => (true, size),
            Mates::OtherLockStepWarps(size) => (false, size),
        };
        facts.push(self.same_warp(same, size, &first, &second));
        for of_pair in &row.masks {
            let both = match of_pair.lanes {
                Lanes::Listed(mask) => {
                    let (a, b) = (self.is_in(mask, &first), self.is_in(mask, &second));
                    self.pool.and2(a, b)
                }
                Lanes::Tile(size) => self.same_warp(true, size, &first, &second),
            };
            facts.push(if of_pair.holds_both { both } else { self.pool.not(both) });
        }
        (first, second, facts)
    }

    /// Is the thread's lane in the mask?
    fn is_in(&mut self, mask: u32, thread: &ThreadTerms) -> TermId {
        let mask = self.pool.bv(32, u128::from(mask));
        thread.lane_is_in(&mut self.pool, &self.geometry, mask)
    }

    /// Are the two threads in the same warp, or in different ones?
    fn same_warp(
        &mut self,
        same: bool,
        size: u32,
        first: &ThreadTerms,
        second: &ThreadTerms,
    ) -> TermId {
        let warp = |this: &mut Self, thread: &ThreadTerms| {
            let flat = thread.flat(&mut this.pool, &this.geometry);
            let width = this.pool.width(flat);
            let size = this.pool.bv(width, u128::from(size));
            this.pool.bits().udiv(flat, size)
        };
        let (a, b) = (warp(self, first), warp(self, second));
        if same { self.pool.eq(a, b) } else { self.pool.ne(a, b) }
    }

    /// Walks both threads through an interval.
    pub fn walk_pair(
        &mut self,
        row: &Row,
        family: &Family,
        interval: &Interval,
        aligned: &Family,
    ) -> PairWalk {
        let (one, other, mut facts) = self.threads(row);
        let steps = self.steps(row, aligned, interval);
        let unaligned = self.facts.unaligned_loops(row, aligned);
        let sharing = PairSharing::new(self.facts, row, family, interval, unaligned);
        let (first, before) = self.walk_one(&one, interval, &sharing);
        let (second, also_before) = self.walk_one(&other, interval, &sharing);
        let mut at_barrier = AtBarrier {
            facts: self.facts,
            geometry: &self.geometry,
            pool: &mut self.pool,
            symbols: &mut self.symbols,
            threads: [&one, &other],
            values: [&before.values, &also_before.values],
            memory: [&first.at_start, &second.at_start],
            loads: [loads_of(&first), loads_of(&second)],
        };
        facts.extend(at_barrier.claimed(row, interval));
        let one = self.additions(before.sites.iter().chain(&first.sites));
        let other = self.additions(also_before.sites.iter().chain(&second.sites));
        let counters = self.counter_facts(row, &one, &other);
        let met = [before.about_others.clone(), also_before.about_others.clone()];
        let mut pair = PairWalk::new(first, second, facts, steps);
        pair.learn([before, also_before]);
        pair.facts.extend(&counters);
        pair.not_stated.extend(counters);
        self.assume_of_two(&mut pair, met, interval, row.scope != Scope::Grid);
        pair
    }

    /// Adds what is assumed of the two: on the way to the interval they have passed it.
    fn assume_of_two(
        &mut self,
        pair: &mut PairWalk,
        before: [Vec<AboutOthers>; 2],
        interval: &Interval,
        same_block: bool,
    ) {
        let in_first_pass =
            |one: &&AboutOthers| interval.region.nodes[one.at.node].context == Context::new(0);
        let within = [&pair.first, &pair.second].map(|walk| {
            walk.about_others.iter().filter(in_first_pass).copied().collect::<Vec<_>>()
        });
        let assumed = {
            let two = pair.as_two(same_block);
            [&before, &within].map(|[one, other]| self.assumed_of_two(&two, [one, other]))
        };
        let [on_the_way, here] = assumed;
        pair.facts.extend(about_others::passed(&on_the_way, |_, _| true));
        pair.of_two = here;
    }

    /// Walks two threads of a block, which may be one and the same, through an interval.
    pub fn walk_any_two(
        &mut self,
        row: &Row,
        family: &Family,
        interval: &Interval,
        aligned: &Family,
    ) -> PairWalk {
        let first = self.thread(Side::First, None);
        let second = self.thread(Side::Second, Some(&first));
        let steps = self.steps(row, aligned, interval);
        let unaligned = self.facts.unaligned_loops(row, aligned);
        let sharing = PairSharing::new(self.facts, row, family, interval, unaligned);
        let mut facts = self.geometry.facts.clone();
        facts.extend(first.facts.iter().chain(&second.facts));
        let (first, before) = self.walk_one(&first, interval, &sharing);
        let (second, also_before) = self.walk_one(&second, interval, &sharing);
        let mut pair = PairWalk::new(first, second, facts, steps);
        pair.learn([before, also_before]);
        pair
    }

    /// Walks the two threads of a row through different intervals, with nothing in
    /// common but the launch.
    pub fn walk_apart(&mut self, row: &Row, one: &Interval, other: &Interval) -> PairWalk {
        let (first, second, facts) = self.threads(row);
        let sharing = PairSharing::nothing(self.facts);
        let (first, before) = self.walk_one(&first, one, &sharing);
        let (second, also_before) = self.walk_one(&second, other, &sharing);
        let mut pair = PairWalk::new(first, second, facts, Steps::Own);
        pair.learn([before, also_before]);
        pair.is_symmetric = false;
        pair
    }

    /// Walks one thread, without a partner, through an interval.
    pub fn walk_interval_alone(&mut self, interval: &Interval) -> (Walk, Vec<TermId>) {
        let thread = self.thread(Side::Alone, None);
        let sharing = PairSharing::nothing(self.facts);
        let (walk, before) = self.walk_one(&thread, interval, &sharing);
        let mut facts = self.facts_alone();
        facts.extend(before.facts);
        (walk, facts)
    }

    /// Walks one thread: to the start of the interval, then through it.
    pub(super) fn walk_one(
        &mut self,
        thread: &ThreadTerms,
        interval: &Interval,
        sharing: &PairSharing<'_>,
    ) -> (Walk, Before) {
        let kernel = kernel(self.facts, &self.geometry, &self.in_range, &self.premises);
        let (mut facts, mut not_stated) = (vec![], vec![]);
        let before = interval.prefix.as_ref().map(|prefix| {
            let common = Sharing {
                value: &|value| sharing.value(value),
                visit: &|id| sharing.visit(id),
                contents: &|array| sharing.contents(array),
                after_barrier: &|inst, array| sharing.after_barrier(inst, array),
                tag: "before",
            };
            let walk = Encoder::walk(
                kernel,
                &mut self.pool,
                thread,
                &prefix.region,
                &common,
                &self.invariants,
                Start { before: None },
            );
            let own = walk.assumptions.iter().filter(|assumption| !assumption.stated);
            not_stated.extend(own.map(|assumption| assumption.fact));
            not_stated.push(walk.reach[&prefix.end]);
            facts.extend(walk.assumptions.iter().map(|assumption| assumption.fact));
            facts.push(walk.reach[&prefix.end]);
            walk
        });
        // Inside the interval each thread is on its own: only the contents of memory at
        // its start are common, or behind a barrier that orders other memory.
        let own = Sharing {
            value: &|_| false,
            visit: &|_| false,
            contents: &|array| sharing.contents(array),
            after_barrier: &|inst, array| sharing.after_barrier_inside(inst, array),
            tag: "within",
        };
        let walk = Encoder::walk(
            kernel,
            &mut self.pool,
            thread,
            &interval.region,
            &own,
            &self.invariants,
            Start { before: before.as_ref() },
        );
        let mut before = before.unwrap_or_default();
        before = self.learn(before);
        let walk = self.learn(walk);
        let Walk { sites, values, about_others, .. } = before;
        (walk, Before { facts, not_stated, sites, values, about_others })
    }
}
