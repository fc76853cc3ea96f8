//! Block and grid barriers: what happens when no thread of a block, or of the
//! grid, can go on by itself.

mod claims;

use duet_ir::{BarrierScope, Reduction, Rule};

use crate::execute::observer::Observer;
use crate::execute::schedule::Scheduler;
use crate::execute::thread::*;
use crate::interface::findings::FindingKind;
use crate::interface::outcome::{Limit, Status};
use crate::races::order::{BitSet, Fenced};

/// What a block can do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// Some threads are ready.
    Runs,
    /// The threads that have not ended are at a grid barrier.
    AtGrid,
    /// All threads have ended.
    Ended,
}

impl<O: Observer> Scheduler<'_, O> {
    /// Gets a block without ready threads going again, if it can be.
    pub(crate) fn resolve_block(&mut self, block: &mut BlockRun) -> Progress {
        loop {
            if block.ready > 0 {
                return Progress::Runs;
            }
            if self.release_partial(block) || self.give_up_warp_waits(block) {
                continue;
            }
            let at_block = block.threads.iter().any(|t| block_wait(t).is_some());
            let at_grid = block.threads.iter().any(is_at_grid);
            match (at_block, at_grid) {
                (false, false) => return Progress::Ended,
                (false, true) if self.stays_together(block, BarrierScope::Grid) => {
                    return Progress::AtGrid;
                }
                (true, false) if self.stays_together(block, BarrierScope::Block) => {
                    self.release_block(block);
                }
                _ => self.note_divergence(block),
            }
        }
    }

    /// Are all waiting threads at the same barrier, and has no thread left a loop in which
    /// they wait? If so, threads that have returned are noted.
    fn stays_together(&mut self, block: &BlockRun, scope: BarrierScope) -> bool {
        let mut waiting = block.threads.iter().filter(|t| matches!(t.state, State::Waiting(_)));
        let Some(first) = waiting.next() else { return true };
        if !waiting.all(|other| other.is_beside(first)) {
            return false;
        }
        let around = self.loop_around(first);
        let returned = || block.threads.iter().filter(|t| t.has_returned());
        if let Some(left) = returned().find(|thread| thread.frame.entered & around != 0) {
            self.note_left_loop(scope, first, left.number);
            return false;
        }
        if let Some(returned) = returned().next() {
            self.note_exit(scope, first, returned.number);
        }
        true
    }

    /// The loop with a meeting point that a waiting thread is in, as a bit.
    pub(crate) fn loop_around(&self, waiting: &Thread) -> u64 {
        let kernel = waiting.callers.first().unwrap_or(&waiting.frame);
        let code = &self.engine.program.codes[kernel.code as usize];
        code.barrier_loops[code.blocks[kernel.pc as usize - 1] as usize]
    }

    pub(crate) fn note_left_loop(&mut self, scope: BarrierScope, waiting: &Thread, left: u32) {
        let recorder = &mut self.engine.recorder;
        let (number, site) = (waiting.number, recorder.wait_site(waiting));
        let left = recorder.position(left);
        recorder.note(Rule::BarrierDivergence, number, site, |waiting| {
            FindingKind::LeftBarrierLoop { scope, waiting, left }
        });
    }

    fn note_exit(&mut self, scope: BarrierScope, waiting: &Thread, returned: u32) {
        let (number, site) = (waiting.number, self.engine.recorder.wait_site(waiting));
        let returned = self.engine.recorder.position(returned);
        self.engine.recorder.note(Rule::ExitBeforeBarrier, number, site, |waiting| {
            FindingKind::ExitBeforeBarrier { scope, waiting, returned }
        });
    }

    /// Threads of a block are at different barriers, or have left a loop in which others
    /// wait: reports a pair of the former, and gives up the block.
    fn note_divergence(&mut self, block: &mut BlockRun) {
        let mut waiting = block.threads.iter().filter(|t| matches!(t.state, State::Waiting(_)));
        if let Some(first) = waiting.next()
            && let Some(second) = waiting.find(|other| !other.is_beside(first))
        {
            self.note_pair(BarrierScope::Block, first, second);
        }
        self.give_up(block);
    }

    fn note_pair(&mut self, scope: BarrierScope, first: &Thread, second: &Thread) {
        let (a, b) =
            (self.engine.recorder.wait_site(first), self.engine.recorder.wait_site(second));
        let (first, second) =
            (self.engine.recorder.at(first.number, a), self.engine.recorder.at(second.number, b));
        self.engine.recorder.findings.note((Rule::BarrierDivergence, a.min(b), a.max(b)), || {
            FindingKind::BarrierDivergence { scope, first, second }
        });
    }

    fn give_up(&mut self, block: &mut BlockRun) {
        for thread in &mut block.threads {
            if !thread.has_ended() {
                thread.state = State::Ended(End::Stopped);
            }
        }
        block.local.live.fill(0);
        self.engine.recorder.stuck = true;
    }

    /// All threads that have not ended pass a block barrier.
    fn release_block(&mut self, block: &mut BlockRun) {
        claims::Judge { scheduler: self }.check_claims(block);
        let Some(time) = self.tick() else { return self.give_up(block) };
        let mut covered: [BitSet; Fenced::COUNT] = Default::default();
        for thread in &block.threads {
            let Some((flags, _)) = block_wait(thread) else { continue };
            for (space, set) in covered.iter_mut().enumerate() {
                if flags >> space & 1 == 1 {
                    set.insert(thread.local);
                }
            }
        }
        block.local.order.barrier(time, covered, block.threads.len() as u32);
        let waiting = block.threads.iter().filter(|thread| block_wait(thread).is_some());
        let number = block.local.number;
        self.engine.races.pass_barrier(waiting.map(|thread| (thread.number, number)), time);
        self.reduce_predicates(block);
        for thread in &mut block.threads {
            if block_wait(thread).is_some() {
                thread.state = State::Ready;
                block.ready += 1;
            }
        }
    }

    /// The stamp of a new barrier; ends the run when stamps run out.
    fn tick(&mut self) -> Option<u32> {
        let time = self.engine.races.order.tick();
        if time.is_none() {
            self.engine.recorder.stop = Some(Status::DidNotFinish(Limit::Barriers));
        }
        time
    }

    /// Stores the result of a counting barrier.
    fn reduce_predicates(&mut self, block: &mut BlockRun) {
        let predicates = || block.threads.iter().filter_map(|t| block_wait(t)?.1);
        let Some((op, ..)) = predicates().next() else { return };
        let (all, count) = predicates().fold((0, 0), |(all, count), (_, _, predicate)| {
            (all + 1, count + u64::from(predicate))
        });
        let result = match op {
            Reduction::Count => count,
            Reduction::And => u64::from(count == all),
            Reduction::Or => u64::from(count > 0),
        };
        for thread in &mut block.threads {
            if let Some((_, Some((_, dst, _)))) = block_wait(thread) {
                thread.frame.slots[dst as usize] = result;
            }
        }
    }

    /// Every block that has not ended is at a grid barrier: releases it, or
    /// reports that they are at different ones. `blocks` may lack ended blocks.
    pub(crate) fn resolve_grid(&mut self, blocks: &mut [BlockRun]) {
        let waiting = || blocks.iter().flat_map(|b| &b.threads).filter(|t| is_at_grid(t));
        let Some(first) = waiting().next() else { return };
        if let Some(second) = waiting().find(|other| !other.is_beside(first)) {
            self.note_pair(BarrierScope::Grid, first, second);
            blocks.iter_mut().for_each(|block| self.give_up(block));
            return;
        }
        let around = self.loop_around(first);
        if let Some(left) = self.left_loop(blocks, around) {
            self.note_left_loop(BarrierScope::Grid, first, left);
            blocks.iter_mut().for_each(|block| self.give_up(block));
            return;
        }
        let mut members = BitSet::default();
        waiting().for_each(|thread| members.insert(thread.number));
        let all = self.engine.recorder.launch.threads() as u32;
        let ended = (0..all).find(|&thread| !members.contains(thread));
        if let Some(thread) = ended.filter(|&thread| self.ended_by_return(blocks, thread)) {
            self.note_exit(BarrierScope::Grid, first, thread);
        }
        self.engine.races.partial_grid |= ended.is_some();
        let Some(time) = self.tick() else { return };
        self.engine.races.order.barrier(time, members, all);
        let waiting = blocks.iter().flat_map(|block| {
            let number = block.local.number;
            let threads = block.threads.iter().filter(|thread| is_at_grid(thread));
            threads.map(move |thread| (thread.number, number))
        });
        self.engine.races.pass_barrier(waiting, time);
        blocks.iter_mut().for_each(release_from_grid);
    }

    /// A thread of the grid that has returned after it entered the loop.
    fn left_loop(&self, blocks: &[BlockRun], around: u64) -> Option<u32> {
        let threads = blocks.iter().flat_map(|b| &b.threads).filter(|t| t.has_returned());
        let here = threads.map(|thread| (thread.number, thread.frame.entered));
        let mut returned = here.chain(self.gone.iter().copied());
        returned.find(|(_, entered)| entered & around != 0).map(|(thread, _)| thread)
    }

    /// Did a thread that is not at the grid barrier return? Threads of blocks that
    /// are gone did, unless threads were given up.
    fn ended_by_return(&self, blocks: &[BlockRun], number: u32) -> bool {
        let mut threads = blocks.iter().flat_map(|b| &b.threads);
        threads
            .find(|t| t.number == number)
            .map_or(!self.engine.recorder.stuck, Thread::has_returned)
    }
}

fn release_from_grid(block: &mut BlockRun) {
    for thread in &mut block.threads {
        if is_at_grid(thread) {
            thread.state = State::Ready;
            block.ready += 1;
        }
    }
    block.at_grid = false;
}

fn is_at_grid(thread: &Thread) -> bool {
    matches!(thread.state, State::Waiting(Wait::Grid))
}

/// The flags and predicate of a thread at a block barrier.
#[allow(clippy::type_complexity)]
fn block_wait(thread: &Thread) -> Option<(u32, Option<(Reduction, u32, bool)>)> {
    match &thread.state {
        State::Waiting(Wait::Block { flags, reduce }) => Some((*flags, *reduce)),
        State::Ready | State::Waiting(_) | State::Ended(_) => None,
    }
}
