//! One block: its threads, what they wait for, and what they leave.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use duet_analysis::{Dominators, Loops};
use duet_ir::{
    Array, AtomicOp, BarrierScope, Block, ExchangeOp, Geometry, GeometryKind, Inst, InstData,
    Space, Type,
};
use duet_smt::{FuncId, Op, Sort, TermId, TermPool};
use duet_vc::{Extent, LaunchSpec, ThreadTerms, ops};

use super::adds::{self, Add};
use super::contexts::{self, Context};
use super::cut::{Counted, Moment, Round};
use super::guards::{Guard, Guards};
use super::memory::{Cell, Cells, Piece, Place, without_carry};
use super::thread::{Stop, Thread};
use super::whole::mentions;
use crate::engines::NotShown;
use crate::engines::live::not_needed;
use crate::engines::terms::Terms;
use crate::pair::matching::Matching;
use crate::pair::request::{FloatModel, Kernel, Side};

/// Threads of a block along each dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Along x, y, z.
    pub block: [u32; 3],
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.block;
        match (y, z) {
            (1, 1) => write!(f, "{x}"),
            (_, 1) => write!(f, "{x}×{y}"),
            _ => write!(f, "{x}×{y}×{z}"),
        }
    }
}

/// What a block leaves.
pub struct Ended {
    /// Cells that were written.
    pub memory: Cells,
    /// What was added to global memory by atomic sums.
    pub adds: BTreeMap<Array, Vec<Add>>,
    /// What was assumed on the way.
    pub assumptions: BTreeSet<String>,
}

/// An access of a thread whose ids are symbols.
#[derive(Clone, Debug)]
pub struct Event {
    /// The instruction.
    pub inst: Inst,
    /// The array.
    pub array: Array,
    /// Byte offset.
    pub offset: TermId,
    /// The type of the element.
    pub ty: Type,
    /// Condition under which it happens.
    pub guard: TermId,
    /// What is written, or the function of the ids that a read yields.
    pub what: What,
    /// How many barriers came before.
    pub moment: Moment,
    /// Counts of the loops around it that are not unrolled, outermost first.
    pub counts: Vec<TermId>,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// It writes this.
    Writes(TermId),
    /// It changes the cell by this operation with this operand.
    Adds(AtomicOp, TermId),
    /// It reads; this function of the thread's ids stands for the value.
    Reads(FuncId),
}

/// A thread whose ids are symbols, and what it did so far, in program order.
pub struct Symbolic {
    /// Sizes.
    pub geometry: duet_vc::Geometry,
    /// Its ids.
    pub thread: ThreadTerms,
    /// Accesses to memory that others write or that no thread initialised.
    pub events: Vec<Event>,
    /// Preconditions.
    pub facts: Vec<TermId>,
    /// How many barriers it passed, outside of counted loops.
    pub moment: Moment,
    /// Loops that are not unrolled.
    pub counted: BTreeMap<Block, Counted>,
    /// Those that it went through, with what their bodies carry.
    pub rounds: Vec<Open>,
    /// The latest of each head.
    pub latest: BTreeMap<Block, usize>,
    /// Sums and products that do not overflow: where, when, and what is known by that.
    pub exact: Vec<(Inst, TermId, TermId)>,
    /// Functions of which something is known, with their arguments.
    pub lemmas: Vec<(FuncId, Vec<TermId>, Vec<TermId>)>,
    /// Arrays that the kernel writes.
    pub written: BTreeSet<Array>,
    /// How many unknowns it met.
    pub unknowns: u32,
}

impl Symbolic {
    /// Its ids as arguments: of the thread, then of the block.
    pub fn ids(&self) -> Vec<TermId> {
        self.thread.thread.iter().chain(&self.thread.block).copied().collect()
    }
}

/// A counted loop while it is followed.
#[derive(Clone, Debug)]
pub struct Open {
    /// What is known of it.
    pub round: Round,
    /// When it is reached, and when an iteration is.
    pub(super) guards: [Guard; 2],
    /// What goes back to the head, and when.
    pub(super) back: Option<(Guard, Vec<TermId>)>,
    /// Barriers of an iteration, as many as there should be.
    pub(super) barriers: i64,
    /// And as many as were passed.
    pub(super) passed: i64,
}

