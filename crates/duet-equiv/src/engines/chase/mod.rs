//! Engine 1: who wrote a place, and what did that thread read?
//!
//! One thread of each kernel is followed with symbols for its ids. For an arbitrary write of A
//! a thread of B is named by a term (the witness) that writes the same place last, with the
//! same value; and for an arbitrary write of B a thread of A that writes that place. Places
//! that neither writes keep equal contents. What a thread read from memory that others write
//! is found in the same way: a witness of its block wrote it in an earlier interval, and
//! nobody wrote it in between; or nobody wrote it before, and it is what the launch began
//! with.
//!
//! *Why it is sound.* Freedom of races is shown elsewhere, so two threads that write one place
//! are ordered by a barrier, or write the same. A witness is a guess ([`duet_parametric`]);
//! that it is a thread of the launch, gets to the write and writes that place are goals
//! ([`goals`]), as is that nobody writes later. No goal has a quantifier: "nobody" is one
//! arbitrary thread with symbols of its own. Block ids of witnesses for reads are the
//! reader's, never solved for. Kernels with loops that are not unrolled, or with barriers of
//! anything but the block, are not followed.

mod goals;
mod reads;

use std::collections::BTreeSet;

use duet_parametric::writer::{Digit, Inverse, Sought, inverses};
use duet_smt::{Op, TermId, TermPool};
use duet_vc::{Geometry, LaunchSpec, Side as Thread, ThreadTerms};

use self::goals::Goals;
use super::blocks::guards::Guards;
use super::blocks::run::{BlockRun, Event, Shape, Symbolic, What};
use super::{NotShown, Proof};
use crate::pair::matching::{Matching, written_arrays};
use crate::pair::request::{Kernel, Request, Side};

/// Instructions of one thread.
const MOST_STEPS: u64 = 20_000;

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
    if !request.is_same_launch() {
        return Err("the launches are not the same".into());
    }
    let mut pool = TermPool::new();
    let mut guards = Guards::default();
    let geometry = Geometry::new(&mut pool, &specs[0]);
    let mut assumptions = BTreeSet::new();
    let mut sides = vec![];
    for side in Side::BOTH {
        let own = if side == Side::A { Thread::First } else { Thread::Second };
        let symbolic = Symbolic {
            geometry: geometry.clone(),
            thread: geometry.thread(&mut pool, own, None),
            events: vec![],
            facts: vec![],
            interval: 0,
            written: written(kernels, matching, side),
            unknowns: 0,
        };
        let mut steps = MOST_STEPS;
        let shape = Shape { block: [1; 3] };
        let mut run = BlockRun::new(kernels, matching, specs, side, shape, &mut steps);
        let followed = run.follow_symbolic(&mut pool, &mut guards, symbolic);
        assumptions.extend(std::mem::take(&mut run.assumptions));
        sides
            .push(followed.map_err(|NotShown(why)| NotShown(format!("{}: {why}", side.letter())))?);
    }
    let mut facts = geometry.facts.clone();
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
    let goals = Goals::new(facts)?;
    let mut chase = Chase { kernels, matching, pool, sides, goals, geometry, further: 0 };
    chase.compare()?;
    let notes = chase.goals.notes();
    Ok(Proof { engine: "witnesses, all sizes free".to_string(), assumptions, notes })
}

/// Arrays whose contents change on either side: contents at the start are common only while
/// nobody has written.
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
    geometry: Geometry,
    /// Threads that were made up so far.
    further: u32,
}

/// A write with the ids of the thread that makes it.
#[derive(Clone, Debug)]
struct Witness {
    /// The number of the event.
    site: usize,
    /// The ids of the thread, then of its block.
    ids: Vec<TermId>,
}

