//! Who runs when.
//!
//! The deterministic orders run block after block and thread after thread, each
//! as far as it gets. A thread that has used much time makes room for the next
//! one of its block, and a block whose threads all did so many times over makes
//! room for the next block: so a thread that spins sees what others write in the end.
//! The random order keeps a window of blocks and gives random threads small
//! random amounts of time.

use duet_ir::{Func, Module};

use crate::decode::Program;
use crate::execute::barrier::Progress;
use crate::execute::engine::Engine;
use crate::execute::observer::Observer;
use crate::execute::recorder::unflatten;
use crate::execute::setup::kernel_template;
use crate::execute::thread::*;
use crate::interface::launch::{Inputs, Launch, RunError, RunOptions, Schedule};
use crate::interface::outcome::{Limit, Status};
use crate::races::order::BlockOrder;
use crate::values::random::Rng;

/// Operations after which a thread makes room for others of its block.
const QUANTUM: u64 = 1 << 14;
/// Turns in which all threads of a block used up their time before another block
/// is started beside it: in order, and at random, where a turn is shorter.
const PATIENCE: u32 = 16;
const RANDOM_PATIENCE: u32 = 512;
/// Blocks that run at a time in random order.
const WINDOW: usize = 8;
/// Random picks between looks at the other blocks, at most.
const PICKS: u32 = 64;

/// The order in which blocks start.
struct Starts<'a> {
    next: u64,
    blocks: u64,
    schedule: Schedule,
    /// A number without common divisor with the number of blocks.
    step: u64,
    /// The numbers of the blocks, if not all of them run.
    only: Option<&'a [u32]>,
}

impl<'a> Starts<'a> {
    fn new(blocks: u64, options: &'a RunOptions, rng: &mut Rng) -> Starts<'a> {
        let only = options.only_blocks.as_deref();
        let blocks = only.map_or(blocks, |only| only.len() as u64).max(1);
        let mut step = 1 + rng.below(blocks);
        while gcd(step, blocks) != 1 {
            step += 1;
        }
        Starts { next: 0, blocks, schedule: options.schedule, step, only }
    }
}

impl Iterator for Starts<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let n = self.next;
        self.next += 1;
        let place = (n < self.blocks).then(|| match self.schedule {
            Schedule::InOrder => n as u32,
            Schedule::Reversed => (self.blocks - 1 - n) as u32,
            Schedule::Seeded(seed) => {
                ((u128::from(n) * u128::from(self.step) + u128::from(seed))
                    % u128::from(self.blocks)) as u32
            }
        })?;
        match self.only {
            Some(only) => only.get(place as usize).copied(),
            None => Some(place),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A run: which thread executes next, and what happens when none can go on.
pub(crate) struct Scheduler<'a, O> {
    pub(crate) engine: Engine<'a, O>,
    kernel: Func,
    /// A frame of the kernel with constants and arguments in place.
    template: Vec<u64>,
    /// Threads of retired blocks that returned, with the loops with meeting points that
    /// they entered.
    pub(crate) gone: Vec<(u32, u64)>,
}

impl<'a, O: Observer> Scheduler<'a, O> {
    /// A run of a kernel, before its first step.
    pub(crate) fn new(
        module: &'a Module,
        kernel: Func,
        program: &'a Program,
        launch: &'a Launch,
        inputs: &Inputs,
        options: &'a RunOptions,
        observer: &'a mut O,
    ) -> Result<Scheduler<'a, O>, RunError> {
        let engine = Engine::new(module, kernel, program, launch, inputs, options, observer)?;
        let template = kernel_template(module, kernel, program, inputs)?;
        Ok(Scheduler { engine, kernel, template, gone: vec![] })
    }

    /// Makes the state of a block.
    pub(crate) fn start_block(&mut self, number: u32) -> BlockRun {
        let threads = self.engine.recorder.block_threads;
        let warps = threads.div_ceil(32);
        let live = |warp: u32| u32::MAX >> (32 - (threads - 32 * warp).min(32));
        let shared = self.engine.memory.make_shared(number);
        let local = BlockLocal {
            number,
            id: unflatten(number, self.engine.recorder.launch.grid),
            first: number * threads,
            shared,
            order: BlockOrder::default(),
            live: (0..warps).map(live).collect(),
            copies: Default::default(),
            events: Default::default(),
            pending: vec![],
            next_event: 1,
            waits: Default::default(),
        };
        let bytes =
            u64::from(threads) * (std::mem::size_of::<Thread>() + 8 * self.template.len()) as u64;
        self.engine.memory.budget.take(bytes);
        let threads: Vec<_> = if self.engine.memory.budget.exhausted {
            vec![]
        } else {
            (0..threads).map(|n| self.start_thread(local.first, n)).collect()
        };
        let ready = threads.iter().filter(|thread| thread.is_ready()).count() as u32;
        BlockRun { local, threads, ready, at_grid: false, spins: 0, bytes }
    }

