//! The state of a run, how it is set up, and how findings are noted.

use std::collections::BTreeMap;

use duet_ir::{Array, EntityRef, Func, InstData, Module, Rule, SecondaryMap};

use crate::decode::Program;
use crate::execute::copies::Copy;
use crate::execute::lockstep::LockStep;
use crate::execute::observer::Observer;
use crate::execute::setup::*;
use crate::execute::thread::*;
use crate::interface::findings::*;
use crate::interface::launch::*;
use crate::interface::outcome::*;
use crate::memory::address::Addresses;
use crate::memory::{Budget, Region, Source};
use crate::races::order::{BitSet, BlockOrder, GridOrder, Waits};
use crate::races::shadow::{COPY, Conflict, Piece};
use crate::values::random::{Rng, hash};

/// A run.
pub(crate) struct Engine<'a, O> {
    pub(crate) module: &'a Module,
    pub(crate) program: &'a Program,
    pub(crate) launch: &'a Launch,
    pub(crate) options: &'a RunOptions,
    pub(crate) observer: &'a mut O,
    pub(crate) kernel: Func,
    /// A frame of the kernel with constants and arguments in place.
    pub(crate) template: Vec<u64>,
    /// Sizes of all arrays, where known.
    pub(crate) sizes: Vec<Option<u64>>,
    pub(crate) addresses: Addresses,
    pub(crate) globals: Vec<Instance>,
    pub(crate) order: GridOrder,
    pub(crate) copies: Vec<Copy>,
    /// Who has waited for each copy.
    pub(crate) waits: Vec<Waits>,
    /// Blocks that have ended.
    pub(crate) ended: BitSet,
    /// A grid barrier was passed by only some of the threads.
    pub(crate) partial_grid: bool,
    pub(crate) budget: Budget,
    pub(crate) steps_left: u64,
    /// Pairs of accesses in conflict that may still be seen.
    pub(crate) conflicts_left: u64,
    /// Warps in lock step, if that is wanted.
    pub(crate) lock_step: Option<LockStep>,
    pub(crate) findings: Findings,
    pub(crate) visits: Vec<Vec<u64>>,
    /// Set when the run is to end at once.
    pub(crate) stop: Option<Status>,
    /// Were threads given up?
    pub(crate) stuck: bool,
    pub(crate) rng: Rng,
    /// Conflicts of the access at hand.
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) pointer_mask: u64,
    pub(crate) block_threads: u32,
    pub(crate) single_block: bool,
}