/// Runs one block.
pub struct BlockRun<'a> {
    pub(super) kernel: &'a Kernel<'a>,
    pub(super) terms: Terms<'a>,
    pub(super) spec: &'a LaunchSpec,
    pub(super) shape: Shape,
    pub(super) loops: Loops,
    /// Positions of blocks in an order in which loops are contiguous.
    pub(super) order: BTreeMap<Block, usize>,
    /// Memory as the interval began.
    pub(super) memory: Cells,
    /// What cells of shared and private memory held at first.
    unwritten: HashMap<(Piece, Place), TermId>,
    /// What was added by atomic sums: to global memory, and to shared memory in this interval.
    pub(super) adds: BTreeMap<Array, Vec<Add>>,
    /// Shared arrays that were read or written in this interval.
    pub(super) touched: BTreeSet<Array>,
    pub assumptions: BTreeSet<String>,
    pub(super) steps: &'a mut u64,
    /// The ids of the only thread are symbols.
    pub symbolic: Option<Symbolic>,
    /// Are loops taken as a whole whose number of iterations is no number?
    pub takes_whole: Option<FloatModel>,
    /// What stands for what the loops carry that are gone through, outermost first.
    pub(super) holes: Vec<Vec<TermId>>,
    /// Instructions that nothing needs.
    pub(super) skipped: BTreeSet<Inst>,
    /// Conditions under which the block goes on.
    pub(super) contexts: Vec<Context>,
}

