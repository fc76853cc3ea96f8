//! Engine 1: who wrote a place, and what did that thread read?
//!
//! One thread of each kernel is followed with symbols for its ids. For an arbitrary write of A
//! a thread of B is named by a term (the witness) that writes the same place last, with the
//! same value; and for an arbitrary write of B a thread of A that writes that place. Places
//! that neither writes keep equal contents. What a thread read from memory that others write
//! is found in the same way: a witness of its block wrote it in an earlier interval, and
//! no thread wrote it in between; or no thread wrote it before, and it is what the launch began
//! with.
//!
//! Loops that are counted ([`super::blocks`]) are gone through once, with a symbol for the
//! number of the iteration: such counts are coordinates of an event like the ids of its
//! thread, and witnesses name them too. What a loop carries is compared by [`folds`].
//!
//! *Why it is sound.* Freedom of races is shown elsewhere, so two threads that write one place
//! are ordered by a barrier, or write the same. A witness is a guess ([`duet_parametric`]);
//! that it is a thread of the launch, that its iteration happens, that it gets to the write and
//! writes that place are goals ([`goals`]), as is that no thread writes later. No goal has a
//! quantifier: "no thread" is one arbitrary visit by one arbitrary thread with symbols of its own.
//! Intervals are told apart by how many barriers a thread has passed, which is the same for
//! all threads of a block, since none diverges. Block ids of witnesses for reads are the
//! reader's, never solved for. Kernels with loops that are neither counted nor unrolled, or
//! with barriers of anything but the block, are not followed.

mod adds;
mod cases;
mod elements;
mod folds;
mod goals;
mod lanes;
mod offsets;
mod reads;
mod regroup;
mod relation;
mod ties;
mod trials;
mod witness;

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::{Dominators, Loops};

use duet_parametric::writer::Inverse;
use duet_smt::{Op, TermId, TermPool};
use duet_vc::{Geometry, LaunchSpec, Side as Thread, ThreadTerms};

use self::adds::Additions;
use self::folds::Folds;
use self::goals::Goals;
use self::lanes::Lanes;
use self::offsets::{overlap, rejoined, same_offset};
use self::witness::{wanted_if, witnesses_of};
use super::blocks::cut::{Moment, counted};
use super::blocks::guards::Guards;
use super::blocks::run::{BlockRun, Event, Shape, Symbolic, What};
use super::{NotShown, Proof};
use crate::pair::matching::{Matching, written_arrays};
use crate::pair::request::{FloatModel, Kernel, Request, Side};

/// Instructions of one thread.
const MOST_STEPS: u64 = 20_000;
/// What the goals of a first attempt of each kind may cost, in units of z3's count.
const SHORT_WORK: u64 = 4_000_000;

/// Proves that each write of one kernel is one of the other.
///
/// # Errors
/// If it cannot be shown so.
pub fn prove(
    kernels: &[Kernel<'_>; 2],
    matching: &Matching,
    request: &Request,
    specs: &[LaunchSpec; 2],
) -> Result<Proof, NotShown> {
    let mut why = None;
    // Loops with a small number of iterations are unrolled only if that is of no use, and
    // that sums do not overflow is assumed only where nothing is shown without.
    let has_short = kernels.iter().any(|kernel| {
        let func = kernel.function();
        let loops = Loops::new(func, &Dominators::new(func));
        let of = |with_numbers| counted(kernel.module, func, &loops, with_numbers).len();
        of(true) != of(false)
    });
    let kinds = [(true, false), (true, true), (false, false), (false, true)];
    // A proof of one kind is often short where those of the others end at their limits.
    let all = request.work.unwrap_or(u64::MAX);
    let limits = if all > SHORT_WORK { vec![SHORT_WORK, all] } else { vec![all] };
    for work in limits {
        for (with_numbers, is_exact) in kinds {
            if !with_numbers && !has_short {
                continue;
            }
            let attempt =
                Attempt { kernels, matching, request, specs, with_numbers, is_exact, work };
            match attempt.prove() {
                Ok(proof) => return Ok(proof),
                Err(reason) => why = Some(reason),
            }
        }
    }
    Err(why.unwrap_or_else(|| "nothing was tried".into()))
}

struct Attempt<'a> {
    kernels: &'a [Kernel<'a>; 2],
    matching: &'a Matching,
    request: &'a Request,
    specs: &'a [LaunchSpec; 2],
    /// Are loops counted whose number of iterations is known?
    with_numbers: bool,
    /// Is it assumed that signed sums and products do not overflow?
    is_exact: bool,
    /// What its goals may cost.
    work: u64,
}

