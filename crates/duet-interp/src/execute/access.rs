//! Loads, stores and atomics: bounds, uninitialised reads, the race log, and the
//! bytes. What is out of bounds reads as 0 and is not written.

use duet_ir::{AtomicOp, BinaryOp, Rule, Type};

use crate::decode::*;
use crate::execute::engine::Engine;
use crate::execute::observer::Observer;
use crate::execute::thread::*;
use crate::interface::findings::FindingKind;
use crate::memory::Region;
use crate::races::order::Now;
use crate::races::shadow::{Context, Piece};
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
        for (n, dst) in data.values.iter().enumerate() {
            let bits = self.read(block, thread, &attempt, attempt.element(n));
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
        for (n, value) in data.values.iter().enumerate() {
            self.write(block, thread, &attempt, attempt.element(n), value.read(s));
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
        let old = self.read(block, thread, &attempt, attempt.start) & eval::mask(data.width);
        let args: Vec<u128> = data.values[1..].iter().map(|arg| arg.read(s)).collect();
        let new = atomic_result(op, ty, old, &args, data.width);
        data.values[0].write(s, old);
        self.log(block, thread.number, &attempt, |_| new);
        if op != AtomicOp::Load {
            self.write(block, thread, &attempt, attempt.start, new);
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
        let region = self.region(block, thread, data.at.place);
        let inside = region.contains(start, u64::from(data.len));
        let (tracked, size) = (region.tracks_writes, region.size);
        let attempt = Attempt { data, site, start, inside };
        if data.at.ghost {
            return attempt;
        }
        if O::ACTIVE {
            let (position, site) = (self.position(thread.number), self.program.site(site));
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
        let region = find_region(&mut self.globals, block, thread, data.at.place);
        !region.is_written(*start, data.len, &mut self.budget)
    }

    #[cold]
    fn note_unwritten(&mut self, thread: &Thread, attempt: &Attempt<'_>) {
        let (array, offset) = (attempt.data.at.array, attempt.start);
        let len = attempt.data.len;
        self.note(Rule::UninitialisedRead, thread.number, attempt.site, |at| {
            FindingKind::Uninitialised { at, array, offset, len }
        });
    }

    #[cold]
    fn note_outside(&mut self, thread: &Thread, attempt: &Attempt<'_>, size: Option<u64>) {
        let AccessData { at: PlaceData { array, .. }, kind, len, .. } = *attempt.data;
        let (kind, offset) = (kind.access_kind(), attempt.start);
        self.note(Rule::OutOfBounds, thread.number, attempt.site, |at| FindingKind::OutOfBounds {
            at,
            array,
            kind,
            offset,
            len,
            size,
        });
    }

    // -- bytes ------------------------------------------------------------

    /// The instance that a thread sees, made if need be.
    pub(crate) fn region<'r>(
        &'r mut self,
        block: &'r mut BlockLocal,
        thread: &'r mut Thread,
        place: Place,
    ) -> &'r mut Region {
        if let Place::Private(n) = place
            && thread.private[n as usize].is_none()
        {
            thread.private[n as usize] = Some(self.make_private(n, thread.number));
        }
        find_region(&mut self.globals, block, thread, place)
    }

    /// Reads the element at `offset`.
    #[inline]
    fn read(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        &Attempt { data, inside, .. }: &Attempt<'_>,
        offset: u64,
    ) -> u128 {
        let budget = &mut self.budget;
        let region = find_region(&mut self.globals, block, thread, data.at.place);
        if !inside && !region.contains(offset, u64::from(data.element)) {
            return 0;
        }
        if data.element <= 8 {
            return u128::from(region.read(offset, data.element, budget));
        }
        let low = region.read(offset, 8, budget);
        u128::from(low) | u128::from(region.read(offset + 8, data.element - 8, budget)) << 64
    }

    /// Writes the element at `offset`.
    #[inline]
    fn write(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        &Attempt { data, inside, .. }: &Attempt<'_>,
        offset: u64,
        bits: u128,
    ) {
        let budget = &mut self.budget;
        let region = find_region(&mut self.globals, block, thread, data.at.place);
        if !inside && !region.contains(offset, u64::from(data.element)) {
            return;
        }
        region.write(offset, data.element.min(8), bits as u64, budget);
        if data.element > 8 {
            region.write(offset + 8, data.element - 8, (bits >> 64) as u64, budget);
        }
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
        if !self.conflicts.is_empty() {
            self.note_conflicts(data.at.array, &attempt.piece(thread, attempt.start, 0));
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
        if !attempt.inside && !self.element_is_inside(block, data, offset) {
            return;
        }
        let mut piece = attempt.piece(thread, offset, bits as u64);
        self.log_piece(block, thread, data.at.place, &piece);
        if data.element > 8 {
            piece.offset += 8;
            piece.len = data.element - 8;
            piece.value = (bits >> 64) as u64;
            self.log_piece(block, thread, data.at.place, &piece);
        }
    }

    /// The same for lanes of a warp in lock step.
    fn log_element_in_step(&mut self, thread: u32, attempt: &Attempt<'_>, at: u64, bits: u128) {
        let AccessData { at: PlaceData { array, .. }, kind, element, .. } = *attempt.data;
        if !attempt.inside {
            return;
        }
        let kind = kind.access_kind();
        let (one, low) = ((thread, attempt.site), element.min(8));
        self.log_in_step(array, one, kind, (at, low), bits as u64);
        if element > 8 {
            self.log_in_step(array, one, kind, (at + 8, element - 8), (bits >> 64) as u64);
        }
    }

    fn element_is_inside(&self, block: &BlockLocal, data: &AccessData, offset: u64) -> bool {
        let region = match data.at.place {
            Place::Global(n) => &self.globals[n as usize].region,
            Place::Shared(n) => &block.shared[n as usize].region,
            Place::Private(_) => return false,
        };
        region.contains(offset, u64::from(data.element))
    }

    /// Logs a piece from the point of view of `thread`; conflicts are appended to
    /// those of the access at hand.
    #[inline]
    pub(crate) fn log_piece(
        &mut self,
        block: &mut BlockLocal,
        thread: u32,
        place: Place,
        piece: &Piece,
    ) {
        let BlockLocal { shared, order, first, .. } = block;
        let instance = match place {
            Place::Global(n) => &mut self.globals[n as usize],
            Place::Shared(n) => &mut shared[n as usize],
            Place::Private(_) => return,
        };
        let Some(shadow) = &mut instance.shadow else { return };
        let context = Context {
            now: Now {
                thread,
                block_first: *first,
                block_threads: self.block_threads,
                single_block: self.single_block,
                block: order,
                grid: &self.order,
            },
            waits: &self.waits,
            ended: &self.ended,
            may_prune: !self.partial_grid,
        };
        shadow.touch(piece, &context, &mut self.budget, &mut self.conflicts);
    }

    // -- snapshots --------------------------------------------------------

    /// `ArraySnapshot`: the first array becomes a copy of the second.
    pub(crate) fn snapshot(&mut self, block: &mut BlockLocal, thread: &mut Thread, args: &[u128]) {
        let place = |&reference: &u128| {
            let index = usize::try_from(reference).ok()?.checked_sub(1)?;
            self.program.arrays.get(index).map(|info| info.place)
        };
        let places: Option<Vec<Place>> = args.iter().map(place).collect();
        match places.as_deref() {
            Some(&[Place::Global(to), Place::Global(from)]) if to != from => {
                self.snapshot_global(to as usize, from as usize);
            }
            Some(&[to, from]) => self.snapshot_local(block, thread, to, from),
            _ => {}
        }
    }

    fn snapshot_global(&mut self, to: usize, from: usize) {
        let (low, high) = self.globals.split_at_mut(to.max(from));
        let (a, b) = (&mut low[to.min(from)], &mut high[0]);
        let (to, from) = if to < from { (a, b) } else { (b, a) };
        to.region.copy_from(&from.region);
    }

    /// A snapshot that involves shared or private arrays, byte by byte.
    fn snapshot_local(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        to: Place,
        from: Place,
    ) {
        let to_size = self.region(block, thread, to).size.unwrap_or(0);
        let from_size = self.region(block, thread, from).size.unwrap_or(0);
        for at in 0..to_size.min(from_size) {
            let budget = &mut self.budget;
            let byte = find_region(&mut self.globals, block, thread, from).read(at, 1, budget);
            find_region(&mut self.globals, block, thread, to).write(at, 1, byte, budget);
        }
    }
}

/// The instance at a place; a private one must have been made.
#[inline]
pub(crate) fn find_region<'r>(
    globals: &'r mut [Instance],
    block: &'r mut BlockLocal,
    thread: &'r mut Thread,
    place: Place,
) -> &'r mut Region {
    match place {
        Place::Global(n) => &mut globals[n as usize].region,
        Place::Shared(n) => &mut block.shared[n as usize].region,
        Place::Private(n) => {
            thread.private[n as usize].as_deref_mut().expect("made by `region` before any use")
        }
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
