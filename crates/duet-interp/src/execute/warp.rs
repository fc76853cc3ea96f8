//! Warp barriers and exchanges: which lanes wait for which, and what they get.
//!
//! Lanes that named the same mask for the same operation are released together,
//! as soon as every lane of the mask that has not ended is there. Forms without
//! a mask wait for all lanes that have not ended; when no thread of the block can
//! go on, those that are at the same instruction go on together. A barrier
//! orders memory among its lanes; an exchange orders none.

use duet_ir::{BarrierScope, BinaryOp, ExchangeOp, IntCc, Rule};

use crate::decode::ExchangeData;
use crate::execute::engine::Engine;
use crate::execute::observer::Observer;
use crate::execute::schedule::Scheduler;
use crate::execute::thread::*;
use crate::interface::findings::FindingKind;
use crate::interface::outcome::{Limit, Status};
use crate::races::order::lanes;
use crate::values::eval;

/// The inputs of the lanes that take part.
type Inputs = [Option<LaneInput>; 32];

impl<O: Observer> Engine<'_, O> {
    /// Is the lane in the mask it names? If not, that is noted.
    pub(crate) fn joins_mask(&mut self, thread: &Thread, mask: Option<u32>, site: u32) -> bool {
        let Some(mask) = mask.filter(|mask| mask >> thread.lane() & 1 == 0) else { return true };
        self.recorder.note(Rule::MaskExcludesSelf, thread.number, site, |at| {
            FindingKind::MaskExcludesSelf { at, mask }
        });
        false
    }

    /// Begins an exchange. True if the thread now waits; `active_mask` and lanes
    /// outside their own mask (which get an unknown) do not.
    pub(crate) fn start_exchange(
        &mut self,
        block: &BlockLocal,
        thread: &mut Thread,
        index: u32,
        data: &ExchangeData,
        s: &mut [u64],
        site: u32,
    ) -> bool {
        if data.op == ExchangeOp::ActiveMask {
            data.dst.write(s, u128::from(block.live[thread.warp() as usize]));
            return false;
        }
        let mask = data.mask.map(|slot| s[slot as usize] as u32);
        if !self.joins_mask(thread, mask, site) {
            let bits = self.unknown(thread, site, data.dst_width);
            data.dst.write(s, bits);
            return false;
        }
        let mut args = [0; 3];
        for (arg, from) in args.iter_mut().zip(&data.args) {
            *arg = from.read(s);
        }
        let input = LaneInput { op: data.op, index, width: data.width, args };
        thread.state = State::Waiting(Wait::Warp(WarpWait { mask, exchange: Some(input) }));
        true
    }
}