impl Attempt<'_> {
    fn prove(&self) -> Result<Proof, NotShown> {
        let Attempt { kernels, matching, request, specs, .. } = *self;
        let mut pool = TermPool::new();
        let mut guards = Guards::default();
        let mut geometries = geometries(&mut pool, request, specs);
        let mut assumptions = BTreeSet::new();
        let mut sides = vec![];
        for side in Side::BOTH {
            let own = if side == Side::A { Thread::First } else { Thread::Second };
            let (geometry, func) = (&geometries[side.index()], kernels[side.index()].function());
            let loops = Loops::new(func, &Dominators::new(func));
            let module = kernels[side.index()].module;
            let symbolic = Symbolic {
                geometry: geometry.clone(),
                thread: geometry.thread(&mut pool, own, None),
                events: vec![],
                facts: vec![],
                moment: Moment::default(),
                counted: counted(module, func, &loops, self.with_numbers),
                rounds: vec![],
                latest: BTreeMap::new(),
                exact: vec![],
                lemmas: vec![],
                written: written(kernels, matching, side),
                unknowns: 0,
            };
            let mut steps = MOST_STEPS;
            let shape = Shape { block: [1; 3] };
            let mut run = BlockRun::new(kernels, matching, specs, side, shape, &mut steps);
            let followed = run.follow_symbolic(&mut pool, &mut guards, symbolic);
            assumptions.extend(std::mem::take(&mut run.assumptions));
            sides.push(
                followed.map_err(|NotShown(why)| NotShown(format!("{}: {why}", side.letter())))?,
            );
        }
        let mut facts: Vec<TermId> = geometries.iter().flat_map(|one| one.facts.clone()).collect();
        facts.extend(relation::facts(&mut pool, kernels, matching, request, &geometries));
        for side in &sides {
            let ids = side.ids();
            let is_uniform = |fact: &&TermId| {
                !pool
                    .reachable(&[**fact])
                    .iter()
                    .any(|part| ids.contains(part) && !is_number(&pool, *part))
            };
            facts.extend(side.facts.iter().filter(is_uniform));
        }
        ties::tie(&mut pool, &mut facts, &mut sides, &mut geometries);
        let lemmas = sides.iter().flat_map(|side| side.lemmas.clone()).collect();
        let goals = Goals::new(facts, lemmas, self.is_exact, self.work)?;
        let mut chase = Chase {
            kernels,
            matching,
            pool,
            sides,
            goals,
            geometries,
            further: 0,
            is_exact: self.is_exact,
            float: request.float,
            used: BTreeSet::new(),
            writers: BTreeSet::new(),
            places: vec![],
            elements: vec![],
        };
        chase.compare()?;
        assumptions.extend(std::mem::take(&mut chase.used));
        let decided = chase.goals.decided();
        let notes = chase.writers.iter().cloned().collect();
        let mut proof = Proof { engine: "witnesses".to_string(), assumptions, notes, decided };
        proof.notes.push(goals_in_words(&proof));
        Ok(proof)
    }
}

/// Who decided how many goals.
fn goals_in_words(proof: &Proof) -> String {
    let parts = proof.decided.iter().map(|(who, count)| format!("{count} by {who}"));
    let (all, own) = proof.without_solver();
    let share = 100 * own / all.max(1);
    let parts: Vec<String> = parts.collect();
    format!("goals decided: {} ({share} % without a solver)", parts.join(", "))
}

/// The sizes of both launches; those of B have names of their own if it is another one.
///
/// SOUNDNESS: launches that are not the same share no size (test
/// `sizes_of_other_launches_are_not_common`).
fn geometries(pool: &mut TermPool, request: &Request, specs: &[LaunchSpec; 2]) -> [Geometry; 2] {
    let a = Geometry::new(pool, &specs[0]);
    if request.is_same_launch() {
        return [a.clone(), a];
    }
    let mut b = Geometry::new(pool, &specs[1]);
    let mut renamed = vec![];
    for size in b.block.iter_mut().chain(&mut b.grid) {
        if !is_number(pool, *size) {
            let own = pool.fresh("size.b", pool.sort(*size));
            renamed.push((*size, own));
            *size = own;
        }
    }
    b.facts = Inverse { values: renamed }.apply_all(pool, &b.facts);
    [a, b]
}

