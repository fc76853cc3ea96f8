//! Loads, stores and atomics: bounds, uninitialised reads, the race log, and the
//! bytes. What is out of bounds reads as 0 and is not written.

use duet_ir::{Array, AtomicOp, BinaryOp, Rule, Type};

use crate::decode::*;
use crate::execute::engine::Engine;
use crate::execute::observer::Observer;
use crate::execute::race_log::RaceLog;
use crate::execute::thread::*;
use crate::interface::findings::FindingKind;
use crate::interface::outcome::{Limit, Status};
use crate::races::clocks::{Home, Strong};
use crate::races::shadow::Piece;
use crate::values::eval;
use crate::values::float;

/// Accesses longer than this are logged as if each element were one of its own.
const LONGEST_LOGGED: u32 = 1 << 14;

/// An access that a thread is about to make.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    data: &'a AccessData,
    site: u32,
    /// First byte.
    start: u64,
    /// Is all of it inside the array?
    inside: bool,
}

impl Attempt<'_> {
    /// First byte of an element.
    fn element(&self, n: usize) -> u64 {
        self.start.wrapping_add(n as u64 * u64::from(self.data.element))
    }

    /// An element (or its first 8 bytes) as the race log sees it.
    fn piece(&self, actor: u32, offset: u64, value: u64) -> Piece {
        let start = if self.data.len > LONGEST_LOGGED { offset } else { self.start };
        let AccessData { kind, element, .. } = *self.data;
        Piece { actor, site: self.site, kind, start, offset, len: element.min(8), value }
    }
}

/// A strong access of a thread, which reads and writes as it says.
fn strong(
    block: &BlockLocal,
    thread: &Thread,
    attempt: &Attempt<'_>,
    home: Home,
    (reads, writes): (bool, bool),
) -> Strong {
    let data = attempt.data;
    Strong {
        thread: thread.number,
        site: attempt.site,
        block: block.number,
        home,
        offset: attempt.start,
        len: data.len,
        reach: data.kind.reach(),
        order: data.order,
        reads,
        writes,
    }
}