    fn start_thread(&self, first: u32, local: u32) -> Thread {
        let number = first + local;
        let only = self.engine.options.only_threads.as_ref();
        let state = match only.is_none_or(|only| only.contains(&number)) {
            true => State::Ready,
            // It comes later, after the run.
            false => State::Ended(End::Stopped),
        };
        Thread {
            number,
            local,
            id: unflatten(local, self.engine.recorder.launch.block),
            state,
            frame: Frame {
                code: self.kernel.as_u32(),
                slots: self.template.clone(),
                entered: self.engine.program.codes[self.kernel.as_u32() as usize].loop_at_entry(),
                ..Frame::default()
            },
            callers: vec![],
            private: self.engine.program.privates.iter().map(|_| None).collect(),
            steps: 0,
            unknowns: 0,
            copies: Default::default(),
        }
    }

    /// Runs all blocks to their end, or until something stops the run.
    pub(crate) fn run_grid(&mut self) {
        let schedule = self.engine.options.schedule;
        let mut starts = Starts::new(
            self.engine.recorder.launch.blocks(),
            self.engine.options,
            &mut self.engine.rng,
        );
        let (window, patience) = match schedule {
            Schedule::Seeded(_) => (WINDOW, RANDOM_PATIENCE),
            Schedule::InOrder | Schedule::Reversed => (1, PATIENCE),
        };
        let mut active: Vec<BlockRun> = Vec::new();
        let mut extra = 0;
        let mut cursor = 0;
        while self.engine.recorder.stop.is_none() {
            while active.iter().filter(|b| !b.at_grid).count() < window + extra {
                let Some(number) = starts.next() else { break };
                active.push(self.start_block(number));
            }
            if active.is_empty() {
                break;
            }
            let Some(n) = self.choose(&active, cursor) else {
                self.resolve_grid(&mut active);
                self.retire_ended(&mut active);
                continue;
            };
            cursor = n;
            match self.turn(&mut active[n]) {
                Progress::Ended => {
                    let block = active.remove(n);
                    self.retire(block);
                    extra = 0;
                }
                Progress::AtGrid => active[n].at_grid = true,
                Progress::Runs => {
                    let spins = active[n].spins;
                    extra += usize::from(spins > 0 && spins.is_multiple_of(patience));
                    cursor = n + usize::from(spins > 0);
                }
            }
            self.check_limits();
        }
        self.drain(active);
    }

    /// A block that can run: the next from `cursor` on, or a random one.
    fn choose(&mut self, active: &[BlockRun], cursor: usize) -> Option<usize> {
        let len = active.len();
        let from = match self.engine.options.schedule {
            Schedule::Seeded(_) => self.engine.rng.below(len as u64) as usize,
            Schedule::InOrder | Schedule::Reversed => cursor,
        };
        (0..len).map(|n| (from + n) % len).find(|&n| !active[n].at_grid)
    }

    fn check_limits(&mut self) {
        if self.engine.recorder.stop.is_some() {
            return;
        }
        if self.engine.memory.budget.exhausted {
            self.engine.recorder.stop = Some(Status::DidNotFinish(Limit::Memory));
        } else if self.engine.steps_left == 0 {
            self.engine.recorder.stop = Some(Status::DidNotFinish(Limit::Steps));
        }
    }

    /// After a grid barrier at which the run gave up, blocks may be at their end.
    fn retire_ended(&mut self, active: &mut Vec<BlockRun>) {
        let (ended, running) = std::mem::take(active)
            .into_iter()
            .partition(|block: &BlockRun| block.threads.iter().all(|t| t.has_ended()));
        *active = running;
        for block in ended {
            self.retire(block);
        }
    }