/// Arrays whose contents change on either side: contents at the start are common only while
/// no thread has written.
fn written(kernels: &[Kernel<'_>; 2], matching: &Matching, side: Side) -> BTreeSet<duet_ir::Array> {
    let mut own = written_arrays(kernels[side.index()].function());
    for other in written_arrays(kernels[side.other().index()].function()) {
        own.extend(matching.partner(side.other(), other));
    }
    own
}

fn is_number(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::BvConst { .. })
}

struct Chase<'a> {
    kernels: &'a [Kernel<'a>; 2],
    matching: &'a Matching,
    pool: TermPool,
    sides: Vec<Symbolic>,
    goals: Goals,
    geometries: [Geometry; 2],
    /// Threads that were made up so far.
    further: u32,
    /// Is it assumed that signed sums and products do not overflow?
    is_exact: bool,
    /// Laws of float arithmetic.
    float: FloatModel,
    /// Lines for which that was assumed.
    used: BTreeSet<String>,
    /// Who writes what, in the user's words.
    writers: BTreeSet<String>,
    /// Offsets that are shown to be others in the case that is looked at.
    places: Vec<(TermId, TermId)>,
    /// Names of the numbers of elements that are looked at, with these numbers.
    elements: Vec<(TermId, TermId)>,
}

/// A write with the ids of the thread that makes it.
#[derive(Clone, Debug)]
struct Witness {
    /// The number of the event.
    site: usize,
    /// The ids of the thread, of its block, and counts of the loops around the write.
    ids: Vec<TermId>,
}

/// Ids of a thread and of its block.
const IDS: usize = 6;

