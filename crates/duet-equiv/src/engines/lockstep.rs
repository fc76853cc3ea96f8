//! Engine 0: thread t of A, in step with thread t of B.
//!
//! The two control-flow graphs are walked together. Between two *cuts* (joins and heads of
//! loops) each side computes terms; whatever touches memory or waits is an *event*, and the
//! next event of A must be that of B: the same operation, partner arrays, equal offsets,
//! equal values. What a load, a shuffle or a counting barrier yields is one new symbol for
//! both. Branches must have equal conditions.
//!
//! At a cut the state says which values of both sides are equal: each value is a term, and
//! values that are the same symbol are equal. On every further arrival terms that no longer
//! agree become new symbols, by classes that still agree; the walk from the cut is then
//! repeated. That ends, because classes only become finer.
//!
//! *Why it is sound.* By induction over the events of a run: as long as memory is equal and
//! thread t of A is where thread t of B is with values as the state says, both do the same
//! next. So both make the same accesses in the same order, whatever the order of threads; and
//! without races the order does not matter. Memory starts equal except for shared and private
//! arrays: that what is read there was written before is an assumption, which is listed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use duet_analysis::{Dominators, Loops};
use duet_ir::{
    Array, AtomicOp, BarrierScope, Block, Edge, ExchangeOp, GeometryKind, Inst, InstData,
    MemoryScope, Reduction, Space, Terminator, Type, Value,
};
use duet_smt::{Op, Sort, TermId, TermPool};
use duet_vc::ops;

use super::live::not_needed;
use super::terms::{Env, Terms};
use super::{NotShown, Proof};
use crate::pair::matching::{Matching, written_arrays};
use crate::pair::request::{Kernel, Side};

/// Instructions of both sides that are walked at most.
const MOST_STEPS: usize = 400_000;

/// Proves that both kernels do the same in step.
///
/// # Errors
/// If they do not, as far as this engine can tell.
pub fn prove(kernels: &[Kernel<'_>; 2], matching: &Matching) -> Result<Proof, NotShown> {
    let terms =
        Side::BOTH.map(|side| Terms { side, func: kernels[side.index()].function(), matching });
    let cuts = Side::BOTH.map(|side| Cuts::new(kernels[side.index()].function()));
    if matching.scratch.iter().any(|scratch| !scratch.is_empty()) {
        return Err("arrays that are not compared are not followed in step".into());
    }
    let written = Side::BOTH.map(|side| written_arrays(kernels[side.index()].function()));
    let mut lockstep = Lockstep {
        kernels,
        matching,
        terms,
        cuts,
        written,
        skipped: Side::BOTH.map(|side| not_needed(kernels[side.index()].function())),
        pool: TermPool::new(),
        states: BTreeMap::new(),
        owned: BTreeMap::new(),
        work: BTreeSet::new(),
        local: [BTreeMap::new(), BTreeMap::new()],
        assumptions: BTreeSet::new(),
        steps: 0,
    };
    lockstep.run()?;
    let notes = vec![format!("{} places where both are in step", lockstep.states.len())];
    let assumptions = lockstep.assumptions;
    Ok(Proof { engine: "in step".to_string(), assumptions, notes, ..Proof::default() })
}

/// Where the walk of a side stops.
struct Cuts {
    joins: BTreeSet<Block>,
    headers: BTreeSet<Block>,
}

impl Cuts {
    fn new(func: &duet_ir::Function) -> Cuts {
        let mut count: BTreeMap<Block, usize> = BTreeMap::new();
        for &block in &func.layout {
            for edge in func.blocks[block].terminator.edges() {
                *count.entry(edge.block).or_default() += 1;
            }
        }
        let loops = Loops::new(func, &Dominators::new(func));
        let headers: BTreeSet<Block> = loops.iter().map(|(_, data)| data.header).collect();
        let mut joins: BTreeSet<Block> =
            count.into_iter().filter(|(_, count)| *count > 1).map(|(block, _)| block).collect();
        joins.extend(&headers);
        Cuts { joins, headers }
    }
}

/// A pair of cuts.
type At = [Block; 2];

struct Lockstep<'a> {
    kernels: &'a [Kernel<'a>; 2],
    matching: &'a Matching,
    terms: [Terms<'a>; 2],
    cuts: [Cuts; 2],
    written: [BTreeSet<Array>; 2],
    /// Instructions that nothing needs.
    skipped: [BTreeSet<Inst>; 2],
    pool: TermPool,
    /// What is known at each pair of cuts.
    states: BTreeMap<At, [Env; 2]>,
    /// Symbols that stand for arbitrary values at a pair of cuts.
    owned: BTreeMap<At, BTreeSet<TermId>>,
    work: BTreeSet<At>,
    /// Partners of shared and private arrays, found on the way.
    local: [BTreeMap<Array, Array>; 2],
    assumptions: BTreeSet<String>,
    steps: usize,
}

