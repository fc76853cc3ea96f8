//! Warps in lock step, for old code that relies on it.
//!
//! The lanes of a warp that are at the same visit of an instruction execute it
//! together. Lanes part at a branch that sends them different ways and are together
//! again where all ways from the branch meet. Until then the ways are taken one after
//! the other: lanes that are behind, in the order of [`Flow`] and in earlier
//! iterations of a loop, go first, so no lane passes a meeting place before the others are there.
//!
//! Two accesses of one warp race if they are the same step, or were made on different
//! ways from one branch before these met. (In step, and after a branch was left,
//! nothing is unordered.) They are kept in a log of their own, which is empty whenever
//! all lanes are together. Threads of different warps race as ever.

mod flow;

use std::collections::HashMap;
use std::rc::Rc;

use duet_ir::{Array, Func, InstData, Module, Rule};

use crate::decode::Op;
use crate::execute::barrier::Progress;
use crate::execute::observer::Observer;
use crate::execute::recorder::Recorder;
use crate::execute::schedule::Scheduler;
use crate::execute::thread::BlockRun;
use crate::interface::findings::{AccessKind, Actor, FindingKind, Race, RaceSide, race_rule};
use crate::interface::launch::RunError;
use crate::races::shadow::COPY;

use flow::Flow;

/// Operations of a warp after which it makes room for others of its block.
const QUANTUM: u64 = 1 << 16;

/// The way that a lane took at a branch that parted its warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Way {
    /// The number of the parting.
    parting: u64,
    /// The block that it led to.
    to: usize,
    /// Where the ways meet.
    meets: Option<usize>,
}

/// Where a lane is.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// Iterations of the loops that it is in, by header.
    iterations: HashMap<usize, u64>,
    /// The ways that it is on.
    ways: Rc<Vec<Way>>,
}

/// An access of a lane.
#[derive(Clone, Debug)]
struct Entry {
    thread: u32,
    step: u64,
    ways: Rc<Vec<Way>>,
    site: u32,
    kind: AccessKind,
    start: u64,
    len: u32,
    value: u64,
    /// What is written to the byte that the entry is about.
    byte: u8,
}

/// The state of lock step.
#[derive(Debug)]
pub(crate) struct LockStep {
    size: u32,
    flow: Flow,
    lanes: HashMap<u32, Lane>,
    step: u64,
    partings: u64,
    /// By array and byte.
    log: HashMap<(Array, u64), Vec<Entry>>,
}

impl LockStep {
    /// Nothing executed yet.
    pub(crate) fn new(module: &Module, kernel: Func, size: u32) -> Result<LockStep, RunError> {
        let function = &module.functions[kernel];
        let calls = function.insts.values().any(|data| matches!(data, InstData::Call { .. }));
        let flow = Flow::new(function).filter(|_| !calls).ok_or(RunError::NotInStep)?;
        let (lanes, log) = (HashMap::new(), HashMap::new());
        Ok(LockStep { size: size.max(1), flow, lanes, step: 0, partings: 0, log })
    }

    /// The order in which lanes are served: by block and iteration of each loop around,
    /// then by place in the block.
    fn key(&self, thread: u32, block: usize, pc: u32) -> Vec<u64> {
        let lane = self.lanes.get(&thread);
        let mut key = vec![];
        for header in &self.flow.around[block] {
            key.push(u64::from(self.flow.position[*header]));
            key.push(lane.and_then(|lane| lane.iterations.get(header).copied()).unwrap_or(0));
        }
        key.extend([u64::from(self.flow.position[block]), u64::from(pc)]);
        key
    }

    /// A lane goes from one block to another.
    fn go(&mut self, thread: u32, from: usize, to: usize, parted: Option<Way>) {
        let lane = self.lanes.entry(thread).or_default();
        if self.flow.is_back(from, to) {
            *lane.iterations.entry(to).or_default() += 1;
        }
        let around = &self.flow.around[to];
        let entered = around.iter().filter(|header| !self.flow.around[from].contains(header));
        for header in entered {
            lane.iterations.insert(*header, 0);
        }
        lane.iterations.retain(|header, _| around.contains(header));
        let old = lane.ways.iter().copied().chain(parted);
        let ways: Vec<Way> = old.filter(|way| way.meets != Some(to)).collect();
        if ways != *lane.ways {
            lane.ways = Rc::new(ways);
        }
    }

    fn ways(&self, thread: u32) -> Rc<Vec<Way>> {
        self.lanes.get(&thread).map(|lane| lane.ways.clone()).unwrap_or_default()
    }

    /// Compares an access with those of the warp that are not ordered with it, and
    /// keeps it. `value` is what is written.
    pub(crate) fn log_access(
        &mut self,
        recorder: &mut Recorder,
        array: Array,
        (thread, site): (u32, u32),
        kind: AccessKind,
        (start, len): (u64, u32),
        value: u64,
    ) {
        let (step, ways) = (self.step, self.ways(thread));
        let mut found: Vec<(Entry, bool)> = vec![];
        for at in 0..len {
            let byte = (value >> (8 * at.min(7))) as u8;
            let ways = ways.clone();
            let new = Entry { thread, step, ways, site, kind, start, len, value, byte };
            let entries = self.log.entry((array, start.wrapping_add(u64::from(at)))).or_default();
            let conflicts = entries.iter().filter(|old| conflict(old, &new));
            let benign = |old: &Entry| {
                old.kind == AccessKind::Write && kind == AccessKind::Write && old.byte == byte
            };
            found.extend(conflicts.map(|old| (old.clone(), benign(old))));
            entries.push(new);
        }
        for (old, benign) in found {
            let new = (thread, site, kind, start, len, value);
            note_in_step(recorder, array, &old, new, benign);
        }
    }