impl<O: Observer> Scheduler<'_, O> {
    /// Releases what can be released in a warp.
    pub(crate) fn release_warp(&mut self, block: &mut BlockRun, warp: u32) {
        while let Some(group) = complete_group(block, warp) {
            self.note_group(block, warp, group);
            self.release_group(block, warp, group);
        }
    }

    /// When nothing else can go on: releases the lanes of one exchange without a
    /// mask, although others are elsewhere. False if there is none.
    pub(crate) fn release_partial(&mut self, block: &mut BlockRun) -> bool {
        let waits_bare = |t: &Thread| t.warp_wait().is_some_and(|wait| wait.mask.is_none());
        let Some(first) = block.threads.iter().position(waits_bare) else { return false };
        let thread = &block.threads[first];
        let warp = thread.warp();
        let mut group = 0;
        for other in warp_threads(block, warp) {
            if waits_bare(other) && other.is_beside(thread) {
                group |= 1 << other.lane();
            }
        }
        let (number, site) = (thread.number, self.engine.recorder.wait_site(thread));
        self.engine.recorder.note(Rule::PartialExchange, number, site, |at| {
            FindingKind::PartialExchange { at, lanes: group }
        });
        self.release_group(block, warp, group);
        true
    }

    /// Reports every lane that waits in vain, and gives it up.
    pub(crate) fn give_up_warp_waits(&mut self, block: &mut BlockRun) -> bool {
        let waiting: Vec<usize> =
            (0..block.threads.len()).filter(|&n| block.threads[n].warp_wait().is_some()).collect();
        for &n in &waiting {
            let thread = &block.threads[n];
            let mask = thread.warp_wait().and_then(|wait| wait.mask).unwrap_or(u32::MAX);
            let mut missing = mask & block.local.live[thread.warp() as usize];
            for other in warp_threads(block, thread.warp()) {
                if matches_wait(thread, other) {
                    missing &= !(1 << other.lane());
                }
            }
            let (number, site) = (thread.number, self.engine.recorder.wait_site(thread));
            self.engine.recorder.note(Rule::WarpDeadlock, number, site, |waiting| {
                FindingKind::WarpDeadlock { waiting, mask, missing }
            });
        }
        for &n in &waiting {
            let thread = &mut block.threads[n];
            thread.state = State::Ended(End::Stopped);
            block.local.live[thread.warp() as usize] &= !(1 << thread.lane());
        }
        self.engine.recorder.stuck |= !waiting.is_empty();
        !waiting.is_empty()
    }

    /// Notes what is wrong with a group that is released all the same: lanes at
    /// different instructions, lanes of the mask that have returned.
    fn note_group(&mut self, block: &BlockRun, warp: u32, group: u32) {
        let mut members = warp_threads(block, warp).iter().filter(|t| group >> t.lane() & 1 == 1);
        let Some(first) = members.next() else { return };
        let site = self.engine.recorder.wait_site(first);
        if let Some(other) = members.find(|other| !other.is_beside(first)) {
            let site2 = self.engine.recorder.wait_site(other);
            let (a, b) = (
                self.engine.recorder.at(first.number, site),
                self.engine.recorder.at(other.number, site2),
            );
            let key = (Rule::BarrierDivergence, site.min(site2), site.max(site2));
            let scope = BarrierScope::Warp;
            self.engine.recorder.findings.note(key, || FindingKind::BarrierDivergence {
                scope,
                first: a,
                second: b,
            });
        }
        let mask = first.warp_wait().and_then(|wait| wait.mask).unwrap_or(0);
        let gone = |t: &&Thread| t.has_returned() && mask >> t.lane() & 1 == 1;
        let scope = BarrierScope::Warp;
        let around = self.loop_around(first);
        let left = |t: &&Thread| gone(t) && t.frame.entered & around != 0;
        if let Some(left) = warp_threads(block, warp).iter().find(left) {
            self.note_left_loop(scope, first, left.number);
        } else if let Some(returned) = warp_threads(block, warp).iter().find(gone) {
            let returned = self.engine.recorder.position(returned.number);
            self.engine.recorder.note(Rule::ExitBeforeBarrier, first.number, site, |waiting| {
                FindingKind::ExitBeforeBarrier { scope, waiting, returned }
            });
        }
    }

    /// Lets the lanes of a group go on with their results.
    fn release_group(&mut self, block: &mut BlockRun, warp: u32, group: u32) {
        let mut inputs: Inputs = [None; 32];
        let mut is_barrier = false;
        for lane in lanes(group) {
            let wait = block.threads[(32 * warp + lane) as usize].warp_wait();
            inputs[lane as usize] = wait.and_then(|wait| wait.exchange);
            is_barrier |= wait.is_some_and(|wait| wait.exchange.is_none());
        }
        if is_barrier {
            match self.engine.races.order.tick() {
                Some(time) => {
                    block.local.order.warp_barrier(time, warp, group);
                    let (first, number) = (block.local.first + 32 * warp, block.local.number);
                    let members = lanes(group).map(|lane| (first + lane, number));
                    self.engine.races.pass_barrier(members, time);
                }
                None => self.engine.recorder.stop = Some(Status::DidNotFinish(Limit::Barriers)),
            }
        }
        for lane in lanes(group) {
            let thread = &mut block.threads[(32 * warp + lane) as usize];
            self.finish_exchange(thread, group, &inputs);
            thread.state = State::Ready;
        }
        block.ready += group.count_ones();
    }

    /// Stores a lane's result.
    fn finish_exchange(&mut self, thread: &mut Thread, group: u32, inputs: &Inputs) {
        let lane = thread.lane();
        let Some(input) = inputs[lane as usize] else { return };
        let code = &self.engine.program.codes[thread.frame.code as usize];
        let dst = code.exchanges[input.index as usize].dst;
        let result = match exchange(lane, group, inputs) {
            Ok(bits) => bits,
            Err(source) => {
                let (number, site) = (thread.number, self.engine.recorder.wait_site(thread));
                self.engine.recorder.note(Rule::InactiveLane, number, site, |at| {
                    FindingKind::InactiveLane { at, lane: source }
                });
                self.engine.unknown(thread, site, input.width)
            }
        };
        dst.write(&mut thread.frame.slots, result);
    }
}

/// The threads of a warp.
fn warp_threads(block: &BlockRun, warp: u32) -> &[Thread] {
    let start = 32 * warp as usize;
    &block.threads[start..(start + 32).min(block.threads.len())]
}

/// Does `other` wait for the same operation with the same mask?
fn matches_wait(thread: &Thread, other: &Thread) -> bool {
    let (Some(a), Some(b)) = (thread.warp_wait(), other.warp_wait()) else { return false };
    let what = |wait: &WarpWait| wait.exchange.map(|input| (input.op, input.width));
    // Without a mask only the instruction says who belongs together.
    a.mask == b.mask && what(a) == what(b) && (a.mask.is_some() || thread.is_beside(other))
}