impl<'a> BlockRun<'a> {
    /// A block of a side.
    pub fn new(
        kernels: &'a [Kernel<'a>; 2],
        matching: &'a Matching,
        specs: &'a [LaunchSpec; 2],
        side: Side,
        shape: Shape,
        steps: &'a mut u64,
    ) -> BlockRun<'a> {
        let kernel = &kernels[side.index()];
        let func = kernel.function();
        let loops = Loops::new(func, &Dominators::new(func));
        let order = loops.order().iter().enumerate().map(|(at, &block)| (block, at)).collect();
        BlockRun {
            kernel,
            terms: Terms { side, func, matching },
            spec: &specs[side.index()],
            shape,
            loops,
            order,
            memory: Cells::default(),
            unwritten: HashMap::new(),
            adds: BTreeMap::new(),
            touched: BTreeSet::new(),
            assumptions: BTreeSet::new(),
            steps,
            symbolic: None,
            takes_whole: None,
            holes: vec![],
            skipped: not_needed(func),
            contexts: vec![],
        }
    }

    /// Follows one thread whose ids are symbols to its end.
    ///
    /// # Errors
    /// If something cannot be followed.
    pub fn follow_symbolic(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        symbolic: Symbolic,
    ) -> Result<Symbolic, NotShown> {
        if !self.loops.is_reducible() {
            return Err("a loop has several entries".into());
        }
        self.symbolic = Some(symbolic);
        let mut thread = Thread::new(self, [0; 3], 0);
        let went = self.go(pool, guards, &mut thread);
        let mut symbolic = self.symbolic.take().ok_or("no thread was followed")?;
        went?;
        for open in &mut symbolic.rounds {
            open.close()?;
        }
        Ok(symbolic)
    }

    /// Is the access one that others see, or whose contents others decide?
    pub(super) fn is_event(&self, array: Array) -> bool {
        let Some(symbolic) = &self.symbolic else { return false };
        match self.kernel.module.arrays[array].space {
            Space::Private => false,
            Space::Shared => true,
            Space::Global | Space::Constant => {
                let side = self.terms.side;
                symbolic.written.contains(&array)
                    || self.terms.matching.scratch[side.index()].contains(&array)
            }
        }
    }

    /// An unknown of a thread whose ids are symbols.
    ///
    /// SOUNDNESS: it is a function of the ids, since two threads have different ones (test
    /// `unknowns_of_two_threads`).
    pub(super) fn unknown_of_ids(
        &mut self,
        pool: &mut TermPool,
        block: Block,
        ty: Type,
    ) -> Option<TermId> {
        let side = self.terms.side.letter();
        let counts = self.counts(block);
        let symbolic = self.symbolic.as_mut()?;
        symbolic.unknowns += 1;
        let ids: Vec<TermId> = symbolic.ids().into_iter().chain(counts).collect();
        let sorts: Vec<Sort> = ids.iter().map(|&id| pool.sort(id)).collect();
        let name = format!("unknown.{side}.{}", symbolic.unknowns);
        let func = pool.func(&name, &sorts, ops::sort_of(ty));
        Some(pool.apply(func, &ids))
    }

    /// Takes note of a read; its value is an unknown function of the thread's ids.
    pub(super) fn note_read(
        &mut self,
        pool: &mut TermPool,
        (inst, array, offset): (Inst, Array, TermId),
        ty: Type,
        (block, guard): (Block, TermId),
    ) -> Result<TermId, NotShown> {
        let side = self.terms.side.letter();
        let (counts, moment) = (self.counts(block), self.moment(block));
        let symbolic = self.symbolic.as_mut().ok_or("no thread with symbols")?;
        let ids: Vec<TermId> = symbolic.ids().into_iter().chain(counts.clone()).collect();
        let sorts: Vec<Sort> = ids.iter().map(|&id| pool.sort(id)).collect();
        let name = format!("read.{side}.{}", symbolic.events.len());
        let func = pool.func(&name, &sorts, ops::sort_of(ty));
        let what = What::Reads(func);
        symbolic.events.push(Event { inst, array, offset, ty, guard, what, moment, counts });
        Ok(pool.apply(func, &ids))
    }

    /// Does a precondition exclude the shape?
    pub fn refuses(&mut self, pool: &mut TermPool, guards: &mut Guards) -> bool {
        let mut first = Thread::new(self, [0; 3], 0);
        let _ = self.go(pool, guards, &mut first);
        first.is_refused
    }

    /// Runs all threads to their ends.
    ///
    /// # Errors
    /// If something cannot be followed.
    pub fn run(&mut self, pool: &mut TermPool, guards: &mut Guards) -> Result<Ended, NotShown> {
        if !self.loops.is_reducible() {
            return Err("a loop has several entries".into());
        }
        let [x, y, z] = self.shape.block;
        let mut threads: Vec<Thread> = vec![];
        for k in 0..z {
            for j in 0..y {
                for i in 0..x {
                    let number = threads.len() as u32;
                    threads.push(Thread::new(self, [i, j, k], number));
                }
            }
        }
        loop {
            for thread in threads.iter_mut().filter(|thread| thread.stop.is_none()) {
                self.go(pool, guards, thread)?;
            }
            self.commit(pool, guards, &mut threads)?;
            if threads.iter().all(|thread| thread.stop == Some(Stop::End)) {
                break;
            }
            contexts::enter(self, pool, guards, &mut threads)?;
            self.release(pool, &mut threads)?;
        }
        contexts::leave(self, pool, guards)?;
        Ok(Ended {
            memory: std::mem::take(&mut self.memory),
            adds: std::mem::take(&mut self.adds),
            assumptions: std::mem::take(&mut self.assumptions),
        })
    }

    /// Makes what the threads wrote in the interval visible.
    fn commit(
        &mut self,
        pool: &mut TermPool,
        guards: &mut Guards,
        threads: &mut [Thread],
    ) -> Result<(), NotShown> {
        let mut written: HashMap<(Piece, Place), Cell> = HashMap::new();
        for thread in threads.iter_mut() {
            for (piece, place, cell) in thread.own.iter() {
                let new = match written.get(&(piece, place)) {
                    None => cell,
                    Some(other) => join(pool, guards, other, &cell)?,
                };
                written.insert((piece, place), new);
            }
            thread.own.clear();
        }
        for ((piece, place), cell) in written {
            self.memory.put(piece, place, cell);
        }
        adds::commit(self, pool, guards)
    }

    /// Lets those go on who waited for each other.
    fn release(&mut self, pool: &mut TermPool, threads: &mut [Thread]) -> Result<(), NotShown> {
        let func = self.terms.func;
        let live: Vec<Inst> = threads
            .iter()
            .filter_map(|thread| match thread.stop {
                Some(Stop::At(inst)) => Some(inst),
                Some(Stop::End) | None => None,
            })
            .collect();
        let scope = |inst: Inst| match &func.insts[inst] {
            InstData::Barrier { scope, .. } => Some(*scope),
            _ => None,
        };
        if live.iter().all(|&inst| inst == live[0] && scope(inst) == Some(BarrierScope::Block)) {
            threads.iter_mut().filter(|one| one.is_waiting()).for_each(|one| one.stop = None);
            return Ok(());
        }
        let mut any = false;
        for warp in threads.chunks_mut(32) {
            let waiting: Vec<Inst> = warp.iter().filter_map(Thread::waits_at).collect();
            let Some(&inst) = waiting.first() else { continue };
            let is_warps = scope(inst) != Some(BarrierScope::Block);
            if !is_warps || waiting.iter().any(|other| *other != inst) {
                continue;
            }
            if let InstData::Exchange { op, mask, ty, .. } = &func.insts[inst] {
                self.exchange(pool, warp, inst, *op, mask.is_some(), *ty)?;
            }
            warp.iter_mut().filter(|one| one.is_waiting()).for_each(|one| one.stop = None);
            any = true;
        }
        match any {
            true => Ok(()),
            false => Err("threads wait at different barriers".into()),
        }
    }

    /// What the lanes of a warp get from each other. All lanes that have not ended take part.
    fn exchange(
        &mut self,
        pool: &mut TermPool,
        warp: &mut [Thread],
        inst: Inst,
        op: ExchangeOp,
        has_mask: bool,
        ty: Type,
    ) -> Result<(), NotShown> {
        let result = self.terms.func.result(inst);
        let inputs: Vec<Option<Vec<TermId>>> =
            warp.iter().map(|thread| thread.is_waiting().then(|| thread.inputs.clone())).collect();
        let live = inputs.iter().enumerate().filter(|(_, input)| input.is_some());
        let live = live.fold(0u128, |mask, (lane, _)| mask | 1 << lane);
        for (lane, own) in inputs.iter().enumerate() {
            let Some(own) = own else { continue };
            let own: &[TermId] = match has_mask {
                true => {
                    // SOUNDNESS: lanes that the mask leaves out exchange nothing (test
                    // `a_shuffle_of_some_lanes_is_not_followed`).
                    let mask = pool.as_bv(own[0]).ok_or("a mask is no number")?;
                    if live & !mask != 0 {
                        return Err("a mask leaves lanes out".into());
                    }
                    &own[1..]
                }
                false => own,
            };
            let [_, by, width] = own else { return Err("this exchange is not followed".into()) };
            let number = |term: TermId| pool.as_bv(term).map(|bits| bits as u32);
            let (Some(by), Some(width)) = (number(*by), number(*width)) else {
                return Err("a shuffle by a lane that is no number".into());
            };
            let source =
                source_lane(op, lane as u32, by, width).ok_or("this exchange is not followed")?;
            let skip = usize::from(has_mask);
            let value = match inputs.get(source as usize) {
                Some(Some(input)) => input[skip],
                // The lane takes no part: the value is unknown.
                Some(None) | None => pool.fresh("lane", ops::sort_of(ty)),
            };
            warp[lane].put(result, value);
        }
        Ok(())
    }

    /// What a cell holds for a thread.
    pub(super) fn load(
        &mut self,
        pool: &mut TermPool,
        own: &Cells,
        piece: Piece,
        offset: TermId,
        ty: Type,
    ) -> Result<TermId, NotShown> {
        // One place is one offset: contents at the start are a function of it.
        let offset = without_carry(pool, offset);
        let place = Place::of(pool, offset);
        if let Some(cell) = own.find(piece, place, ty)? {
            return Ok(cell.value);
        }
        if let Some(cell) = self.memory.find(piece, place, ty)? {
            return Ok(cell.value);
        }
        self.initial(pool, piece, place, offset, ty)
    }

    /// What a cell holds at the launch's start.
    pub(super) fn initial(
        &mut self,
        pool: &mut TermPool,
        piece: Piece,
        place: Place,
        offset: TermId,
        ty: Type,
    ) -> Result<TermId, NotShown> {
        let array = piece.0;
        let is_scratch = self.terms.matching.scratch[self.terms.side.index()].contains(&array);
        match self.kernel.module.arrays[array].space {
            Space::Global | Space::Constant if !is_scratch => self
                .terms
                .initial(pool, array, offset, ty)
                .ok_or_else(|| "an array has no partner".into()),
            // SOUNDNESS: what no thread wrote is unknown, and the side's own (test
            // `memory_that_nobody_wrote_is_not_common`).
            Space::Shared | Space::Private | Space::Global | Space::Constant
                if self.symbolic.is_some() =>
            {
                Err("memory that no thread wrote is read".into())
            }
            // SOUNDNESS: cells of different iterations are different ones (test
            // `unknowns_of_iterations`).
            Space::Shared | Space::Private | Space::Global | Space::Constant
                if mentions(pool, offset, &self.holes.concat()) =>
            {
                Err("cells that no thread wrote are read in a loop".into())
            }
            Space::Shared | Space::Private | Space::Global | Space::Constant => {
                let known = self.unwritten.get(&(piece, place)).copied();
                let side = self.terms.side.letter();
                let symbol = known
                    .unwrap_or_else(|| pool.fresh(&format!("unwritten.{side}"), ops::sort_of(ty)));
                if pool.sort(symbol) != ops::sort_of(ty) {
                    return Err("a cell is read at several types".into());
                }
                self.unwritten.insert((piece, place), symbol);
                Ok(symbol)
            }
        }
    }

    /// The piece of memory that an array is for a thread.
    pub(super) fn piece(&self, array: Array, thread: u32) -> Piece {
        match self.kernel.module.arrays[array].space {
            Space::Private => (array, Some(thread)),
            Space::Global | Space::Constant | Space::Shared => (array, None),
        }
    }

    /// An id or a size.
    pub(super) fn geometry(&self, pool: &mut TermPool, own: Geometry, id: [u32; 3]) -> TermId {
        if let Some(symbolic) = &self.symbolic {
            return symbolic.geometry.term(&symbolic.thread, own.kind, own.dim);
        }
        let dim = own.dim.index();
        let number = |pool: &mut TermPool, number: u32| pool.bv(32, u128::from(number));
        match own.kind {
            GeometryKind::ThreadId => number(pool, id[dim]),
            GeometryKind::BlockDim => number(pool, self.shape.block[dim]),
            GeometryKind::GlobalOffset => number(pool, self.spec.global_offset[dim]),
            GeometryKind::WorkDim => number(pool, self.spec.work_dim),
            GeometryKind::GridDim => match self.spec.grid[dim] {
                Extent::Number(size) => number(pool, size),
                Extent::Free => pool.bv_var(&format!("gridDim.{}", own.dim), 32),
            },
            GeometryKind::BlockId => match self.spec.grid[dim] {
                Extent::Number(1) => number(pool, 0),
                Extent::Number(_) | Extent::Free => {
                    pool.bv_var(&format!("blockIdx.{}", own.dim), 32)
                }
            },
        }
    }

    pub(super) fn note_division(&mut self, pool: &TermPool, inst: Inst, divisor: TermId) {
        let is_number = matches!(pool.op(divisor), Op::BvConst { bits, .. } if bits != 0);
        if is_number {
            return;
        }
        let span = self.kernel.module.span_of_inst(self.kernel.function(), inst);
        let line = span.map_or(String::new(), |span| format!(":{}", span.line));
        let file = self.kernel.file.display();
        self.assumptions.insert(format!("{file}{line}: the divisor is not zero"));
    }
}

