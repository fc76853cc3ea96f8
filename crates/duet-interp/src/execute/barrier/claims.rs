//! Judges what is claimed of memory at a barrier, when all threads have come to it.
//!
//! The operations that compute a claim are executed once more, in a copy of the frame of
//! each thread that waits; a claim about two threads for each pair, in both orders, up to a
//! limit. Nothing of that is kept, but it counts: a claim about two threads is most of what
//! a run of many threads executes.

use duet_ir::{Array, Rule};

use crate::decode::Arg;
use crate::decode::claims::ClaimData;
use crate::execute::observer::Observer;
use crate::execute::schedule::Scheduler;
use crate::execute::thread::*;
use crate::interface::findings::FindingKind;

/// Pairs that are looked at for one claim, at most.
const MAX_PAIRS: usize = 4096;

/// Instructions that a copy of a frame is worth.
const COPY_STEPS: u64 = 8;

/// Judges the claims of a barrier.
pub(super) struct Judge<'s, 'e, O> {
    pub(super) scheduler: &'s mut Scheduler<'e, O>,
}

impl<O: Observer> Judge<'_, '_, O> {
    /// Judges the claims of the barrier that the threads of a block wait at.
    pub(super) fn check_claims(&mut self, block: &mut BlockRun) {
        let waiting: Vec<usize> = (0..block.threads.len())
            .filter(|&number| super::block_wait(&block.threads[number]).is_some())
            .collect();
        let Some(&first) = waiting.first() else { return };
        let frame = &block.threads[first].frame;
        let (number, barrier) = (frame.code as usize, frame.pc.saturating_sub(1));
        let code = &self.scheduler.engine.program.codes[number];
        for claim in code.claims.iter().filter(|claim| claim.barrier == barrier) {
            match (claim.cell, claim.is_binary) {
                (Some(cell), _) => self.check_cells(block, first, (claim, cell), number),
                (None, false) => self.check_unary(block, &waiting, claim, number),
                (None, true) => self.check_binary(block, &waiting, claim, number),
            }
        }
    }

    fn check_unary(
        &mut self,
        block: &mut BlockRun,
        waiting: &[usize],
        claim: &ClaimData,
        code: usize,
    ) {
        for &number in waiting {
            let slots = self.prepared(block, number, claim);
            let slots = self.run_again(block, number, claim, slots);
            self.judge(block, number, claim, code, &slots);
        }
    }

    /// What one thread claims of every element, for as many as there are.
    fn check_cells(
        &mut self,
        block: &mut BlockRun,
        number: usize,
        (claim, (cell, array, size)): (&ClaimData, (Arg, Array, u32)),
        code: usize,
    ) {
        let bytes = self.scheduler.engine.memory.size_of(array).unwrap_or(0);
        for element in (0..bytes / u64::from(size)).take(MAX_PAIRS) {
            let mut slots = self.prepared(block, number, claim);
            cell.write(&mut slots, u128::from(element));
            let slots = self.run_again(block, number, claim, slots);
            self.judge(block, number, claim, code, &slots);
        }
    }

    fn check_binary(
        &mut self,
        block: &mut BlockRun,
        waiting: &[usize],
        claim: &ClaimData,
        code: usize,
    ) {
        let mut all = vec![];
        for &number in waiting {
            let slots = self.prepared(block, number, claim);
            all.push(self.run_again(block, number, claim, slots));
        }
        let pairs =
            (0..waiting.len()).flat_map(|one| (0..waiting.len()).map(move |two| (one, two)));
        for (one, two) in pairs.filter(|(one, two)| one != two).take(MAX_PAIRS) {
            let mut slots = all[one].clone();
            for &(to, from) in &claim.others {
                to.write(&mut slots, from.read(&all[two]));
            }
            let slots = self.run_again(block, waiting[one], claim, slots);
            self.judge(block, waiting[one], claim, code, &slots);
        }
    }

    /// A copy of a thread's values, with what the claim takes for granted.
    fn prepared(&self, block: &BlockRun, number: usize, claim: &ClaimData) -> Vec<u64> {
        let mut slots = block.threads[number].frame.slots.clone();
        claim.truths.iter().for_each(|truth| truth.write(&mut slots, 1));
        slots
    }

    /// The values after the operations of the claim were executed once more.
    fn run_again(
        &mut self,
        block: &mut BlockRun,
        number: usize,
        claim: &ClaimData,
        slots: Vec<u64>,
    ) -> Vec<u64> {
        let thread = &mut block.threads[number];
        let mut frame = Frame {
            code: thread.frame.code,
            pc: claim.start,
            slots,
            entered: thread.frame.entered,
        };
        let mut left = u64::from(claim.end - claim.start);
        let engine = &mut self.scheduler.engine;
        engine.steps_left = engine.steps_left.saturating_sub(left + COPY_STEPS);
        engine.run_frame(&mut block.local, thread, &mut frame, &mut left);
        frame.slots
    }

    fn judge(
        &mut self,
        block: &BlockRun,
        number: usize,
        claim: &ClaimData,
        code: usize,
        slots: &[u64],
    ) {
        if claim.cond.read(slots) == 0 {
            let site = self.scheduler.engine.program.codes[code].sites[claim.end as usize];
            let thread = block.threads[number].number;
            self.scheduler.engine.recorder.note(Rule::BarrierInvariantFailed, thread, site, |at| {
                FindingKind::BarrierInvariantFailed { at }
            });
        }
    }
}