impl Chase<'_> {
    fn compare(&mut self) -> Result<(), NotShown> {
        if self.matching.scratch.iter().any(|scratch| !scratch.is_empty()) {
            return Err("arrays that are not compared are not followed".into());
        }
        for pair in self.matching.outputs.clone() {
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
        if self.goals.is_impossible(&mut self.pool, &facts) {
            return Ok(());
        }
        let to = from.other();
        let ids = self.sides[from.index()].ids();
        let mut why = None;
        for other in self.writes(to, pair[to.index()]) {
            if self.event(to, other).ty != event.ty {
                return Err("an array is written at different types".into());
            }
            for witness in self.witnesses(to, other, event.offset, &ids, None) {
                let shown = self.is_partner(from, site, &witness, &facts);
                match shown {
                    Ok(()) => return Ok(()),
                    Err(reason) => why = Some(reason),
                }
            }
        }
        let line = self.line(from, &event);
        let reason = why.map_or(String::new(), |NotShown(why)| format!(" ({why})"));
        Err(format!("{line}: nobody of {} is shown to write the same{reason}", to.letter()).into())
    }

    fn line(&self, side: Side, event: &Event) -> String {
        let kernel = &self.kernels[side.index()];
        let span = kernel.module.span_of_inst(kernel.function(), event.inst);
        let line = span.map_or(String::new(), |span| format!(":{}", span.line));
        format!("{}{line}", kernel.file.display())
    }

    /// Threads that may make a write at a place: the same ids as the other's, then inverses.
    /// Block ids may be given.
    fn witnesses(
        &mut self,
        side: Side,
        site: usize,
        place: TermId,
        same: &[TermId],
        block: Option<&[TermId]>,
    ) -> Vec<Witness> {
        let own = self.sides[side.index()].ids();
        let event = self.event(side, site);
        let sizes: Vec<TermId> =
            self.geometry.block.iter().chain(&self.geometry.grid).copied().collect();
        let mut list = vec![same.to_vec()];
        let is_open = |number: usize| !is_number(&self.pool, own[number]);
        let open: Vec<usize> =
            (0..own.len()).filter(|&n| is_open(n) && (n < 3 || block.is_none())).collect();
        let unknowns: Vec<Digit> = open
            .iter()
            .map(|&number| Digit { symbol: own[number], below: Some(sizes[number]) })
            .collect();
        let known: Vec<Digit> = same
            .iter()
            .zip(&sizes)
            .filter(|(id, _)| !is_number(&self.pool, **id))
            .map(|(&symbol, &size)| Digit { symbol, below: Some(size) })
            .collect();
        // With the reader's block, its ids are no unknowns of the offset.
        let mut offset = event.offset;
        if let Some(block) = block {
            let given =
                Inverse { values: own[3..].iter().copied().zip(block.iter().copied()).collect() };
            offset = given.apply(&mut self.pool, offset);
        }
        let fixed = fixed(&self.pool, event.guard, &unknowns);
        let sought = Sought { place, offset, unknowns: &unknowns, fixed: &fixed, known: &known };
        for inverse in inverses(&mut self.pool, &sought) {
            let mut ids = own.clone();
            if let Some(block) = block {
                ids[3..].copy_from_slice(block);
            }
            for ((_, value), &number) in inverse.values.iter().zip(&open) {
                ids[number] = *value;
            }
            list.push(ids);
        }
        list.into_iter().map(|ids| Witness { site, ids }).collect()
    }

    /// A term of a side's thread, for the thread with these ids.
    fn at(&mut self, side: Side, ids: &[TermId], term: TermId) -> TermId {
        let own = self.sides[side.index()].ids();
        let pairs = own.into_iter().zip(ids.iter().copied());
        let values = pairs.filter(|(symbol, _)| !is_number(&self.pool, *symbol)).collect();
        Inverse { values }.apply(&mut self.pool, term)
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
        let event = self.event(side, witness.site);
        let offset = self.at(side, &witness.ids, event.offset);
        let is_place = self.pool.eq(offset, place);
        let mut wanted = vec![is_place];
        let sizes: Vec<TermId> =
            self.geometry.block.iter().chain(&self.geometry.grid).copied().collect();
        for (&id, &size) in witness.ids.iter().zip(&sizes) {
            wanted.push(self.pool.compare().ult(id, size));
        }
        let guard = self.at(side, &witness.ids, event.guard);
        match self.pool.op(guard) {
            Op::And => wanted.extend(self.pool.args(guard).to_vec()),
            _ => wanted.push(guard),
        }
        self.goals.show_all(&mut self.pool, facts, &wanted)
    }

    fn is_partner(
        &mut self,
        from: Side,
        site: usize,
        witness: &Witness,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let to = from.other();
        let event = self.event(from, site);
        self.writes_place(to, witness, event.offset, facts)?;
        if from == Side::B {
            // Back: that the place is written is enough, forward has compared the values.
            return Ok(());
        }
        self.is_last(to, witness, event.offset, facts)?;
        let other = self.event(to, witness.site);
        let (What::Writes(mine), What::Writes(theirs)) = (event.what, other.what) else {
            return Err("no write".into());
        };
        let theirs = self.at(to, &witness.ids, theirs);
        let mine = self.resolve(from, mine, facts, 0)?;
        let theirs = self.resolve(to, theirs, facts, 0)?;
        self.same(mine, theirs, facts)
    }

    /// Does nobody write the place after the witness?
    ///
    /// SOUNDNESS: later are the same thread's later writes, and those of any thread of the
    /// block after a barrier (tests `later_sites_of_the_witness`, `later_intervals`). All sites
    /// are in no loop.
    fn is_last(
        &mut self,
        side: Side,
        witness: &Witness,
        place: TermId,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let own = self.event(side, witness.site);
        for other in self.writes(side, own.array) {
            let event = self.event(side, other);
            if other > witness.site && event.interval == own.interval {
                self.is_elsewhere(side, other, &witness.ids.clone(), (place, own.ty), facts)?;
            }
            if event.interval > own.interval {
                let (ids, more) = self.anybody(&witness.ids[3..]);
                let facts: Vec<TermId> = facts.iter().copied().chain(more).collect();
                self.is_elsewhere(side, other, &ids, (place, own.ty), &facts)?;
            }
        }
        Ok(())
    }

    /// An arbitrary thread of a block.
    fn anybody(&mut self, block: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        self.further += 1;
        let side = Thread::Further(self.further);
        let thread: ThreadTerms = self.geometry.thread(&mut self.pool, side, None);
        let ids = thread.thread.iter().chain(block).copied().collect();
        let (own, sizes) = (thread.thread, self.geometry.block);
        let facts =
            own.iter().zip(&sizes).map(|(&id, &size)| self.pool.compare().ult(id, size)).collect();
        (ids, facts)
    }

    /// Does the write not happen, or not overlap the place?
    fn is_elsewhere(
        &mut self,
        side: Side,
        site: usize,
        ids: &[TermId],
        (place, ty): (TermId, duet_ir::Type),
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let event = self.event(side, site);
        let guard = self.at(side, ids, event.guard);
        let offset = self.at(side, ids, event.offset);
        let overlap = self.overlap((offset, event.ty), (place, ty));
        let both = self.pool.and2(guard, overlap);
        let never = self.pool.not(both);
        self.goals.show_all(&mut self.pool, facts, &[never])
    }

    /// Do two accesses share a byte?
    fn overlap(
        &mut self,
        (a, of_a): (TermId, duet_ir::Type),
        (b, of_b): (TermId, duet_ir::Type),
    ) -> TermId {
        let pool = &mut self.pool;
        let width = pool.width(a);
        let bytes = |ty: duet_ir::Type| u128::from(ty.bits().map_or(8, |bits| bits.div_ceil(8)));
        let (up, down) = (pool.bits().sub(b, a), pool.bits().sub(a, b));
        let (size_a, size_b) = (pool.bv(width, bytes(of_a)), pool.bv(width, bytes(of_b)));
        let (first, second) = (pool.compare().ult(up, size_a), pool.compare().ult(down, size_b));
        pool.or2(first, second)
    }

    /// Are two values the same? Equal operations on equal operands are.
    fn same(&mut self, a: TermId, b: TermId, facts: &[TermId]) -> Result<(), NotShown> {
        if a == b {
            return Ok(());
        }
        let (x, y) = (self.pool.args(a).to_vec(), self.pool.args(b).to_vec());
        let is_function = matches!(self.pool.op(a), Op::Apply(_));
        if is_function && self.pool.op(a) == self.pool.op(b) && x.len() == y.len() && !x.is_empty()
        {
            return x.iter().zip(&y).try_for_each(|(&x, &y)| self.same(x, y, facts));
        }
        let equal = self.pool.eq(a, b);
        self.goals.show_all(&mut self.pool, facts, &[equal])
    }
}

/// Unknowns that a condition says the value of.
fn fixed(pool: &TermPool, guard: TermId, unknowns: &[Digit]) -> Vec<(TermId, TermId)> {
    let parts = match pool.op(guard) {
        Op::And => pool.args(guard).to_vec(),
        _ => vec![guard],
    };
    let mut list = vec![];
    for part in parts.into_iter().filter(|&part| pool.op(part) == Op::Eq) {
        let (a, b) = (pool.args(part)[0], pool.args(part)[1]);
        for (symbol, value) in [(a, b), (b, a)] {
            let is_unknown = unknowns.iter().any(|digit| digit.symbol == symbol);
            if is_unknown && is_number(pool, value) {
                list.push((symbol, value));
            }
        }
    }
    list
}