    /// Finishes a block's copies and frees it.
    fn retire(&mut self, mut block: BlockRun) {
        while self.engine.perform_pending(&mut block.local) {}
        self.engine.check_joined(&block);
        self.engine.check_waited(&block);
        self.engine.races.ended.insert(block.local.number);
        let returned = block.threads.iter().filter(|t| t.has_returned() && t.frame.entered != 0);
        self.gone.extend(returned.map(|thread| (thread.number, thread.frame.entered)));
        let shared: u64 = block.local.shared.iter().map(|i| i.region.allocated()).sum();
        let private = block.threads.iter().flat_map(|t| &t.private).flatten();
        let private: u64 = private.map(|region| region.allocated()).sum();
        self.engine.memory.budget.give(block.bytes + shared + private);
    }

    /// Copies under way still happen when a run is cut short.
    fn drain(&mut self, active: Vec<BlockRun>) {
        for mut block in active {
            while self.engine.perform_pending(&mut block.local) {}
        }
    }

    /// Lets a block run for a while.
    fn turn(&mut self, block: &mut BlockRun) -> Progress {
        if self.engine.lock_step.is_some() {
            return self.turn_in_step(block);
        }
        match self.engine.options.schedule {
            Schedule::InOrder => self.ordered_turn(block, false),
            Schedule::Reversed => self.ordered_turn(block, true),
            Schedule::Seeded(_) => self.random_turn(block),
        }
    }

    /// Every thread in turn, until the block ends, waits for the grid, or spins.
    fn ordered_turn(&mut self, block: &mut BlockRun, reversed: bool) -> Progress {
        let len = block.threads.len();
        loop {
            for n in 0..len {
                let n = if reversed { len - 1 - n } else { n };
                if block.threads[n].is_ready() {
                    self.run_slice(block, n, QUANTUM);
                }
                if self.engine.recorder.stop.is_some() || self.engine.steps_left == 0 {
                    return Progress::Runs;
                }
            }
            if block.ready > 0 {
                block.spins += 1;
                return Progress::Runs;
            }
            block.spins = 0;
            let progress = self.resolve_block(block);
            if progress != Progress::Runs || self.engine.memory.budget.exhausted {
                return progress;
            }
        }
    }

    /// Some random threads for random times.
    fn random_turn(&mut self, block: &mut BlockRun) -> Progress {
        // A block of few threads makes room sooner: else it would be done in one turn.
        for _ in 0..PICKS.min(2 * block.threads.len() as u32) {
            if block.ready == 0 {
                block.spins = 0;
                let progress = self.resolve_block(block);
                if progress != Progress::Runs {
                    return progress;
                }
            }
            if !block.local.pending.is_empty() && self.engine.rng.below(16) == 0 {
                self.engine.perform_pending(&mut block.local);
            }
            let len = block.threads.len();
            let from = self.engine.rng.below(len as u64) as usize;
            let ready = (0..len).map(|n| (from + n) % len).find(|&n| block.threads[n].is_ready());
            let scale = self.engine.rng.below(10);
            let time = 1 + self.engine.rng.below(1 << scale);
            if let Some(n) = ready {
                self.run_slice(block, n, time);
            }
            if self.engine.recorder.stop.is_some()
                || self.engine.steps_left == 0
                || self.engine.memory.budget.exhausted
            {
                return Progress::Runs;
            }
        }
        block.spins = block.spins.wrapping_add(1);
        Progress::Runs
    }

    /// Runs one thread and does what its new state calls for.
    pub(crate) fn run_slice(&mut self, block: &mut BlockRun, n: usize, quantum: u64) {
        self.engine.run_thread(&mut block.local, &mut block.threads[n], quantum);
        if O::ACTIVE && self.engine.recorder.stop.is_none() && self.engine.observer.is_satisfied() {
            self.engine.recorder.stop = Some(Status::DidNotFinish(Limit::Observed));
        }
        let thread = &block.threads[n];
        let (warp, lane) = (thread.warp(), thread.lane());
        match thread.state {
            State::Ready => return,
            State::Waiting(_) => {}
            State::Ended(_) => block.local.live[warp as usize] &= !(1 << lane),
        }
        block.ready -= 1;
        let waits = thread.warp_wait().is_some();
        if waits || thread.has_ended() && warp_waits(block, warp) {
            self.release_warp(block, warp);
        }
    }
}

/// Does a lane of the warp wait for others?
fn warp_waits(block: &BlockRun, warp: u32) -> bool {
    let start = 32 * warp as usize;
    let end = (start + 32).min(block.threads.len());
    block.threads[start..end].iter().any(|t| t.warp_wait().is_some())
}