impl Chase<'_> {
    fn compare(&mut self) -> Result<(), NotShown> {
        if self.matching.scratch.iter().any(|scratch| !scratch.is_empty()) {
            return Err("arrays that are not compared are not followed".into());
        }
        Additions { chase: self }.are_alone()?;
        for pair in self.matching.outputs.clone() {
            let mut additions = Additions { chase: self };
            if additions.is_any(pair) {
                additions.are_same(pair)?;
                continue;
            }
            for from in Side::BOTH {
                for site in self.writes(from, pair[from.index()]) {
                    self.find_partner(from, site, pair)?;
                }
            }
        }
        Ok(())
    }

    /// The writes of an array, by number.
    fn writes(&self, side: Side, array: duet_ir::Array) -> Vec<usize> {
        let events = self.sides[side.index()].events.iter().enumerate();
        let writes = events
            .filter(|(_, event)| event.array == array && matches!(event.what, What::Writes(_)));
        writes.map(|(number, _)| number).collect()
    }

    fn event(&self, side: Side, number: usize) -> Event {
        self.sides[side.index()].events[number].clone()
    }

    /// Finds a write of the other side at the place of a write; forward with equal values.
    fn find_partner(
        &mut self,
        from: Side,
        site: usize,
        pair: [duet_ir::Array; 2],
    ) -> Result<(), NotShown> {
        let event = self.event(from, site);
        let mut facts = self.sides[from.index()].thread.facts.clone();
        facts.push(event.guard);
        let own = self.own(from, site);
        facts.extend(self.exact(from, site, &own));
        facts.extend(self.keeps(from, site, &own));
        if self.goals.is_plainly_impossible(&mut self.pool, &facts) {
            return Ok(());
        }
        if from == Side::A && self.is_overwritten(site, &facts) {
            return Ok(());
        }
        let place = self.named(from, site, event.offset, &mut facts);
        let Err(why) = self.find_partner_at(from, (site, place), pair, &facts) else {
            return Ok(());
        };
        elements::find_partner(self, from, (site, place), pair, &facts).map_err(|_| why)
    }

    /// The same for a place.
    fn find_partner_at(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let (event, to, ids) = (self.event(from, site), from.other(), self.own(from, site));
        let mut why = None;
        let mut lanes = Lanes { chase: self };
        if lanes.partners(from, (site, place), pair, facts).is_ok()
            || lanes.partner_of_one(from, (site, place), pair, facts).is_ok()
        {
            return Ok(());
        }
        for other in self.writes(to, pair[to.index()]) {
            if self.event(to, other).ty != event.ty {
                return Err("an array is written at different types".into());
            }
            for witness in self.witnesses(to, other, place, &ids, None) {
                match self.is_partner(from, (site, place), &witness, facts) {
                    Ok(()) => return Ok(()),
                    Err(reason) => why = Some(reason),
                }
            }
        }
        if self.partners_by_cases(from, (site, place), pair, facts).is_ok() {
            return Ok(());
        }
        let line = self.line(from, &event);
        let reason = why.map_or(String::new(), |NotShown(why)| format!(" ({why})"));
        Err(format!("{line}: no thread of {} is shown to write the same{reason}", to.letter())
            .into())
    }

    fn line(&self, side: Side, event: &Event) -> String {
        let kernel = &self.kernels[side.index()];
        let span = kernel.module.span_of_inst(kernel.function(), event.inst);
        let line = span.map_or(String::new(), |span| format!(":{}", span.line));
        format!("{}{line}", kernel.file.display())
    }

    /// The symbols of an event: ids, then counts of the loops around it.
    fn own(&self, side: Side, site: usize) -> Vec<TermId> {
        let own = &self.sides[side.index()];
        own.ids().into_iter().chain(own.events[site].counts.iter().copied()).collect()
    }

    fn sizes(&self, side: Side) -> Vec<TermId> {
        let geometry = &self.geometries[side.index()];
        geometry.block.iter().chain(&geometry.grid).copied().collect()
    }

    /// Threads that may make a write at a place: the same ids as the other's, then inverses.
    /// Block ids may be given, and counts of loops.
    fn witnesses(
        &mut self,
        side: Side,
        site: usize,
        place: TermId,
        same: &[TermId],
        given: Option<(&[TermId], &[TermId])>,
    ) -> Vec<Witness> {
        let offset = self.event(side, site).offset;
        witnesses_of(self, side, (site, offset), place, same, given)
    }

    /// A term with symbols replaced.
    fn put(&mut self, own: &[TermId], values: &[TermId], term: TermId) -> TermId {
        let pairs = own.iter().copied().zip(values.iter().copied());
        let values = pairs.filter(|(symbol, _)| !is_number(&self.pool, *symbol)).collect();
        let term = Inverse { values }.apply(&mut self.pool, term);
        rejoined(&mut self.pool, term)
    }

    /// A term of an event, at these ids and counts.
    fn at(&mut self, side: Side, site: usize, ids: &[TermId], term: TermId) -> TermId {
        let own = self.own(side, site);
        self.put(&own, ids, term)
    }

    /// Is the witness a thread of the launch that makes its write, at this place?
    ///
    /// SOUNDNESS: each of these is a goal, none a hypothesis (tests `ranges_of_witnesses_are_goals`,
    /// `guards_of_witnesses_are_goals`).
    fn writes_place(
        &mut self,
        side: Side,
        witness: &Witness,
        place: TermId,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let wanted = self.wanted(side, witness, place);
        let keeps = self.keeps(side, witness.site, &witness.ids);
        let mut facts: Vec<TermId> = facts.iter().copied().chain(keeps).collect();
        let all = self.pool.and(&wanted);
        if self.goals.is_contradicted(&mut self.pool, &facts, all) {
            return Err("an example contradicts that it writes the place".into());
        }
        let shown = self.goals.show_all(&mut self.pool, &facts, &wanted);
        if shown.is_ok() || !self.is_exact {
            return shown;
        }
        // A thread of the launch that gets there computes its index without overflow.
        let (is_place, gets_there) = wanted.split_first().ok_or("nothing is wanted")?;
        self.goals.show_all(&mut self.pool, &facts, gets_there)?;
        facts.extend(self.exact(side, witness.site, &witness.ids));
        self.goals.show_all(&mut self.pool, &facts, &[*is_place])
    }

    /// What must hold for the witness to make its write at a place.
    fn wanted(&mut self, side: Side, witness: &Witness, place: TermId) -> Vec<TermId> {
        let event = self.event(side, witness.site);
        let offset = self.at(side, witness.site, &witness.ids, event.offset);
        let is_place = same_offset(&mut self.pool, offset, place);
        wanted_if(self, side, witness, is_place)
    }

    fn is_partner(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        witness: &Witness,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let to = from.other();
        self.writes_place(to, witness, place, facts)?;
        self.is_right(from, (site, place), witness, facts)
    }

    /// Forward: is the witness, who writes the place, the last to do so, with the same value?
    fn is_right(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        witness: &Witness,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let to = from.other();
        let event = self.event(from, site);
        if from == Side::B {
            // Back: that the place is written is enough, forward has compared the values.
            return Ok(());
        }
        let more = self.exact(to, witness.site, &witness.ids);
        let facts: &[TermId] = &facts.iter().copied().chain(more).collect::<Vec<TermId>>();
        self.is_last(to, witness, place, facts)?;
        let other = self.event(to, witness.site);
        let (What::Writes(mine), What::Writes(theirs)) = (event.what, other.what) else {
            return Err("no write".into());
        };
        let theirs = self.at(to, witness.site, &witness.ids, theirs);
        let mine = self.resolve(from, mine, facts, 0)?;
        let mine = Inverse { values: self.places.clone() }.apply(&mut self.pool, mine);
        let theirs = self.resolve(to, theirs, facts, 0)?;
        let theirs = Inverse { values: self.elements.clone() }.apply(&mut self.pool, theirs);
        Folds { chase: self }.same(mine, theirs, facts)?;
        let who = self.line(to, &other);
        self.writers.insert(format!("{} writes what {who} writes", self.line(from, &event)));
        Ok(())
    }

    /// A term of an event, with the counter of the loop around it named: what is known of
    /// the counter is then known of a symbol, and need not be found in a sum.
    ///
    /// The name is the counter, by a fact; its range is shown before it is one.
    fn named(&mut self, side: Side, site: usize, term: TermId, facts: &mut Vec<TermId>) -> TermId {
        let event = self.event(side, site);
        let Some(count) = event.counts.last() else { return term };
        let rounds = &self.sides[side.index()].rounds;
        let Some(open) = rounds.iter().find(|open| open.round.count == *count) else {
            return term;
        };
        let ((counter, bound), Some(_)) = (open.round.counter, open.round.keeps) else {
            return term;
        };
        if self.pool.width(bound) != 32 {
            return term;
        }
        let name = self.pool.fresh("index", duet_smt::Sort::BitVec(32));
        let renamed = Inverse { values: vec![(counter, name)] };
        let place = renamed.apply(&mut self.pool, term);
        if place == term {
            return place;
        }
        *facts = renamed.apply_all(&mut self.pool, facts);
        facts.push(self.pool.eq(name, counter));
        let zero = self.pool.bv(32, 0);
        let is_natural = self.pool.compare().sle(zero, name);
        let is_below = self.pool.compare().slt(name, bound);
        for range in [is_natural, is_below] {
            if self.goals.show_all(&mut self.pool, facts, &[range]).is_ok() {
                facts.push(range);
            }
        }
        place
    }

    /// Counters of the loops around an event are what they are as integers.
    ///
    /// This holds for any ids and counts: it is conditional on the iteration.
    fn keeps(&mut self, side: Side, site: usize, ids: &[TermId]) -> Vec<TermId> {
        let counts = self.event(side, site).counts;
        let rounds = &self.sides[side.index()].rounds;
        let own = rounds.iter().filter(|open| counts.contains(&open.round.count));
        let list: Vec<TermId> = own.filter_map(|open| open.round.keeps).collect();
        list.into_iter().map(|term| self.at(side, site, ids, term)).collect()
    }

    /// What a thread of the launch computes without overflow, if that is assumed.
    ///
    /// SOUNDNESS: of a witness this is known only once it is shown to be a thread of the
    /// launch, and only where it gets to (test `overflow_of_a_witness_is_no_fact_too_soon`).
    fn exact(&mut self, side: Side, site: usize, ids: &[TermId]) -> Vec<TermId> {
        let own = self.own(side, site);
        Folds { chase: self }.exact_at(side, &own, ids)
    }

    /// Does no thread write the place after the witness?
    ///
    /// SOUNDNESS: later are the same thread's later writes, in this and in later iterations of
    /// the loops around, and those of any thread of the block after a barrier (tests
    /// `later_sites_of_the_witness`, `later_intervals`, `later_iterations_write_again`).
    fn is_last(
        &mut self,
        side: Side,
        witness: &Witness,
        place: TermId,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let own = self.event(side, witness.site);
        let place = (place, own.ty);
        for other in self.writes(side, own.array) {
            let same = self.visit_of(side, other, &witness.ids[..IDS]);
            let later = self.precedes(side, (witness.site, &witness.ids), (other, &same));
            self.is_elsewhere(side, other, (&same, later), place, facts)?;
            let (ids, more) = self.anybody(side, other, Some(&witness.ids[3..IDS]));
            let later = self.is_before(side, (witness.site, &witness.ids), (other, &ids));
            let facts: Vec<TermId> = facts.iter().copied().chain(more).collect();
            self.is_elsewhere(side, other, (&ids, later), place, &facts)?;
        }
        Ok(())
    }

    /// Any visit of a site by a thread.
    fn visit_of(&mut self, side: Side, site: usize, ids: &[TermId]) -> Vec<TermId> {
        let counts = self.event(side, site).counts.len();
        let fresh = (0..counts).map(|_| self.pool.fresh("visit", duet_smt::Sort::BitVec(32)));
        ids.iter().copied().chain(fresh).collect()
    }

    /// An arbitrary visit of a site by an arbitrary thread of a block, or of any block.
    fn anybody(
        &mut self,
        side: Side,
        site: usize,
        block: Option<&[TermId]>,
    ) -> (Vec<TermId>, Vec<TermId>) {
        self.further += 1;
        let geometry = self.geometries[side.index()].clone();
        let thread: ThreadTerms =
            geometry.thread(&mut self.pool, Thread::Further(self.further), None);
        let block = block.unwrap_or(&thread.block);
        let ids: Vec<TermId> = thread.thread.iter().chain(block).copied().collect();
        (self.visit_of(side, site, &ids), thread.facts)
    }

    /// Does the one event come before the other in the order of the thread that both are of?
    fn precedes(
        &mut self,
        side: Side,
        (a, ids_a): (usize, &[TermId]),
        (b, ids_b): (usize, &[TermId]),
    ) -> TermId {
        let (x, y) = (self.event(side, a).counts, self.event(side, b).counts);
        let common = x.iter().zip(&y).take_while(|(x, y)| x == y).count();
        let mut result = self.pool.bool(a < b);
        for number in (0..common).rev() {
            let (i, j) = (ids_a[IDS + number], ids_b[IDS + number]);
            let (less, equal) = (self.pool.compare().ult(i, j), self.pool.eq(i, j));
            let rest = self.pool.and2(equal, result);
            result = self.pool.or2(less, rest);
        }
        result
    }

    fn moment(&mut self, side: Side, site: usize, ids: &[TermId]) -> Moment {
        let moment = self.event(side, site).moment;
        let parts = moment.parts.iter().map(|&(term, by)| (self.at(side, site, ids, term), by));
        Moment { number: moment.number, parts: parts.collect() }
    }

    /// How many barriers lie between two events of a block, as a term or a number.
    fn between(
        &mut self,
        side: Side,
        (a, ids_a): (usize, &[TermId]),
        (b, ids_b): (usize, &[TermId]),
    ) -> TermId {
        let (x, y) = (self.moment(side, a, ids_a), self.moment(side, b, ids_b));
        let (number, parts) = y.minus(&x);
        let mut sum = vec![self.pool.bv(64, number as u64 as u128)];
        for (term, factor) in parts {
            let wide = self.pool.bits().zext_or_trunc(term, 64);
            let factor = self.pool.bv(64, factor as u64 as u128);
            sum.push(self.pool.bits().mul(wide, factor));
        }
        self.pool.bits().sum(&sum)
    }

    /// Is there a barrier between two events of a block?
    ///
    /// SOUNDNESS: all threads of a block pass the same barriers, so counting them tells
    /// intervals apart; the end of an iteration and the start of the next are one interval
    /// unless a barrier is between (test `a_tile_is_overwritten_without_a_barrier`).
    fn is_before(&mut self, side: Side, a: (usize, &[TermId]), b: (usize, &[TermId])) -> TermId {
        let between = self.between(side, a, b);
        let zero = self.pool.bv(64, 0);
        self.pool.compare().slt(zero, between)
    }

    /// Does the write not happen, or not overlap the place?
    fn is_elsewhere(
        &mut self,
        side: Side,
        site: usize,
        (ids, when): (&[TermId], TermId),
        (place, ty): (TermId, duet_ir::Type),
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        if self.pool.as_bool(when) == Some(false) {
            return Ok(());
        }
        let event = self.event(side, site);
        let guard = self.at(side, site, ids, event.guard);
        let offset = self.at(side, site, ids, event.offset);
        let overlap = overlap(&mut self.pool, (offset, event.ty), (place, ty));
        let both = self.pool.and(&[guard, overlap, when]);
        let never = self.pool.not(both);
        let keeps = self.keeps(side, site, ids);
        let mut facts: Vec<TermId> = facts.iter().copied().chain(keeps).collect();
        let shown = self.goals.show_all(&mut self.pool, &facts, &[never]);
        if shown.is_ok() || !self.is_exact {
            return shown;
        }
        // A thread of the launch that gets there computes without overflow too.
        facts.extend(self.exact(side, site, ids));
        self.goals.show_all(&mut self.pool, &facts, &[never])
    }
}