/// A cell that two threads wrote in one interval: they agree, or never both do.
fn join(
    pool: &mut TermPool,
    guards: &mut Guards,
    first: &Cell,
    second: &Cell,
) -> Result<Cell, NotShown> {
    if first.ty != second.ty {
        return Err("two threads write a cell at different types".into());
    }
    let both = guards.and(first.guard, second.guard);
    if both != Guard::FALSE && first.value != second.value {
        return Err("two threads may write one cell".into());
    }
    let value = guards.select(pool, second.guard, second.value, first.value);
    Ok(Cell { value, guard: guards.or(first.guard, second.guard), ..*first })
}

/// The lane that a shuffle reads from; who asks outside of its segment gets its own value.
fn source_lane(op: ExchangeOp, lane: u32, by: u32, width: u32) -> Option<u32> {
    if !width.is_power_of_two() || width > 32 || by > 31 {
        return None;
    }
    let first = lane / width * width;
    let last = first + width - 1;
    Some(match op {
        ExchangeOp::ShuffleDown if lane + by <= last => lane + by,
        ExchangeOp::ShuffleUp if lane >= first + by => lane - by,
        ExchangeOp::ShuffleXor if lane ^ by <= last => lane ^ by,
        ExchangeOp::ShuffleDown | ExchangeOp::ShuffleUp | ExchangeOp::ShuffleXor => lane,
        ExchangeOp::ShuffleIndex => first + by % width,
        ExchangeOp::VoteAll
        | ExchangeOp::VoteAny
        | ExchangeOp::VoteUniform
        | ExchangeOp::Ballot
        | ExchangeOp::MatchAny
        | ExchangeOp::MatchAll
        | ExchangeOp::ActiveMask
        | ExchangeOp::ReduceAdd
        | ExchangeOp::ReduceSMin
        | ExchangeOp::ReduceSMax
        | ExchangeOp::ReduceUMin
        | ExchangeOp::ReduceUMax
        | ExchangeOp::ReduceAnd
        | ExchangeOp::ReduceOr
        | ExchangeOp::ReduceXor => return None,
    })
}
