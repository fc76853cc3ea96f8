//! One thread between two barriers: paths split at conditions that are no numbers, and are
//! merged where they meet.

use std::collections::BTreeMap;

use duet_ir::{AnnotationKind, BinaryOp, Block, CastOp, Edge, Inst, InstData, Terminator, Value};
use duet_smt::{Op, TermId, TermPool};

use super::adds;
use super::extend::{extended, extended_by_parts, multiplied_out};
use super::guards::{Guard, Guards};
use super::memory::{Cell, Cells, Piece, Place};
use super::run::{BlockRun, Event, What};
use super::sums::least;
use super::whole::{Body, Taker};
use crate::engines::NotShown;
use crate::engines::terms::Env;

/// Where a thread stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// At a barrier or an exchange.
    At(Inst),
    /// It has ended.
    End,
}

/// One way of a thread: where it is, under which condition, with which values.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) block: Block,
    pub(super) at: usize,
    pub(super) guard: Guard,
    pub(super) env: Env,
}

/// A thread.
pub struct Thread {
    id: [u32; 3],
    number: u32,
    /// Ways that go on, by the position of their block.
    ahead: BTreeMap<usize, Way>,
    /// Ways that go back to the head of a loop.
    back: BTreeMap<usize, Way>,
    /// The way that waited.
    resumed: Option<Way>,
    /// Where it stopped, if it did.
    pub stop: Option<Stop>,
    /// What it wrote since the last barrier.
    pub own: Cells,
    /// What it gives to an exchange.
    pub inputs: Vec<TermId>,
    /// A precondition does not hold.
    pub is_refused: bool,
    /// Under which condition it last went back to a head, and how often that changed.
    rounds: BTreeMap<usize, (Guard, u32)>,
    /// The loop whose body it goes through once.
    pub(super) body: Option<Body>,
}

/// Iterations of a loop that end under conditions that are no numbers.
const MOST_ROUNDS: u32 = 40;

impl Thread {
    /// A thread at the kernel's entry.
    pub fn new(run: &BlockRun<'_>, id: [u32; 3], number: u32) -> Thread {
        let way = Way { block: run.terms.func.entry(), at: 0, guard: Guard::TRUE, env: Env::new() };
        Thread {
            id,
            number,
            ahead: BTreeMap::new(),
            back: BTreeMap::new(),
            resumed: Some(way),
            stop: None,
            own: Cells::default(),
            inputs: vec![],
            is_refused: false,
            rounds: BTreeMap::new(),
            body: None,
        }
    }

    /// The thread in the body of a loop.
    pub(super) fn inside(&mut self, body: Body, way: Way) -> Thread {
        Thread {
            id: self.id,
            number: self.number,
            ahead: BTreeMap::new(),
            back: BTreeMap::new(),
            resumed: Some(way),
            stop: None,
            own: std::mem::take(&mut self.own),
            inputs: vec![],
            is_refused: false,
            rounds: BTreeMap::new(),
            body: Some(body),
        }
    }

    /// Does it wait for others?
    pub fn is_waiting(&self) -> bool {
        matches!(self.stop, Some(Stop::At(_)))
    }

    /// Where it waits.
    pub fn waits_at(&self) -> Option<Inst> {
        match self.stop {
            Some(Stop::At(inst)) => Some(inst),
            Some(Stop::End) | None => None,
        }
    }

    /// Under which condition it waits.
    pub fn waits_under(&self) -> Option<Guard> {
        self.resumed.as_ref().map(|way| way.guard)
    }

    /// What it waits under is known from here on.
    pub fn go_on_freely(&mut self) {
        if let Some(way) = &mut self.resumed {
            way.guard = Guard::TRUE;
        }
    }

    /// Gives it the result of an exchange.
    pub fn put(&mut self, value: Value, term: TermId) {
        if let Some(way) = &mut self.resumed {
            way.env.insert(value, term);
        }
    }