impl<O: Observer> Engine<'_, O> {
    pub(crate) fn load(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        s: &mut [u64],
        site: u32,
    ) {
        let attempt = self.attempt(block, thread, data, data.at.start(s), site);
        self.log(block, thread.number, &attempt, |_| 0);
        self.note_flag(block, thread, &attempt, (true, false));
        for (n, dst) in data.values.iter().enumerate() {
            let bits = self.memory.read(block, thread, data, attempt.inside, attempt.element(n));
            dst.write(s, bits & eval::mask(data.width));
        }
    }

    pub(crate) fn store(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        s: &mut [u64],
        site: u32,
    ) {
        let attempt = self.attempt(block, thread, data, data.at.start(s), site);
        self.log(block, thread.number, &attempt, |n| data.values[n].read(s));
        self.note_flag(block, thread, &attempt, (false, true));
        for (n, value) in data.values.iter().enumerate() {
            self.memory.write(
                block,
                thread,
                data,
                attempt.inside,
                (attempt.element(n), value.read(s)),
            );
        }
    }

    pub(crate) fn atomic(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        s: &mut [u64],
        site: u32,
    ) {
        let Some((op, ty)) = data.atomic else { return };
        let attempt = self.attempt(block, thread, data, data.at.start(s), site);
        let old = self.memory.read(block, thread, data, attempt.inside, attempt.start)
            & eval::mask(data.width);
        let args: Vec<u128> = data.values[1..].iter().map(|arg| arg.read(s)).collect();
        let new = atomic_result(op, ty, old, &args, data.width);
        data.values[0].write(s, old);
        let fails = op == AtomicOp::CompareExchange && args.first() != Some(&old);
        let does = (op != AtomicOp::Store, op != AtomicOp::Load && !fails);
        acquire_flag(&mut self.races, block, thread, &attempt, does);
        self.log(block, thread.number, &attempt, |_| new);
        self.note_flag(block, thread, &attempt, does);
        if op != AtomicOp::Load {
            self.memory.write(block, thread, data, attempt.inside, (attempt.start, new));
        }
    }

    // -- checks -----------------------------------------------------------

    /// Makes sure the instance exists, and notes what is wrong with the access.
    fn attempt<'d>(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &'d AccessData,
        start: u64,
        site: u32,
    ) -> Attempt<'d> {
        let region = self.memory.region(block, thread, data.at.place);
        let inside = region.contains(start, u64::from(data.len));
        let (tracked, size) = (region.tracks_writes, region.size);
        let attempt = Attempt { data, site, start, inside };
        if data.at.ghost {
            return attempt;
        }
        if O::ACTIVE {
            let (position, site) = (self.recorder.position(thread.number), self.program.site(site));
            self.observer.access(position, site, data.at.array, start, data.len);
        }
        if !inside {
            self.note_outside(thread, &attempt, size);
        } else if tracked && self.reads_unwritten(block, thread, &attempt) {
            self.note_unwritten(thread, &attempt);
        }
        attempt
    }

    fn reads_unwritten(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        Attempt { data, start, .. }: &Attempt<'_>,
    ) -> bool {
        let only_writes = match data.atomic {
            Some((op, _)) => op == AtomicOp::Store,
            None => data.kind.access_kind().writes(),
        };
        if only_writes {
            return false;
        }
        !self.memory.is_written(block, thread, data, *start)
    }

    #[cold]
    fn note_unwritten(&mut self, thread: &Thread, attempt: &Attempt<'_>) {
        let (array, offset) = (attempt.data.at.array, attempt.start);
        let len = attempt.data.len;
        self.recorder.note(Rule::UninitialisedRead, thread.number, attempt.site, |at| {
            FindingKind::Uninitialised { at, array, offset, len }
        });
    }

    #[cold]
    fn note_outside(&mut self, thread: &Thread, attempt: &Attempt<'_>, size: Option<u64>) {
        let AccessData { at: PlaceData { array, .. }, kind, len, .. } = *attempt.data;
        let (kind, offset) = (kind.access_kind(), attempt.start);
        self.recorder.note(Rule::OutOfBounds, thread.number, attempt.site, |at| {
            FindingKind::OutOfBounds { at, array, kind, offset, len, size }
        });
    }

    // -- the race log -----------------------------------------------------

    /// Logs an access; `value` gives what is written to each element.
    #[inline]
    fn log(
        &mut self,
        block: &mut BlockLocal,
        thread: u32,
        attempt: &Attempt<'_>,
        value: impl Fn(usize) -> u128,
    ) {
        let data = attempt.data;
        if !data.at.logged || !self.options.races {
            return;
        }
        // An atomic's list of values holds its operands too.
        let elements = if data.atomic.is_some() { 1 } else { data.values.len() };
        for n in 0..elements {
            self.log_element(block, thread, attempt, attempt.element(n), value(n));
            if self.lock_step.is_some() {
                self.log_element_in_step(thread, attempt, attempt.element(n), value(n));
            }
        }
        if !self.races.conflicts.is_empty() {
            let piece = attempt.piece(thread, attempt.start, 0);
            self.note_conflicts((data.at.array, home_of(block, data.at.place)), &piece);
        }
    }

    /// Notes the conflicts of the access at hand, and tells who watches.
    #[cold]
    pub(crate) fn note_conflicts(&mut self, place: (Array, Option<Home>), piece: &Piece) {
        let before = self.recorder.findings.len();
        let lock_step = self.lock_step.as_ref();
        self.races.note_conflicts(&mut self.recorder, lock_step, place, piece);
        if O::ACTIVE {
            let races = self.recorder.findings.races_since(before);
            races.for_each(|race| self.observer.race(race));
        }
    }

    /// What fences order depends on who reads and writes flags.
    #[inline]
    fn note_flag(
        &mut self,
        block: &BlockLocal,
        thread: &Thread,
        attempt: &Attempt<'_>,
        does: (bool, bool),
    ) {
        let data = attempt.data;
        if !data.at.logged || !attempt.inside {
            return;
        }
        let Some(home) = home_of(block, data.at.place) else { return };
        let is_strong = data.kind.is_strong();
        let access = || strong(block, thread, attempt, home, does);
        if !self.races.note_flag(access, is_strong) {
            self.recorder.stop = Some(Status::DidNotFinish(Limit::Barriers));
        }
    }

    #[inline]
    fn log_element(
        &mut self,
        block: &mut BlockLocal,
        thread: u32,
        attempt: &Attempt<'_>,
        offset: u64,
        bits: u128,
    ) {
        let data = attempt.data;
        if !attempt.inside && !self.memory.element_is_inside(block, data, offset) {
            return;
        }
        let mut piece = attempt.piece(thread, offset, bits as u64);
        self.races.log_piece(&mut self.memory, block, thread, data.at.place, &piece);
        if data.element > 8 {
            piece.offset += 8;
            piece.len = data.element - 8;
            piece.value = (bits >> 64) as u64;
            self.races.log_piece(&mut self.memory, block, thread, data.at.place, &piece);
        }
    }

    /// The same for lanes of a warp in lock step.
    fn log_element_in_step(&mut self, thread: u32, attempt: &Attempt<'_>, at: u64, bits: u128) {
        let AccessData { at: PlaceData { array, .. }, kind, element, .. } = *attempt.data;
        let Some(state) = self.lock_step.as_mut().filter(|_| attempt.inside) else { return };
        let (kind, recorder) = (kind.access_kind(), &mut self.recorder);
        let (one, low) = ((thread, attempt.site), element.min(8));
        state.log_access(recorder, array, one, kind, (at, low), bits as u64);
        if element > 8 {
            state.log_access(
                recorder,
                array,
                one,
                kind,
                (at + 8, element - 8),
                (bits >> 64) as u64,
            );
        }
    }

    // -- snapshots --------------------------------------------------------
}

/// Where flags of an array are, if others see them.
fn home_of(block: &BlockLocal, place: Place) -> Option<Home> {
    match place {
        Place::Global(number) => Some(Home::Global(number)),
        Place::Shared(number) => Some(Home::Shared(number, block.number)),
        Place::Private(_) => None,
    }
}

/// What an atomic operation stores.
fn atomic_result(op: AtomicOp, ty: Type, old: u128, args: &[u128], width: u8) -> u128 {
    let (a, b) = (old as u64, args.first().copied().unwrap_or(0) as u64);
    match (op, ty) {
        (AtomicOp::FAdd, Type::Float(ty)) => u128::from(float::binary(BinaryOp::FAdd, ty, a, b)),
        (AtomicOp::FMin, Type::Float(ty)) => u128::from(float::min_max(ty, a, b, false)),
        (AtomicOp::FMax, Type::Float(ty)) => u128::from(float::min_max(ty, a, b, true)),
        (AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax, _) => old,
        _ => eval::atomic(op, old, args, width),
    }
}

/// What an operation acquires comes before itself.
fn acquire_flag(
    races: &mut RaceLog<'_>,
    block: &BlockLocal,
    thread: &Thread,
    attempt: &Attempt<'_>,
    does: (bool, bool),
) {
    let data = attempt.data;
    let is_acquire = does.0 && data.order.acquires() && data.kind.is_strong();
    if let Some(home) = home_of(block, data.at.place)
        && is_acquire
        && data.at.logged
        && attempt.inside
    {
        races.acquire(|| strong(block, thread, attempt, home, does));
    }
}