/// Lanes that wait for one another and are all there.
fn complete_group(block: &BlockRun, warp: u32) -> Option<u32> {
    let threads = warp_threads(block, warp);
    let live = block.local.live[warp as usize];
    threads.iter().find_map(|thread| {
        let wait = thread.warp_wait()?;
        let needed = wait.mask.unwrap_or(u32::MAX) & live;
        let complete = lanes(needed).all(|lane| matches_wait(thread, &threads[lane as usize]));
        complete.then_some(needed)
    })
}

/// What a lane gets; `Err` with the lane that it asked in vain.
fn exchange(lane: u32, group: u32, inputs: &Inputs) -> Result<u128, u32> {
    use ExchangeOp::*;
    let Some(own) = inputs[lane as usize] else { return Ok(0) };
    let members =
        || lanes(group).filter_map(|lane| inputs[lane as usize].map(|i| (lane, i.args[0])));
    let value = own.args[0];
    let true_lanes = || members().filter(|(_, x)| *x != 0).fold(0u32, |m, (lane, _)| m | 1 << lane);
    let same = || members().filter(|(_, x)| *x == value).fold(0u32, |m, (lane, _)| m | 1 << lane);
    let fold = |f: &dyn Fn(u128, u128) -> u128| members().map(|(_, x)| x).reduce(f).unwrap_or(0);
    let pick = |cc: IntCc| fold(&|x, y| if eval::compare(cc, x, y, own.width) { x } else { y });
    let reduce = |op: BinaryOp| fold(&|x, y| eval::binary(op, x, y, own.width));
    Ok(match own.op {
        ShuffleIndex | ShuffleUp | ShuffleDown | ShuffleXor => return shuffle(lane, &own, inputs),
        VoteAll => u128::from(true_lanes() == group),
        VoteAny => u128::from(true_lanes() != 0),
        VoteUniform => u128::from(true_lanes() == group || true_lanes() == 0),
        Ballot => u128::from(true_lanes()),
        MatchAny => u128::from(same()),
        MatchAll => u128::from(if same() == group { group } else { 0 }),
        ActiveMask => u128::from(group),
        ReduceAdd => reduce(BinaryOp::Add),
        ReduceSMin => pick(IntCc::Slt),
        ReduceSMax => pick(IntCc::Sgt),
        ReduceUMin => pick(IntCc::Ult),
        ReduceUMax => pick(IntCc::Ugt),
        ReduceAnd => reduce(BinaryOp::And),
        ReduceOr => reduce(BinaryOp::Or),
        ReduceXor => reduce(BinaryOp::Xor),
    })
}

/// The source lane of a shuffle, as the hardware computes it: lanes form
/// segments of `width`; who asks outside gets its own value.
fn source_lane(op: ExchangeOp, lane: u32, by: u32, width: u32) -> u32 {
    let segment = 32u32.wrapping_sub(width) & 31;
    let by = by & 31;
    let first = lane & segment;
    let last = first | (31 & !segment);
    let (source, inside) = match op {
        ExchangeOp::ShuffleUp => (lane.wrapping_sub(by), lane >= first + by),
        ExchangeOp::ShuffleDown => (lane + by, lane + by <= last),
        ExchangeOp::ShuffleXor => (lane ^ by, lane ^ by <= last),
        ExchangeOp::ShuffleIndex => (first | (by & !segment), true),
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
        | ExchangeOp::ReduceXor => unreachable!("no shuffle"),
    };
    if inside { source } else { lane }
}

fn shuffle(lane: u32, own: &LaneInput, inputs: &Inputs) -> Result<u128, u32> {
    let (by, width) = (own.args[1] as u32, own.args[2] as u32);
    let source = source_lane(own.op, lane, by, width);
    inputs[source as usize].map(|input| input.args[0]).ok_or(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_stay_in_their_segment() {
        use ExchangeOp::*;
        assert_eq!(source_lane(ShuffleDown, 3, 4, 32), 7);
        assert_eq!(source_lane(ShuffleDown, 30, 4, 32), 30);
        assert_eq!(source_lane(ShuffleDown, 6, 2, 8), 6);
        assert_eq!(source_lane(ShuffleUp, 9, 2, 8), 9);
        assert_eq!(source_lane(ShuffleUp, 11, 2, 8), 9);
        assert_eq!(source_lane(ShuffleXor, 5, 1, 32), 4);
        assert_eq!(source_lane(ShuffleXor, 5, 16, 16), 5);
        assert_eq!(source_lane(ShuffleIndex, 21, 3, 16), 19);
    }
}