impl<'a, O: Observer> Engine<'a, O> {
    pub(crate) fn new(
        module: &'a Module,
        kernel: Func,
        program: &'a Program,
        launch: &'a Launch,
        inputs: &Inputs,
        options: &'a RunOptions,
        observer: &'a mut O,
    ) -> Result<Engine<'a, O>, RunError> {
        check_launch(module, kernel, launch, options)?;
        check_inputs(module, kernel, inputs)?;
        let sizes: Vec<_> = module
            .arrays
            .keys()
            .map(|array| array_size(module, kernel, array, launch, inputs))
            .collect();
        check_memory(program, &sizes, options.limits.memory)?;
        let mut budget = Budget::new(options.limits.memory);
        let globals = make_globals(module, kernel, program, inputs, options, &sizes, &mut budget);
        let seed = match options.schedule {
            Schedule::Seeded(seed) => seed,
            Schedule::InOrder | Schedule::Reversed => 0,
        };
        let lock_step = options.lock_step.map(|size| LockStep::new(module, kernel, size));
        let lock_step = lock_step.transpose()?;
        let blocks_of = |f: &duet_ir::Function| vec![0; f.blocks.len()];
        Ok(Engine {
            module,
            program,
            launch,
            options,
            observer,
            kernel,
            template: kernel_template(module, kernel, program, inputs)?,
            addresses: Addresses::new(module, &sizes, launch.blocks(), launch.threads()),
            sizes,
            globals,
            order: GridOrder::default(),
            copies: vec![],
            waits: vec![],
            ended: BitSet::default(),
            partial_grid: false,
            budget,
            steps_left: options.limits.steps,
            conflicts_left: options.limits.conflicts,
            lock_step,
            findings: Findings::default(),
            visits: module.functions.values().map(blocks_of).collect(),
            stop: None,
            stuck: false,
            rng: Rng::new(seed),
            conflicts: vec![],
            block_threads: launch.threads_per_block() as u32,
            single_block: launch.blocks() == 1,
            pointer_mask: u64::MAX >> (64 - module.pointer_width.clamp(1, 64)),
        })
    }

    /// The result, after the grid has run.
    pub(crate) fn finish(self) -> Outcome {
        let status = match (self.stop, self.stuck) {
            (Some(status), _) => status,
            (None, true) => Status::Stuck,
            (None, false) => Status::Finished,
        };
        let contents =
            |(&array, instance): (&Array, Instance)| (array, instance.region.into_contents());
        let arrays = self.program.globals.iter().zip(self.globals).map(contents).collect();
        Outcome {
            status,
            findings: self.findings.into_list(),
            arrays,
            instructions: self.options.limits.steps - self.steps_left,
            coverage: coverage(self.visits),
        }
    }

    // -- blocks -----------------------------------------------------------

    /// Makes the state of a block.
    pub(crate) fn start_block(&mut self, number: u32) -> BlockRun {
        let threads = self.block_threads;
        let warps = threads.div_ceil(32);
        let live = |warp: u32| u32::MAX >> (32 - (threads - 32 * warp).min(32));
        let shared = self.make_shared(number);
        let local = BlockLocal {
            number,
            id: unflatten(number, self.launch.grid),
            first: number * threads,
            shared,
            order: BlockOrder::default(),
            live: (0..warps).map(live).collect(),
            copies: Default::default(),
            events: Default::default(),
            pending: vec![],
            next_event: 1,
        };
        let bytes =
            u64::from(threads) * (std::mem::size_of::<Thread>() + 8 * self.template.len()) as u64;
        self.budget.take(bytes);
        let threads: Vec<_> = if self.budget.exhausted {
            vec![]
        } else {
            (0..threads).map(|n| self.start_thread(local.first, n)).collect()
        };
        let ready = threads.iter().filter(|thread| thread.is_ready()).count() as u32;
        BlockRun { local, threads, ready, at_grid: false, spins: 0, bytes }
    }

    fn start_thread(&self, first: u32, local: u32) -> Thread {
        let number = first + local;
        let only = self.options.only_threads.as_ref();
        let state = match only.is_none_or(|only| only.contains(&number)) {
            true => State::Ready,
            // It comes later, after the run.
            false => State::Ended(End::Stopped),
        };
        Thread {
            number,
            local,
            id: unflatten(local, self.launch.block),
            state,
            frame: Frame { code: self.kernel.as_u32(), pc: 0, slots: self.template.clone() },
            callers: vec![],
            private: self.program.privates.iter().map(|_| None).collect(),
            steps: 0,
            unknowns: 0,
            copies: Default::default(),
        }
    }

    fn make_shared(&mut self, block: u32) -> Vec<Instance> {
        let make = |&array: &Array| {
            let data = &self.module.arrays[array];
            let seed = hash(&[self.options.seed, u64::from(array.as_u32()), u64::from(block)]);
            let fill = unwritten(self.options, data.init.as_ref(), seed);
            let source = Source { fill, granule: data.granule, seed };
            let size = self.sizes[array.index()];
            let width = self.module.pointer_width;
            let tracked = data.init.is_none();
            let region = Region::new(size, width, tracked, source, &mut self.budget);
            Instance {
                region,
                shadow: make_shadow(self.program, self.options, array, data.granule),
            }
        };
        self.program.shareds.iter().map(make).collect()
    }

    /// Makes a thread's instance of a private array.
    pub(crate) fn make_private(&mut self, index: u32, thread: u32) -> Box<Region> {
        let array = self.program.privates[index as usize];
        let data = &self.module.arrays[array];
        let seed = hash(&[self.options.seed, u64::from(array.as_u32()), !u64::from(thread)]);
        let fill = unwritten(self.options, data.init.as_ref(), seed);
        let source = Source { fill, granule: data.granule, seed };
        let size = self.sizes[array.index()];
        let tracked = data.init.is_none();
        let width = self.module.pointer_width;
        Box::new(Region::new(size, width, tracked, source, &mut self.budget))
    }

    // -- findings ---------------------------------------------------------

    /// Where a thread of the grid is.
    pub(crate) fn position(&self, thread: u32) -> ThreadPos {
        let threads = self.block_threads;
        ThreadPos {
            block: unflatten(thread / threads, self.launch.grid),
            thread: unflatten(thread % threads, self.launch.block),
        }
    }

    /// A thread at an instruction.
    pub(crate) fn at(&self, thread: u32, site: u32) -> At {
        At { thread: self.position(thread), site: self.program.site(site) }
    }

    /// Notes a finding about one instruction.
    #[cold]
    pub(crate) fn note(
        &mut self,
        rule: Rule,
        thread: u32,
        site: u32,
        make: impl FnOnce(At) -> FindingKind,
    ) {
        let at = self.at(thread, site);
        self.findings.note((rule, site, site), || make(at));
    }

    pub(crate) fn actor(&self, actor: u32) -> Actor {
        if actor & COPY == 0 {
            return Actor::Thread(self.position(actor));
        }
        Actor::Copy(self.position(self.copies[(actor & !COPY) as usize].caller))
    }

    /// Notes the conflicts of the access at hand, of which `piece` is the last
    /// part. With one earlier access a pair of writes is benign only if no part
    /// disagrees.
    #[cold]
    pub(crate) fn note_conflicts(&mut self, array: Array, piece: &Piece) {
        let mut conflicts = std::mem::take(&mut self.conflicts);
        if let Some(state) = &self.lock_step {
            let size = self.block_threads;
            conflicts.retain(|c| !state.are_in_step(c.old.actor, piece.actor, size));
        }
        self.conflicts_left = self.conflicts_left.saturating_sub(conflicts.len() as u64);
        if self.conflicts_left == 0 && self.stop.is_none() {
            self.stop = Some(Status::DidNotFinish(Limit::Conflicts));
        }
        conflicts.sort_by_key(|c| (c.old.actor, c.old.site, c.benign));
        conflicts.dedup_by_key(|c| (c.old.actor, c.old.site));
        for conflict in &conflicts {
            let kinds = (conflict.old.kind.access_kind(), piece.kind.access_kind());
            let rule = if conflict.benign {
                Rule::BenignWriteWriteRace
            } else {
                race_rule(kinds.0, kinds.1)
            };
            let (a, b) = (conflict.old.site, piece.site);
            let key = (rule, a.min(b), a.max(b));
            if !self.findings.count(key) {
                let race = self.race(array, piece, conflict);
                let kind =
                    if conflict.benign { FindingKind::BenignRace } else { FindingKind::Race };
                self.findings.note(key, || kind(race));
            }
        }
        conflicts.clear();
        self.conflicts = conflicts;
    }

    fn race(&self, array: Array, piece: &Piece, conflict: &Conflict) -> Race {
        let side = |actor, site, kind: AccessKind, offset, value| {
            let site = self.program.site(site);
            let len = access_len(self.module, site);
            let value = kind.writes().then_some(value);
            RaceSide { actor: self.actor(actor), site, kind, offset, len, value }
        };
        let old = &conflict.old;
        Race {
            array,
            overlap: conflict.overlap,
            first: side(
                old.actor,
                old.site,
                old.kind.access_kind(),
                conflict.old_start,
                conflict.old_value,
            ),
            second: side(
                piece.actor,
                piece.site,
                piece.kind.access_kind(),
                piece.start,
                conflict.new_value,
            ),
        }
    }
}