/// What must be the same on both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Load(Type),
    Store(Type),
    Atomic(AtomicOp, MemoryScope, Type),
    Barrier(BarrierScope),
    BarrierReduce(Reduction),
    Exchange(ExchangeOp, Type, bool),
}

#[derive(Clone, Debug)]
struct Event {
    kind: Kind,
    array: Option<Array>,
    operands: Vec<TermId>,
    result: Option<Value>,
    inst: Inst,
}

enum Next {
    Event(Event),
    Branch { cond: TermId, then: Edge, otherwise: Edge, block: Block },
    Switch { arg: TermId, cases: Vec<(u128, Edge)>, default: Edge },
    Cut(Block),
    Return,
    Halt,
}

/// Where a side is.
#[derive(Clone)]
struct Cursor {
    block: Block,
    at: usize,
    env: Env,
    events: VecDeque<Event>,
    /// What the thread knows to be in cells, since the last event that may change them.
    cells: BTreeMap<(Array, TermId, Type), TermId>,
    /// It stands at a cut that it has not entered yet.
    waits: Option<Block>,
}

impl Cursor {
    fn new(block: Block, env: Env) -> Cursor {
        Cursor { block, at: 0, env, events: VecDeque::new(), cells: BTreeMap::new(), waits: None }
    }
}

