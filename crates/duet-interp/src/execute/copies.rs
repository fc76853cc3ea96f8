//! Asynchronous copies: each is done by an agent of its own, at some moment
//! between the call and the end of the first wait for its event.
//!
//! In OpenCL the threads of a block make the call together: the n-th visit of
//! the instruction by each thread is one copy. In CUDA each thread's call is a
//! copy of its own. When the copy happens depends on the schedule: as late as it
//! may (in order), at once (reversed), or at random. The race log sees it from
//! its call on, whenever it happens: until a wait, and then a barrier, it may be
//! under way.

use duet_ir::{BarrierScope, Language, Rule};

use crate::decode::{CopyData, PlaceData};
use crate::execute::engine::Engine;
use crate::execute::observer::Observer;
use crate::execute::thread::{BlockLocal, BlockRun, GroupWait, Thread};
use crate::interface::findings::{AccessKind, FindingKind};
use crate::interface::launch::Schedule;
use crate::interface::outcome::{Limit, Status};
use crate::races::order::BitSet;
use crate::races::shadow::{COPY, Kind, Piece};
use crate::values::eval::signed;

/// A copy that was started.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    /// The first thread that called for it.
    pub(crate) caller: u32,
    event: u32,
    site: u32,
    what: Extent,
    /// The threads of the block that made the call.
    joined: BitSet,
}

/// What is copied.
#[derive(Clone, Copy, Debug)]
struct Extent {
    dst: PlaceData,
    src: PlaceData,
    dst_start: u64,
    src_start: u64,
    element: u32,
    count: u64,
    /// In bytes, wrapping.
    dst_stride: u64,
    src_stride: u64,
}

impl Extent {
    /// Same bytes?
    fn equals(&self, other: &Extent) -> bool {
        let numbers = |e: &Extent| (e.dst_start, e.src_start, e.count, e.dst_stride, e.src_stride);
        numbers(self) == numbers(other)
    }
}