    /// The way that goes on next: inside a loop before its next iteration, and all of a loop
    /// before what comes after it.
    fn next_way(&mut self, run: &BlockRun<'_>) -> Option<Way> {
        if let Some(way) = self.resumed.take() {
            return Some(way);
        }
        let depth = |way: &Way| {
            let id = run.loops.headed_by(way.block);
            id.map_or(0, |id| run.loops.data(id).depth)
        };
        let deepest = self.back.iter().max_by_key(|(_, way)| depth(way)).map(|(at, _)| *at);
        let Some(at) = deepest else { return self.ahead.pop_first().map(|(_, way)| way) };
        let head = self.back.get(&at)?.block;
        let inside = run.loops.headed_by(head).and_then(|id| {
            let is_inside = |way: &Way| run.loops.contains(id, way.block);
            self.ahead.iter().find(|(_, way)| is_inside(way)).map(|(at, _)| *at)
        });
        match inside {
            Some(at) => self.ahead.remove(&at),
            None => self.back.remove(&at),
        }
    }
}

impl BlockRun<'_> {
    /// Runs a thread until it waits or ends.
    ///
    /// # Errors
    /// If it does something that cannot be followed.
    pub(super) fn go(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
    ) -> Result<(), NotShown> {
        while thread.stop.is_none() {
            match thread.next_way(self) {
                Some(way) => self.follow(pool, guards, thread, way)?,
                None => thread.stop = Some(Stop::End),
            }
        }
        // Where it waits under a condition, its other ways go on first.
        let (stop, waiting) = (thread.stop, thread.resumed.take());
        while let Some(way) = thread.next_way(self) {
            thread.stop = None;
            self.follow(pool, guards, thread, way)?;
            if thread.is_waiting() {
                return Err("a barrier or an exchange under a condition that is no number".into());
            }
        }
        (thread.stop, thread.resumed) = (stop, waiting);
        Ok(())
    }

    /// Follows a way to the end of its block.
    fn follow(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
        way: Way,
    ) -> Result<(), NotShown> {
        if way.at == 0 && self.is_counted(way.block) {
            return self.enter(pool, guards, thread, way);
        }
        if let (0, Some(float)) = (way.at, self.takes_whole)
            && !thread.body.as_ref().is_some_and(|body| body.is_of(way.block))
            && (Taker { run: self }).take((&mut *pool, &mut *guards), thread, &way, float)?
        {
            return Ok(());
        }
        self.go_through(pool, guards, thread, way)
    }

    /// Follows a way through its block, which is no loop's head or one that was entered.
    pub(super) fn go_through(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
        mut way: Way,
    ) -> Result<(), NotShown> {
        let func = self.terms.func;
        while let Some(&inst) = func.blocks[way.block].insts.get(way.at) {
            *self.steps = self.steps.checked_sub(1).ok_or("too many instructions")?;
            way.at += 1;
            self.step(pool, guards, thread, &mut way, inst)?;
            if thread.stop.is_some() {
                thread.resumed = Some(way);
                return Ok(());
            }
        }
        *self.steps = self.steps.checked_sub(1).ok_or("too many instructions")?;
        if let Some(edge) = self.untested_back(way.block) {
            return self.take(pool, guards, thread, &way, &edge, way.guard);
        }
        match &func.blocks[way.block].terminator {
            Terminator::Jump(edge) => self.take(pool, guards, thread, &way, edge, way.guard),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.terms.term(pool, &way.env, *cond)?;
                let holds = guards.of(pool, cond);
                let fails = guards.not(holds);
                for (condition, edge) in [(holds, then), (fails, otherwise)] {
                    let guard = guards.and(way.guard, condition);
                    self.take(pool, guards, thread, &way, edge, guard)?;
                }
                Ok(())
            }
            Terminator::Switch { arg, cases, default } => {
                let arg = self.terms.term(pool, &way.env, *arg)?;
                let mut left = way.guard;
                for (label, edge) in cases {
                    let label = match pool.sort(arg).width() {
                        Some(width) => pool.bv(width, *label),
                        None => pool.bool(*label == 1),
                    };
                    let equal = pool.eq(arg, label);
                    let equal = guards.of(pool, equal);
                    let guard = guards.and(left, equal);
                    self.take(pool, guards, thread, &way, edge, guard)?;
                    let other = guards.not(equal);
                    left = guards.and(left, other);
                }
                self.take(pool, guards, thread, &way, default, left)
            }
            Terminator::Return(_) | Terminator::Halt => Ok(()),
        }
    }

    /// Goes along an edge under a condition; ways that meet are merged.
    pub(super) fn take(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
        way: &Way,
        edge: &Edge,
        guard: Guard,
    ) -> Result<(), NotShown> {
        if guard == Guard::FALSE {
            return Ok(());
        }
        if let Some(mut body) = thread.body.take() {
            let is_over = body.ends(self, (&mut *pool, &mut *guards), way, edge, guard)?;
            thread.body = Some(body);
            if is_over {
                return Ok(());
            }
        }
        let is_back = self.order[&edge.block] <= self.order[&way.block];
        if is_back && self.is_counted(edge.block) {
            return self.go_back(pool, guards, way, edge, guard);
        }
        let mut env = way.env.clone();
        for (&param, &arg) in self.terms.func.blocks[edge.block].params.iter().zip(&edge.args) {
            env.insert(param, self.terms.term(pool, &way.env, arg)?);
        }
        let at = self.order[&edge.block];
        if is_back {
            let (last, count) = thread.rounds.entry(at).or_insert((guard, 0));
            if *last != guard {
                (*last, *count) = (guard, *count + 1);
            }
            if *count > MOST_ROUNDS {
                return Err("a loop ends after a number of iterations that is not known".into());
            }
        }
        let ways = if is_back { &mut thread.back } else { &mut thread.ahead };
        let mut new = Way { block: edge.block, at: 0, guard, env };
        if let Some(old) = ways.remove(&at) {
            let mut env = Env::new();
            for (value, &before) in &old.env {
                if let Some(&after) = new.env.get(value) {
                    env.insert(*value, guards.select(pool, old.guard, before, after));
                }
            }
            new = Way { guard: guards.or(old.guard, guard), env, ..new };
        }
        ways.insert(at, new);
        Ok(())
    }

    pub(super) fn step(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
        way: &mut Way,
        inst: Inst,
    ) -> Result<(), NotShown> {
        if self.skipped.contains(&inst) {
            return Ok(());
        }
        let (terms, func) = (self.terms, self.terms.func);
        let id = thread.id;
        if let InstData::Fresh { ty, .. } | InstData::Ghost { ty, .. } = &func.insts[inst]
            && let Some(term) = self.unknown_of_ids(pool, way.block, *ty)
        {
            way.env.insert(func.result(inst), term);
            return Ok(());
        }
        let geometry = |pool: &mut TermPool, own| self.geometry(pool, own, id);
        if let Some(term) = terms.pure(pool, &way.env, inst, &geometry)? {
            if let InstData::Binary { op, args, .. } = &func.insts[inst]
                && op.may_fail()
            {
                let divisor = terms.term(pool, &way.env, args[1])?;
                self.note_division(pool, inst, divisor);
            }
            let term = match &func.insts[inst] {
                InstData::Cast { op, arg, .. } if self.symbolic.is_none() => {
                    let small = terms.term(pool, &way.env, *arg)?;
                    let width = pool.sort(term).width();
                    let small = width.and_then(|width| extended(self, pool, *op, small, width));
                    match (small, width) {
                        (Some(small), _) => small,
                        (None, Some(width)) if *op == CastOp::SExt && guards.moves_ranges => {
                            extended_by_parts(self, pool, &way.env, (*arg, width), 8)?
                        }
                        (None, _) => term,
                    }
                }
                InstData::Binary { .. } if guards.moves_ranges => multiplied_out(pool, term),
                _ => chosen(pool, guards, term),
            };
            way.env.insert(func.result(inst), term);
            self.note_exact(pool, guards, way, inst)?;
            return Ok(());
        }
        match &func.insts[inst] {
            InstData::Load { access, ty, lanes } => {
                let offset = terms.term(pool, &way.env, access.offset)?;
                let piece = self.piece(access.array, thread.number);
                self.touched.insert(access.array);
                for lane in 0..*lanes {
                    let at = terms.lane(pool, offset, *ty, lane);
                    let value = if self.is_event(access.array) {
                        let guard = guards.term(pool, way.guard);
                        self.note_read(pool, (inst, access.array, at), *ty, (way.block, guard))?
                    } else {
                        self.load(pool, &thread.own, piece, at, *ty)?
                    };
                    way.env.insert(func.results_of[inst][lane as usize], value);
                }
                Ok(())
            }
            InstData::Store { access, values } => {
                let offset = terms.term(pool, &way.env, access.offset)?;
                self.touched.insert(access.array);
                for (lane, &value) in (0..).zip(values) {
                    let ty = func.type_of(value);
                    let at = terms.lane(pool, offset, ty, lane);
                    let term = terms.term(pool, &way.env, value)?;
                    if self.is_event(access.array) {
                        let guard = guards.term(pool, way.guard);
                        let what = What::Writes(term);
                        self.note_event((inst, access.array, at), (ty, what), (way.block, guard));
                        continue;
                    }
                    self.store(pool, guards, thread, way.guard, (access.array, at), (ty, term))?;
                }
                Ok(())
            }
            InstData::Barrier { scope, .. } => {
                if *scope == duet_ir::BarrierScope::Grid {
                    return Err("a barrier of the grid".into());
                }
                if self.symbolic.is_some() {
                    // SOUNDNESS: what two threads of a warp order among themselves is no
                    // interval of the block (test `warp_barriers_are_not_followed_by_symbols`).
                    if *scope != duet_ir::BarrierScope::Block {
                        return Err("a barrier that is not of the block".into());
                    }
                    return self.pass_barrier(way.block, way.guard);
                }
                wait(thread, inst);
                Ok(())
            }
            InstData::Exchange { .. } if self.symbolic.is_some() => {
                Err("an exchange is not followed by symbols".into())
            }
            InstData::Exchange { mask, args, .. } => {
                thread.inputs.clear();
                for &arg in mask.iter().chain(args) {
                    thread.inputs.push(terms.term(pool, &way.env, arg)?);
                }
                wait(thread, inst);
                Ok(())
            }
            InstData::Annotation { kind, args } => {
                let is_precondition =
                    matches!(kind, AnnotationKind::Requires | AnnotationKind::GlobalRequires);
                if is_precondition {
                    let holds = terms.term(pool, &way.env, args[0])?;
                    // What is stated under a condition excludes nothing by itself.
                    if pool.op(holds) == Op::False && way.guard == Guard::TRUE {
                        thread.is_refused = true;
                        return Err("a precondition excludes this".into());
                    }
                    if let (Some(symbolic), Guard::TRUE) = (&mut self.symbolic, way.guard) {
                        symbolic.facts.push(holds);
                    }
                }
                Ok(())
            }
            InstData::Fence { .. } | InstData::Assert { .. } => Ok(()),
            InstData::Atomic { .. } if self.symbolic.is_none() => {
                adds::note(self, pool, &way.env, way.guard, inst)
            }
            InstData::Atomic { op, access, args, ty, .. } => {
                let is_global =
                    self.kernel.module.arrays[access.array].space == duet_ir::Space::Global;
                let ([arg], true) = (args.as_slice(), is_global) else {
                    return Err("this atomic operation is not followed by symbols".into());
                };
                let offset = terms.term(pool, &way.env, access.offset)?;
                let value = terms.term(pool, &way.env, *arg)?;
                let guard = guards.term(pool, way.guard);
                let what = What::Adds(*op, value);
                self.note_event((inst, access.array, offset), (*ty, what), (way.block, guard));
                Ok(())
            }
            _ => {
                let span = self.kernel.module.span_of_inst(func, inst);
                let line = span.map_or(String::new(), |span| format!("line {}: ", span.line));
                Err(format!("{line}this is not followed").into())
            }
        }
    }

    /// Signed sums and products of a thread with symbols for ids do not overflow: that is
    /// undefined, and assumed not to happen where it is listed.
    fn note_exact(
        &mut self,
        pool: &mut TermPool,
        guards: &Guards,
        way: &Way,
        inst: Inst,
    ) -> Result<(), NotShown> {
        let InstData::Binary { op, nsw: true, args } = &self.terms.func.insts[inst] else {
            return Ok(());
        };
        if self.symbolic.is_none() || self.terms.func.type_of(args[0]) != duet_ir::Type::Int(32) {
            return Ok(());
        }
        let [a, b] = [args[0], args[1]].map(|arg| self.terms.term(pool, &way.env, arg));
        let (a, b) = (a?, b?);
        let [x, y] = [a, b].map(|term| pool.bits().sext_or_trunc(term, 64));
        let (narrow, wide) = match op {
            BinaryOp::Add => (pool.bits().add(a, b), pool.bits().add(x, y)),
            BinaryOp::Sub => (pool.bits().sub(a, b), pool.bits().sub(x, y)),
            BinaryOp::Mul => (pool.bits().mul(a, b), pool.bits().mul(x, y)),
            _ => return Ok(()),
        };
        let extended = pool.bits().sext_or_trunc(narrow, 64);
        let fits = pool.eq(extended, wide);
        let guard = guards.term(pool, way.guard);
        if let (Some(symbolic), None) = (&mut self.symbolic, pool.as_bool(fits)) {
            symbolic.exact.push((inst, guard, fits));
        }
        Ok(())
    }

    fn note_event(
        &mut self,
        (inst, array, offset): (Inst, duet_ir::Array, TermId),
        (ty, what): (duet_ir::Type, What),
        (block, guard): (Block, TermId),
    ) {
        let (counts, moment) = (self.counts(block), self.moment(block));
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.events.push(Event { inst, array, offset, ty, guard, what, moment, counts });
        }
    }

    fn store(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        thread: &mut Thread,
        guard: Guard,
        (array, offset): (duet_ir::Array, TermId),
        (ty, value): (duet_ir::Type, TermId),
    ) -> Result<(), NotShown> {
        let piece = self.piece(array, thread.number);
        let place = Place::of(pool, offset);
        if !place.is_near() {
            return Err("an offset is out of all bounds".into());
        }
        let old = thread.own.find(piece, place, ty)?;
        self.memory.is_apart(piece, place, ty)?;
        let before = match (old, guard) {
            (_, Guard::TRUE) => value,
            (Some(cell), _) => cell.value,
            (None, _) => match unwritten_private(self, pool, piece, ty) {
                Some(unknown) => unknown,
                None => self.load(pool, &thread.own, piece, offset, ty)?,
            },
        };
        let value = guards.select(pool, guard, value, before);
        let known = old.map_or(Guard::FALSE, |cell| cell.guard);
        let guard = guards.or(known, guard);
        thread.own.put(piece, place, Cell { offset, ty, value, guard });
        Ok(())
    }
}

/// What a private cell holds that a thread with symbols for its ids is about to write for the
/// first time: an unknown of its own.
///
/// Loops that write private memory are not counted, so no count of iterations is around.
fn unwritten_private(
    run: &mut BlockRun<'_>,
    pool: &mut TermPool,
    piece: Piece,
    ty: duet_ir::Type,
) -> Option<TermId> {
    let is_private = run.kernel.module.arrays[piece.0].space == duet_ir::Space::Private;
    let entry = *run.terms.func.layout.first()?;
    is_private.then(|| run.unknown_of_ids(pool, entry, ty)).flatten()
}

/// A conditional value, as the lesser or greater of two where those are leaves.
fn chosen(pool: &mut TermPool, guards: &Guards, term: TermId) -> TermId {
    match pool.op(term) {
        Op::Ite if guards.has_least => {
            let args = pool.args(term).to_vec();
            least(pool, &args).unwrap_or(term)
        }
        _ => term,
    }
}

/// The thread waits.
fn wait(thread: &mut Thread, inst: Inst) {
    thread.stop = Some(Stop::At(inst));
}