impl Lockstep<'_> {
    fn run(&mut self) -> Result<(), NotShown> {
        let entry = Side::BOTH.map(|side| self.terms[side.index()].func.entry());
        self.states.insert(entry, [Env::new(), Env::new()]);
        self.work.insert(entry);
        while let Some(at) = self.work.pop_first() {
            let envs = self.states[&at].clone();
            let [a, b] = envs;
            let cursors = [Cursor::new(at[0], a), Cursor::new(at[1], b)];
            self.walk(cursors, BTreeMap::new())?;
        }
        Ok(())
    }

    /// Walks both sides from a pair of places to the next cuts.
    fn walk(
        &mut self,
        mut cursors: [Cursor; 2],
        known: BTreeMap<TermId, bool>,
    ) -> Result<(), NotShown> {
        loop {
            let a = self.next(Side::A, &mut cursors[0], &known)?;
            let b = self.next(Side::B, &mut cursors[1], &known)?;
            match (a, b) {
                (Next::Event(a), Next::Event(b)) => self.pair_events(&mut cursors, &a, &b)?,
                (Next::Cut(a), Next::Cut(b)) if self.are_alike(a, b) => {
                    return self.cut(cursors, [a, b]);
                }
                (Next::Return, Next::Return) | (Next::Halt, Next::Halt) => return Ok(()),
                (Next::Cut(block), other) if !self.cuts[0].headers.contains(&block) => {
                    self.put_back(&mut cursors[1], other);
                    cursors[0].waits = None;
                    cursors[0].block = block;
                    cursors[0].at = 0;
                }
                (other, Next::Cut(block)) if !self.cuts[1].headers.contains(&block) => {
                    self.put_back(&mut cursors[0], other);
                    cursors[1].waits = None;
                    cursors[1].block = block;
                    cursors[1].at = 0;
                }
                (
                    Next::Branch { cond: a, then, otherwise, block },
                    Next::Branch { cond: b, then: then_b, otherwise: otherwise_b, .. },
                ) => {
                    let is_turned = self.pool.not(a) == b;
                    if a != b && !is_turned {
                        return Err(self.differ_at(block, "branch on different conditions"));
                    }
                    let (then_b, otherwise_b) =
                        if is_turned { (otherwise_b, then_b) } else { (then_b, otherwise_b) };
                    self.fork(&cursors, &known, (a, true), [&then, &then_b])?;
                    return self.fork(&cursors, &known, (a, false), [&otherwise, &otherwise_b]);
                }
                (
                    Next::Switch { arg: a, cases, default },
                    Next::Switch { arg: b, cases: cases_b, default: default_b },
                ) => {
                    let labels = |cases: &[(u128, Edge)]| {
                        cases.iter().map(|(label, _)| *label).collect::<Vec<_>>()
                    };
                    if a != b || labels(&cases) != labels(&cases_b) {
                        return Err("the kernels switch on different values".into());
                    }
                    for ((_, x), (_, y)) in cases.iter().zip(&cases_b) {
                        self.fork(&cursors, &known, (a, true), [x, y])?;
                    }
                    return self.fork(&cursors, &known, (a, true), [&default, &default_b]);
                }
                (a, b) => return Err(self.out_of_step(&cursors, &a, &b)),
            }
        }
    }

    /// Are both heads of loops, or neither?
    fn are_alike(&self, a: Block, b: Block) -> bool {
        self.cuts[0].headers.contains(&a) == self.cuts[1].headers.contains(&b)
    }

    /// Keeps what a side does next for later.
    fn put_back(&self, cursor: &mut Cursor, next: Next) {
        match next {
            Next::Event(event) => cursor.events.push_front(event),
            Next::Cut(block) => cursor.waits = Some(block),
            // The end of a block is read again.
            Next::Branch { .. } | Next::Switch { .. } | Next::Return | Next::Halt => {}
        }
    }

    fn fork(
        &mut self,
        cursors: &[Cursor; 2],
        known: &BTreeMap<TermId, bool>,
        (cond, taken): (TermId, bool),
        edges: [&Edge; 2],
    ) -> Result<(), NotShown> {
        let mut known = known.clone();
        if self.pool.sort(cond) == Sort::Bool {
            let negated = self.pool.not(cond);
            known.insert(cond, taken);
            known.insert(negated, !taken);
        }
        let mut next = cursors.clone();
        for side in Side::BOTH {
            self.follow(side, &mut next[side.index()], edges[side.index()])?;
        }
        self.walk(next, known)
    }

    /// Goes along an edge; a cut is not entered yet.
    fn follow(&mut self, side: Side, cursor: &mut Cursor, edge: &Edge) -> Result<(), NotShown> {
        let terms = self.terms[side.index()];
        let mut bound = vec![];
        for (&param, &arg) in terms.func.blocks[edge.block].params.iter().zip(&edge.args) {
            bound.push((param, terms.term(&mut self.pool, &cursor.env, arg)?));
        }
        cursor.env.extend(bound);
        match self.cuts[side.index()].joins.contains(&edge.block) {
            true => cursor.waits = Some(edge.block),
            false => {
                cursor.block = edge.block;
                cursor.at = 0;
            }
        }
        Ok(())
    }

    /// What a side does next.
    fn next(
        &mut self,
        side: Side,
        cursor: &mut Cursor,
        known: &BTreeMap<TermId, bool>,
    ) -> Result<Next, NotShown> {
        let terms = self.terms[side.index()];
        loop {
            if let Some(event) = cursor.events.pop_front() {
                return Ok(Next::Event(event));
            }
            if let Some(block) = cursor.waits {
                return Ok(Next::Cut(block));
            }
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err("the kernels are too long to be followed in step".into());
            }
            let data = &terms.func.blocks[cursor.block];
            if let Some(&inst) = data.insts.get(cursor.at) {
                cursor.at += 1;
                self.step(side, cursor, inst)?;
                continue;
            }
            let of = |this: &mut Self, value: Value| {
                terms.term(&mut this.pool, &cursor.env, value).map_err(NotShown)
            };
            match &data.terminator {
                Terminator::Jump(edge) => self.follow(side, cursor, edge)?,
                Terminator::Branch { cond, then, otherwise } => {
                    let cond = of(self, *cond)?;
                    let decided = match self.pool.op(cond) {
                        Op::True => Some(true),
                        Op::False => Some(false),
                        _ => known.get(&cond).copied(),
                    };
                    let (then, otherwise) = (then.clone(), otherwise.clone());
                    match decided {
                        Some(true) => self.follow(side, cursor, &then)?,
                        Some(false) => self.follow(side, cursor, &otherwise)?,
                        None => {
                            let block = cursor.block;
                            return Ok(Next::Branch { cond, then, otherwise, block });
                        }
                    }
                }
                Terminator::Switch { arg, cases, default } => {
                    let arg = of(self, *arg)?;
                    return Ok(Next::Switch {
                        arg,
                        cases: cases.clone(),
                        default: default.clone(),
                    });
                }
                Terminator::Return(_) => return Ok(Next::Return),
                Terminator::Halt => return Ok(Next::Halt),
            }
        }
    }

    /// One instruction of a side: a term, or events.
    fn step(&mut self, side: Side, cursor: &mut Cursor, inst: Inst) -> Result<(), NotShown> {
        if self.skipped[side.index()].contains(&inst) {
            return Ok(());
        }
        let terms = self.terms[side.index()];
        let func = terms.func;
        let geometry = |pool: &mut TermPool, own: duet_ir::Geometry| {
            let name = match own.kind {
                GeometryKind::ThreadId => "threadIdx",
                GeometryKind::BlockId => "blockIdx",
                GeometryKind::BlockDim => "blockDim",
                GeometryKind::GridDim => "gridDim",
                GeometryKind::GlobalOffset => "globalOffset",
                GeometryKind::WorkDim => "workDim",
            };
            pool.bv_var(&format!("{name}.{}", own.dim), 32)
        };
        let data = &func.insts[inst];
        if let Some(term) = terms.pure(&mut self.pool, &cursor.env, inst, &geometry)? {
            self.note_division(side, inst);
            cursor.env.insert(func.result(inst), term);
            return Ok(());
        }
        let result = func.results_of[inst].first().copied();
        match data {
            InstData::Load { access, ty, lanes } => {
                let offset = terms.term(&mut self.pool, &cursor.env, access.offset)?;
                for lane in 0..*lanes {
                    let at = terms.lane(&mut self.pool, offset, *ty, lane);
                    let value = func.results_of[inst][lane as usize];
                    self.load(side, cursor, inst, (access.array, at, *ty), value);
                }
            }
            InstData::Store { access, values } => {
                let offset = terms.term(&mut self.pool, &cursor.env, access.offset)?;
                for (lane, &value) in (0..).zip(values) {
                    let ty = func.type_of(value);
                    let at = terms.lane(&mut self.pool, offset, ty, lane);
                    let term = terms.term(&mut self.pool, &cursor.env, value)?;
                    cursor.cells.retain(|(array, _, _), _| *array != access.array);
                    cursor.events.push_back(Event {
                        kind: Kind::Store(ty),
                        array: Some(access.array),
                        operands: vec![at, term],
                        result: None,
                        inst,
                    });
                }
                if let [value] = values.as_slice() {
                    let ty = func.type_of(*value);
                    let term = terms.term(&mut self.pool, &cursor.env, *value)?;
                    cursor.cells.insert((access.array, offset, ty), term);
                }
            }
            InstData::Atomic { op, scope, order: _, access, args, ty } => {
                let mut operands = vec![access.offset];
                operands.extend(args);
                let kind = Kind::Atomic(*op, *scope, *ty);
                self.push(side, cursor, inst, kind, Some(access.array), &operands, None)?;
                // The result is unused: the order of threads would show in it.
                if let Some(result) = result {
                    let own = self.pool.fresh("atomic", ops::sort_of(*ty));
                    cursor.env.insert(result, own);
                }
            }
            InstData::Barrier { scope, arg } => {
                let operands: Vec<Value> = arg.iter().copied().collect();
                self.push(side, cursor, inst, Kind::Barrier(*scope), None, &operands, None)?;
            }
            InstData::BarrierReduce { op, arg } => {
                let kind = Kind::BarrierReduce(*op);
                self.push(side, cursor, inst, kind, None, &[*arg], result)?;
            }
            InstData::Exchange { op, mask, args, ty } => {
                let operands: Vec<Value> = mask.iter().chain(args).copied().collect();
                let kind = Kind::Exchange(*op, *ty, mask.is_some());
                self.push(side, cursor, inst, kind, None, &operands, result)?;
            }
            InstData::Fence { .. } | InstData::Assert { .. } | InstData::Annotation { .. } => {}
            _ => return Err(self.not_followed(side, inst)),
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // the parts of an event
    fn push(
        &mut self,
        side: Side,
        cursor: &mut Cursor,
        inst: Inst,
        kind: Kind,
        array: Option<Array>,
        operands: &[Value],
        result: Option<Value>,
    ) -> Result<(), NotShown> {
        let terms = self.terms[side.index()];
        let mut of = vec![];
        for &operand in operands {
            of.push(terms.term(&mut self.pool, &cursor.env, operand)?);
        }
        // SOUNDNESS: others may write once threads have waited, and an atomic changes its
        // cell (test `a_cell_is_read_again_after_a_barrier`).
        cursor.cells.clear();
        cursor.events.push_back(Event { kind, array, operands: of, result, inst });
        Ok(())
    }

    fn load(
        &mut self,
        side: Side,
        cursor: &mut Cursor,
        inst: Inst,
        (array, offset, ty): (Array, TermId, Type),
        value: Value,
    ) {
        let terms = self.terms[side.index()];
        // SOUNDNESS: contents are common and constant only if neither side writes them (test
        // `written_arrays_are_read_again`).
        let partner = self.matching.partner(side, array);
        let is_constant = !self.written[side.index()].contains(&array)
            && partner.is_some_and(|other| !self.written[side.other().index()].contains(&other));
        if is_constant && let Some(term) = terms.initial(&mut self.pool, array, offset, ty) {
            cursor.env.insert(value, term);
            return;
        }
        if let Some(&term) = cursor.cells.get(&(array, offset, ty)) {
            cursor.env.insert(value, term);
            return;
        }
        // Loads of one instruction are events too; what they yield is known once paired.
        cursor.events.push_back(Event {
            kind: Kind::Load(ty),
            array: Some(array),
            operands: vec![offset],
            result: Some(value),
            inst,
        });
    }

    fn pair_events(
        &mut self,
        cursors: &mut [Cursor; 2],
        a: &Event,
        b: &Event,
    ) -> Result<(), NotShown> {
        let arrays_fit = match (a.array, b.array) {
            (None, None) => true,
            (Some(x), Some(y)) => self.are_partners(x, y),
            _ => false,
        };
        if a.kind != b.kind || !arrays_fit || a.operands != b.operands {
            return Err(self.events_differ(a, b));
        }
        let sort = match &a.kind {
            Kind::Load(ty) | Kind::Exchange(_, ty, _) => Some(ops::sort_of(*ty)),
            Kind::BarrierReduce(_) => Some(Sort::BitVec(32)),
            Kind::Store(_) | Kind::Atomic(..) | Kind::Barrier(_) => None,
        };
        let (Some(sort), Some(x), Some(y)) = (sort, a.result, b.result) else { return Ok(()) };
        let common = self.pool.fresh("common", sort);
        cursors[0].env.insert(x, common);
        cursors[1].env.insert(y, common);
        if let (Kind::Load(ty), Some(p), Some(q)) = (&a.kind, a.array, b.array) {
            cursors[0].cells.insert((p, a.operands[0], *ty), common);
            cursors[1].cells.insert((q, b.operands[0], *ty), common);
            self.note_initialised([p, q], [a.inst, b.inst]);
        }
        Ok(())
    }

    /// Do the arrays belong together? Shared and private ones find their partner at the
    /// first access.
    fn are_partners(&mut self, a: Array, b: Array) -> bool {
        if self.matching.partner(Side::A, a).is_some()
            || self.matching.partner(Side::B, b).is_some()
        {
            return self.matching.partner(Side::A, a) == Some(b);
        }
        let spaces = [a, b].into_iter().zip(self.kernels).map(|(x, k)| k.module.arrays[x].space);
        let spaces: Vec<Space> = spaces.collect();
        if spaces[0] != spaces[1] || !matches!(spaces[0], Space::Shared | Space::Private) {
            return false;
        }
        match (self.local[0].get(&a), self.local[1].get(&b)) {
            (Some(partner), Some(_)) => *partner == b,
            (None, None) => {
                self.local[0].insert(a, b);
                self.local[1].insert(b, a);
                true
            }
            _ => false,
        }
    }

    /// Both sides are at a cut: what is known there is what all arrivals agree about.
    fn cut(&mut self, cursors: [Cursor; 2], at: At) -> Result<(), NotShown> {
        let [a, b] = cursors;
        let arrived = [a.env, b.env];
        let Some(old) = self.states.get(&at) else {
            self.states.insert(at, arrived);
            self.work.insert(at);
            return Ok(());
        };
        let old = old.clone();
        let merged = self.merge(at, &old, &arrived);
        if merged != old {
            self.states.insert(at, merged);
            self.work.insert(at);
        }
        Ok(())
    }

    /// What two states agree about. A value that is not the same term any more becomes a
    /// symbol of the cut; values stay equal to each other only if they were and are.
    fn merge(&mut self, at: At, old: &[Env; 2], new: &[Env; 2]) -> [Env; 2] {
        let owned = self.owned.entry(at).or_default().clone();
        let mut classes: BTreeMap<TermId, BTreeSet<TermId>> = BTreeMap::new();
        for side in [0, 1] {
            for (value, before) in &old[side] {
                if let Some(after) = new[side].get(value) {
                    classes.entry(*before).or_default().insert(*after);
                }
            }
        }
        let mut symbols: BTreeMap<(TermId, TermId), TermId> = BTreeMap::new();
        let mut merged = [Env::new(), Env::new()];
        for side in [0, 1] {
            for (&value, &before) in &old[side] {
                let Some(&after) = new[side].get(&value) else { continue };
                let is_kept = match owned.contains(&before) {
                    // An arbitrary value, which all of its class still share.
                    true => classes[&before].len() == 1,
                    // SOUNDNESS: a term over symbols of this cut speaks of the arrival before
                    // (test `a_value_of_the_last_iteration_is_not_this_ones`).
                    false => before == after && !self.mentions(before, &owned),
                };
                let term = match is_kept {
                    true => before,
                    false => *symbols.entry((before, after)).or_insert_with(|| {
                        let sort = self.pool.sort(before);
                        self.pool.fresh("cut", sort)
                    }),
                };
                merged[side].insert(value, term);
            }
        }
        self.owned.entry(at).or_default().extend(symbols.into_values());
        merged
    }

    fn mentions(&self, term: TermId, symbols: &BTreeSet<TermId>) -> bool {
        !symbols.is_empty()
            && self.pool.reachable(&[term]).iter().any(|part| symbols.contains(part))
    }

    fn line(&self, side: Side, inst: Inst) -> String {
        let kernel = &self.kernels[side.index()];
        let span = kernel.module.span_of_inst(kernel.function(), inst);
        match span {
            Some(span) => format!("{}:{}", span.file.display(), span.line),
            None => format!("{}", kernel.file.display()),
        }
    }

    fn note_division(&mut self, side: Side, inst: Inst) {
        let func = self.terms[side.index()].func;
        if let InstData::Binary { op, args, .. } = &func.insts[inst]
            && op.may_fail()
            && func.const_bits(args[1]).is_none_or(|bits| bits == 0)
        {
            let line = self.line(side, inst);
            self.assumptions.insert(format!("{line}: the divisor is not zero"));
        }
    }

    /// Shared and private memory holds nothing in particular at first.
    fn note_initialised(&mut self, arrays: [Array; 2], insts: [Inst; 2]) {
        for side in Side::BOTH {
            let kernel = &self.kernels[side.index()];
            let array = arrays[side.index()];
            if matches!(kernel.module.arrays[array].space, Space::Shared | Space::Private) {
                let line = self.line(side, insts[side.index()]);
                let name = kernel.function().array_name(kernel.module, array);
                self.assumptions.insert(format!("{line}: reads initialised cells of `{name}`"));
            }
        }
    }

    fn not_followed(&self, side: Side, inst: Inst) -> NotShown {
        format!("{}: this is not followed in step", self.line(side, inst)).into()
    }

    fn events_differ(&self, a: &Event, b: &Event) -> NotShown {
        let what = |kind: &Kind| match kind {
            Kind::Load(_) => "reads",
            Kind::Store(_) => "writes",
            Kind::Atomic(..) => "updates",
            Kind::Barrier(_) | Kind::BarrierReduce(_) => "waits",
            Kind::Exchange(..) => "exchanges",
        };
        let (x, y) = (self.line(Side::A, a.inst), self.line(Side::B, b.inst));
        let text = match a.kind == b.kind {
            true => format!("{x} {} something else than {y}", what(&a.kind)),
            false => format!("{x} {} where {y} {}", what(&a.kind), what(&b.kind)),
        };
        text.into()
    }

    fn differ_at(&self, block: Block, what: &str) -> NotShown {
        let kernel = &self.kernels[0];
        let loc = kernel.function().blocks[block].loc;
        let line = kernel.module.source_span(loc).map(|span| span.line);
        let line = line.map_or(String::new(), |line| format!("{}:{line}: ", kernel.file.display()));
        format!("{line}the kernels {what}").into()
    }

    fn out_of_step(&self, cursors: &[Cursor; 2], a: &Next, b: &Next) -> NotShown {
        let what = |next: &Next| match next {
            Next::Event(_) => "accesses memory or waits",
            Next::Branch { .. } | Next::Switch { .. } => "branches",
            Next::Cut(_) => "is at a loop",
            Next::Return | Next::Halt => "ends",
        };
        let text = format!("{} where b {}", what(a), what(b));
        self.differ_at(cursors[0].block, &format!("are out of step: a {text}"))
    }
}