    /// Are these the numbers of threads of one warp, not of copies?
    pub(crate) fn are_in_step(&self, one: u32, other: u32, block_threads: u32) -> bool {
        let warp = |thread: u32| (thread / block_threads, thread % block_threads / self.size);
        (one | other) & COPY == 0 && warp(one) == warp(other)
    }
}

/// Are the two on different ways from one branch?
fn are_apart(one: &[Way], other: &[Way]) -> bool {
    one.iter().any(|a| other.iter().any(|b| a.parting == b.parting && a.to != b.to))
}

impl<O: Observer> Scheduler<'_, O> {
    /// Each warp in turn, until the block ends, waits for the grid, or spins.
    pub(crate) fn turn_in_step(&mut self, block: &mut BlockRun) -> Progress {
        loop {
            let size = self.engine.lock_step.as_ref().map_or(1, |state| state.size);
            for warp in 0..self.engine.recorder.block_threads.div_ceil(size) {
                self.run_warp(block, (warp * size) as usize, size as usize);
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

    /// Runs the lanes of a warp until none can go on.
    fn run_warp(&mut self, block: &mut BlockRun, first: usize, size: usize) {
        if let Some(state) = &mut self.engine.lock_step {
            state.log.clear();
        }
        let mut time = QUANTUM;
        let end = (first + size).min(block.threads.len());
        while time > 0 && self.engine.recorder.stop.is_none() && self.engine.steps_left > 0 {
            let group = self.hindmost(block, first..end);
            if group.is_empty() {
                return;
            }
            self.step_together(block, &group, first..end);
            time = time.saturating_sub(group.len() as u64);
        }
    }

    /// The lanes that go next: all that are at the place that is furthest behind.
    fn hindmost(&self, block: &BlockRun, lanes: std::ops::Range<usize>) -> Vec<usize> {
        let Some(state) = &self.engine.lock_step else { return vec![] };
        let mut best: Option<(Vec<u64>, Vec<usize>)> = None;
        for n in lanes.filter(|&n| block.threads[n].is_ready()) {
            let thread = &block.threads[n];
            let code = &self.engine.program.codes[thread.frame.code as usize];
            let at = code.blocks[thread.frame.pc as usize] as usize;
            let key = state.key(thread.number, at, thread.frame.pc);
            match &mut best {
                Some((known, group)) if *known == key => group.push(n),
                Some((known, _)) if *known < key => {}
                _ => best = Some((key, vec![n])),
            }
        }
        best.map(|(_, group)| group).unwrap_or_default()
    }

    /// One operation of some lanes.
    fn step_together(
        &mut self,
        block: &mut BlockRun,
        group: &[usize],
        warp: std::ops::Range<usize>,
    ) {
        let frame = &block.threads[group[0]].frame;
        let code = &self.engine.program.codes[frame.code as usize];
        let (pc, from) = (frame.pc as usize, code.blocks[frame.pc as usize] as usize);
        let is_end = matches!(code.ops[pc], Op::Jump(_) | Op::Branch { .. } | Op::Switch(_));
        if let Some(state) = &mut self.engine.lock_step {
            state.step += 1;
            let mut lanes = warp.map(|n| block.threads[n].number);
            if lanes.all(|thread| state.ways(thread).is_empty()) {
                state.log.clear();
            }
        }
        for &n in group {
            self.run_slice(block, n, 1);
        }
        if is_end {
            self.part(block, group, from);
        }
    }

    /// Notes where the lanes of a group went.
    fn part(&mut self, block: &BlockRun, group: &[usize], from: usize) {
        let program = self.engine.program;
        let Some(state) = &mut self.engine.lock_step else { return };
        let to = |n: usize| {
            let frame = &block.threads[n].frame;
            program.codes[frame.code as usize].blocks[frame.pc as usize] as usize
        };
        let parts = group.iter().any(|&n| to(n) != to(group[0]));
        state.partings += u64::from(parts);
        let (parting, meets) = (state.partings, state.flow.meets[from]);
        for &n in group {
            let way = Way { parting, to: to(n), meets };
            state.go(block.threads[n].number, from, to(n), parts.then_some(way));
        }
    }
}

/// Do two accesses of a warp race?
fn conflict(old: &Entry, new: &Entry) -> bool {
    old.thread != new.thread
        && (old.kind.writes() || new.kind.writes())
        && !(old.kind.is_atomic() && new.kind.is_atomic())
        && (old.step == new.step || are_apart(&old.ways, &new.ways))
}

/// Notes a race of two lanes.
fn note_in_step(
    recorder: &mut Recorder,
    array: Array,
    old: &Entry,
    (thread, site, kind, start, len, value): (u32, u32, AccessKind, u64, u32, u64),
    benign: bool,
) {
    let rule = if benign { Rule::BenignWriteWriteRace } else { race_rule(old.kind, kind) };
    let key = (rule, old.site.min(site), old.site.max(site));
    let side = |thread, site, kind: AccessKind, offset, len, value| RaceSide {
        actor: Actor::Thread(recorder.position(thread)),
        site: recorder.program.site(site),
        kind,
        offset,
        len,
        value: kind.writes().then_some(value),
    };
    let first = old.start.max(start);
    let last = (old.start + u64::from(old.len)).min(start + u64::from(len));
    let race = Race {
        array,
        overlap: (first, (last.saturating_sub(first)).min(8) as u32),
        first: side(old.thread, old.site, old.kind, old.start, old.len, old.value),
        second: side(thread, site, kind, start, len, value),
    };
    let kind = if benign { FindingKind::BenignRace } else { FindingKind::Race };
    recorder.findings.note(key, || kind(race));
}