/// What memory that nobody has written holds.
fn unwritten(options: &RunOptions, init: Option<&Vec<u8>>, seed: u64) -> Fill {
    match (init, options.unknown_below) {
        (Some(init), _) => Fill::Bytes(init.clone()),
        (None, Some(below)) => Fill::Small(Small { seed, below, kind: SmallKind::Natural }),
        (None, None) => Fill::Unknown,
    }
}

/// Bytes of an access; of one element for an asynchronous copy.
fn access_len(module: &Module, site: Site) -> u32 {
    let function = &module.functions[site.func];
    let bytes = |ty: duet_ir::Type| ty.bytes().unwrap_or(u32::from(module.pointer_width) / 8);
    match &function.insts[site.inst] {
        InstData::Load { ty, lanes, .. } => bytes(*ty) * lanes,
        InstData::Store { values, .. } => {
            values.iter().map(|&value| bytes(function.type_of(value))).sum()
        }
        InstData::Atomic { ty, .. } => bytes(*ty),
        InstData::AsyncCopy { element, .. } => *element,
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => 0,
    }
}

/// The coordinates of a number, x fastest.
pub(crate) fn unflatten(number: u32, dims: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = dims;
    [number % x, number / x % y, number / x / y]
}

fn coverage(visits: Vec<Vec<u64>>) -> Coverage {
    let mut all = BTreeMap::new();
    for (func, blocks) in visits.into_iter().enumerate() {
        let mut map = SecondaryMap::new();
        for (block, visits) in blocks.into_iter().enumerate() {
            map[duet_ir::Block::new(block)] = visits;
        }
        all.insert(Func::new(func), map);
    }
    Coverage { visits: all }
}