impl<O: Observer> Engine<'_, O> {
    /// Starts a copy, or joins the one that another thread of the block started.
    pub(crate) fn start_copy(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &CopyData,
        s: &mut [u64],
        site: u32,
    ) {
        let what = extent(data, s);
        let given = data.event.read(s) as u32;
        let visit = thread.copies.entry(site).or_default();
        let owner = if self.module.language == Language::Cuda { thread.local } else { 0 };
        let key = (site, *visit, owner);
        *visit += 1;
        let number = match block.copies.get(&key) {
            Some(&number) => number,
            None => {
                let number = self.make_copy(block, thread, given, what, site);
                block.copies.insert(key, number);
                number
            }
        };
        let first = &mut self.copies[number as usize];
        first.joined.insert(thread.local);
        let (event, caller, same) = (first.event, first.caller, first.what.equals(&what));
        s[data.result as usize] = u64::from(event);
        if !same {
            self.note_mismatch(site, caller, thread.number);
        }
    }

    fn note_mismatch(&mut self, site: u32, first: u32, second: u32) {
        let (first, second) = (self.recorder.at(first, site), self.recorder.at(second, site));
        let make = || FindingKind::CopyMismatch { first, second };
        self.recorder.findings.note((Rule::CopyMismatch, site, site), make);
    }

    /// At a block's end: were its OpenCL copies called for by all threads that
    /// came to their end?
    pub(crate) fn check_joined(&mut self, block: &BlockRun) {
        if self.module.language == Language::Cuda {
            return;
        }
        let mut numbers: Vec<u32> = block.local.copies.values().copied().collect();
        numbers.sort_unstable();
        for number in numbers {
            let copy = &self.copies[number as usize];
            let (site, caller) = (copy.site, copy.caller);
            let absent = |t: &&Thread| t.has_returned() && !copy.joined.contains(t.local);
            if let Some(thread) = block.threads.iter().find(absent) {
                self.note_mismatch(site, caller, thread.number);
            }
        }
    }

    fn make_copy(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        given: u32,
        what: Extent,
        site: u32,
    ) -> u32 {
        let number = self.copies.len() as u32;
        let event = if given != 0 { given } else { block.next_event };
        block.next_event += u32::from(given == 0);
        let joined = BitSet::default();
        self.copies.push(Copy { caller: thread.number, event, site, what, joined });
        self.races.start_copy(thread.number);
        block.events.entry(event).or_default().push(number);
        if !self.charge(what.count) {
            return number;
        }
        self.log_copy(block, thread.number, number);
        let now = match self.options.schedule {
            Schedule::InOrder => false,
            Schedule::Reversed => true,
            Schedule::Seeded(_) => self.rng.below(4) == 0,
        };
        if now {
            self.perform(block, number)
        } else {
            block.pending.push(number)
        }
        number
    }

    /// Counts the elements of a copy or a fold as steps; false if they are too many.
    pub(crate) fn charge(&mut self, count: u64) -> bool {
        if count > self.steps_left {
            self.recorder.stop = Some(Status::DidNotFinish(Limit::Steps));
            return false;
        }
        self.steps_left -= count;
        true
    }

    /// A thread waits for the copies of events: all threads of a block wait together, for
    /// the same events. In OpenCL anything else is undefined, like a barrier that not all
    /// threads reach.
    pub(crate) fn wait_for_events(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        events: Vec<u32>,
        site: u32,
    ) {
        for &event in &events {
            self.wait_for_event(block, thread.number, event);
        }
        if self.module.language == Language::Cuda {
            return;
        }
        let visit = thread.copies.entry(site).or_default();
        let (key, number) = ((site, *visit), thread.number);
        *visit += 1;
        let wait = block.waits.entry(key).or_insert_with(|| GroupWait {
            first: number,
            events: events.clone(),
            joined: BitSet::default(),
        });
        wait.joined.insert(thread.local);
        let (first, same) = (wait.first, wait.events == events);
        if !same {
            self.note_wait_apart(site, first, number);
        }
    }

    fn note_wait_apart(&mut self, site: u32, first: u32, second: u32) {
        let (first, second) = (self.recorder.at(first, site), self.recorder.at(second, site));
        let scope = BarrierScope::Block;
        let make = || FindingKind::BarrierDivergence { scope, first, second };
        self.recorder.findings.note((Rule::BarrierDivergence, site, site), make);
    }

    /// At a block's end: were its waits made by all threads that came to their end?
    pub(crate) fn check_waited(&mut self, block: &BlockRun) {
        for (&(site, _), wait) in &block.local.waits {
            let absent = |t: &&Thread| t.has_returned() && !wait.joined.contains(t.local);
            if let Some(thread) = block.threads.iter().find(absent) {
                self.note_wait_apart(site, wait.first, thread.number);
            }
        }
    }

    fn wait_for_event(&mut self, block: &mut BlockLocal, thread: u32, event: u32) {
        let copies = block.events.get(&event).cloned().unwrap_or_default();
        for number in copies {
            if let Some(at) = block.pending.iter().position(|&other| other == number) {
                block.pending.swap_remove(at);
                self.perform(block, number);
            }
            self.races.waits[number as usize].push(thread, self.races.order.clock);
        }
    }

    /// Performs one pending copy of the block, if there is one.
    pub(crate) fn perform_pending(&mut self, block: &mut BlockLocal) -> bool {
        match block.pending.pop() {
            Some(number) => {
                self.perform(block, number);
                true
            }
            None => false,
        }
    }

    /// Copies the bytes.
    fn perform(&mut self, block: &mut BlockLocal, number: u32) {
        let &Copy { what, site, caller, .. } = &self.copies[number as usize];
        for n in 0..what.count {
            let from = what.src_start.wrapping_add(n.wrapping_mul(what.src_stride))
                & self.memory.pointer_mask;
            let to = what.dst_start.wrapping_add(n.wrapping_mul(what.dst_stride))
                & self.memory.pointer_mask;
            let ok = self.copy_side_is_inside(
                block,
                &what.src,
                from,
                AccessKind::Read,
                &what,
                (caller, site),
            ) && self.copy_side_is_inside(
                block,
                &what.dst,
                to,
                AccessKind::Write,
                &what,
                (caller, site),
            );
            if !ok || self.memory.budget.exhausted {
                return;
            }
            for at in 0..u64::from(what.element) {
                let byte = self
                    .memory
                    .copy_region(block, what.src.place)
                    .map_or(0, |(r, b)| r.read(from + at, 1, b));
                if let Some((region, budget)) = self.memory.copy_region(block, what.dst.place) {
                    region.write(to + at, 1, byte, budget);
                }
            }
        }
    }

    fn copy_side_is_inside(
        &mut self,
        block: &mut BlockLocal,
        side: &PlaceData,
        offset: u64,
        kind: AccessKind,
        what: &Extent,
        (caller, site): (u32, u32),
    ) -> bool {
        let len = what.element;
        let region = self.memory.copy_region(block, side.place);
        let (inside, size) = match region {
            Some((region, _)) => (region.contains(offset, u64::from(len)), region.size),
            None => (false, None),
        };
        if !inside {
            let array = side.array;
            self.recorder.note(Rule::OutOfBounds, caller, site, |at| FindingKind::OutOfBounds {
                at,
                array,
                kind,
                offset,
                len,
                size,
            });
        }
        inside
    }

    /// Enters both ranges of a copy into the race log.
    fn log_copy(&mut self, block: &mut BlockLocal, caller: u32, number: u32) {
        let what = self.copies[number as usize].what;
        if !self.options.races {
            return;
        }
        for n in 0..what.count {
            let from = what.src_start.wrapping_add(n.wrapping_mul(what.src_stride))
                & self.memory.pointer_mask;
            let to = what.dst_start.wrapping_add(n.wrapping_mul(what.dst_stride))
                & self.memory.pointer_mask;
            self.log_copied(block, caller, number, (&what.src, from, Kind::READ), from);
            self.log_copied(block, caller, number, (&what.dst, to, Kind::WRITE), from);
            if self.memory.budget.exhausted {
                return;
            }
        }
    }

    /// Logs one element on one side; `from` is where its bytes come from.
    fn log_copied(
        &mut self,
        block: &mut BlockLocal,
        caller: u32,
        number: u32,
        (side, start, kind): (&PlaceData, u64, Kind),
        from: u64,
    ) {
        let &Copy { site, what, .. } = &self.copies[number as usize];
        let len = u64::from(what.element);
        let inside =
            self.memory.copy_region(block, side.place).is_some_and(|(r, _)| r.contains(start, len));
        if !side.logged || !inside {
            return;
        }
        let mut piece =
            Piece { actor: COPY | number, site, kind, start, offset: start, len: 0, value: 0 };
        for done in (0..what.element).step_by(8) {
            piece.offset = start + u64::from(done);
            piece.len = (what.element - done).min(8);
            piece.value = match self.memory.copy_region(block, what.src.place) {
                Some((region, budget)) if region.contains(from, len) => {
                    region.read(from + u64::from(done), piece.len, budget)
                }
                _ => 0,
            };
            self.races.log_piece(&mut self.memory, block, caller, side.place, &piece);
        }
        if !self.races.conflicts.is_empty() {
            self.note_conflicts((side.array, None), &piece);
        }
    }
}

/// The operands of a copy.
fn extent(data: &CopyData, s: &[u64]) -> Extent {
    let number = |n: usize| {
        let (arg, width) = data.numbers[n];
        signed(arg.read(s), width)
    };
    let stride = |n: usize| (number(n) as u64).wrapping_mul(u64::from(data.element));
    Extent {
        dst: data.dst,
        src: data.src,
        dst_start: data.dst.start(s),
        src_start: data.src.start(s),
        element: data.element.max(1),
        count: data.numbers[0].0.read(s) as u64,
        dst_stride: stride(1),
        src_stride: stride(2),
    }
}
