//! Loads, stores and atomics: bounds, uninitialised reads, the race log, and the
//! bytes. What is out of bounds reads as 0 and is not written.

use duet_ir::{AtomicOp, Type};

use crate::decode::*;
use crate::engine::Engine;
use crate::eval;
use crate::findings::FindingKind;
use crate::float;
use crate::memory::Region;
use crate::observer::Observer;
use crate::order::Now;
use crate::shadow::{Context, Piece};
use crate::thread::*;

/// Accesses longer than this are logged as if each element were one of its own.
const LONGEST_LOGGED: u32 = 1 << 14;

impl<O: Observer> Engine<'_, O> {
    pub(crate) fn load(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        s: &mut [u64],
        site: u32,
    ) {
        let start = s[data.at.offset as usize];
        let inside = self.prepare(block, thread, data, start, site);
        self.log(block, thread.number, data, start, site, None, inside);
        for (n, dst) in data.values.iter().enumerate() {
            let offset = start.wrapping_add(n as u64 * u64::from(data.element));
            let bits = self.read(block, thread, data, offset, inside);
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
        let start = s[data.at.offset as usize];
        let inside = self.prepare(block, thread, data, start, site);
        self.log(block, thread.number, data, start, site, Some(s), inside);
        for (n, value) in data.values.iter().enumerate() {
            let offset = start.wrapping_add(n as u64 * u64::from(data.element));
            self.write(block, thread, data, offset, value.read(s), inside);
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
        let start = s[data.at.offset as usize];
        let inside = self.prepare(block, thread, data, start, site);
        let old = self.read(block, thread, data, start, inside) & eval::mask(data.width);
        let args: Vec<u128> = data.values[1..].iter().map(|arg| arg.read(s)).collect();
        let new = atomic_result(op, ty, old, &args, data.width);
        data.values[0].write(s, old);
        // The log wants the new value where it looks for a stored one.
        self.log_value(block, thread.number, data, start, site, new, inside);
        if op != AtomicOp::Load {
            self.write(block, thread, data, start, new, inside);
        }
    }

    // -- checks -----------------------------------------------------------

    /// Makes sure the instance exists and checks the access. Is it inside?
    fn prepare(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        start: u64,
        site: u32,
    ) -> bool {
        let region = self.region(block, thread, data.at.place);
        let inside = region.contains(start, u64::from(data.len));
        let tracked = region.tracks_writes;
        if data.at.ghost {
            return inside;
        }
        if !inside {
            self.note_outside(block, thread, data, start, site);
        } else if tracked && self.reads_unwritten(block, thread, data, start) {
            let (array, len) = (data.at.array, data.len);
            self.note("uninitialised-read", thread.number, site, |at| {
                FindingKind::Uninitialised { at, array, offset: start, len }
            });
        }
        inside
    }

    fn reads_unwritten(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        start: u64,
    ) -> bool {
        let only_writes = match data.atomic {
            Some((op, _)) => op == AtomicOp::Store,
            None => data.kind.access_kind().writes(),
        };
        if only_writes {
            return false;
        }
        let (regions, budget) = (&mut self.globals, &mut self.budget);
        let region = find_region(regions, block, thread, data.at.place);
        !region.is_written(start, data.len, budget)
    }

    #[cold]
    fn note_outside(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        offset: u64,
        site: u32,
    ) {
        let size = self.region(block, thread, data.at.place).size;
        let (array, kind, len) = (data.at.array, data.kind.access_kind(), data.len);
        self.note("out-of-bounds", thread.number, site, |at| {
            FindingKind::OutOfBounds { at, array, kind, offset, len, size }
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

    #[inline]
    fn read(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        offset: u64,
        inside: bool,
    ) -> u128 {
        let (globals, budget) = (&mut self.globals, &mut self.budget);
        let region = find_region(globals, block, thread, data.at.place);
        if !inside && !region.contains(offset, u64::from(data.element)) {
            return 0;
        }
        if data.element <= 8 {
            return u128::from(region.read(offset, data.element, budget));
        }
        let low = region.read(offset, 8, budget);
        u128::from(low) | u128::from(region.read(offset + 8, data.element - 8, budget)) << 64
    }

    #[inline]
    fn write(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        offset: u64,
        bits: u128,
        inside: bool,
    ) {
        let (globals, budget) = (&mut self.globals, &mut self.budget);
        let region = find_region(globals, block, thread, data.at.place);
        if !inside && !region.contains(offset, u64::from(data.element)) {
            return;
        }
        region.write(offset, data.element.min(8), bits as u64, budget);
        if data.element > 8 {
            region.write(offset + 8, data.element - 8, (bits >> 64) as u64, budget);
        }
    }

    /// `ArraySnapshot`: the first array becomes a copy of the second.
    pub(crate) fn snapshot(&mut self, block: &mut BlockLocal, thread: &mut Thread, args: &[u128]) {
        let place = |&reference: &u128| {
            let index = usize::try_from(reference).ok()?.checked_sub(1)?;
            self.program.arrays.get(index).map(|info| info.place)
        };
        let places: Option<Vec<Place>> = args.iter().map(place).collect();
        if let Some([Place::Global(to), Place::Global(from)]) = places.as_deref()
            && to != from
        {
            let (to, from) = (*to as usize, *from as usize);
            let (low, high) = self.globals.split_at_mut(to.max(from));
            let (a, b) = (&mut low[to.min(from)], &mut high[0]);
            let (to, from) = if to < from { (a, b) } else { (b, a) };
            to.region.copy_from(&from.region);
        } else if let Some([to, from]) = places.as_deref() {
            self.snapshot_local(block, thread, *to, *from);
        }
    }

    /// A snapshot that involves shared or private arrays, byte by byte.
    fn snapshot_local(&mut self, block: &mut BlockLocal, thread: &mut Thread, to: Place, from: Place) {
        let size = |engine: &mut Self, block: &mut BlockLocal, thread: &mut Thread, place| {
            engine.region(block, thread, place).size.unwrap_or(0)
        };
        let len = size(self, block, thread, to).min(size(self, block, thread, from));
        for at in 0..len {
            let byte = find_region(&mut self.globals, block, thread, from).read(at, 1, &mut self.budget);
            let region = find_region(&mut self.globals, block, thread, to);
            region.write(at, 1, byte, &mut self.budget);
        }
    }

    // -- the race log -----------------------------------------------------

    /// Logs an access; `stored` is the frame with the values of a store.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn log(
        &mut self,
        block: &mut BlockLocal,
        thread: u32,
        data: &AccessData,
        start: u64,
        site: u32,
        stored: Option<&[u64]>,
        inside: bool,
    ) {
        if !data.at.logged || !self.options.races {
            return;
        }
        for (n, value) in data.values.iter().enumerate() {
            let bits = stored.map_or(0, |s| value.read(s));
            let offset = start.wrapping_add(n as u64 * u64::from(data.element));
            self.log_element(block, thread, data, start, offset, site, bits, inside);
        }
        if !self.conflicts.is_empty() {
            let piece = self.piece(thread, data, start, start, site, 0);
            self.note_conflicts(data.at.array, &piece);
        }
    }

    /// Logs an atomic operation that leaves `bits` behind.
    #[allow(clippy::too_many_arguments)]
    fn log_value(
        &mut self,
        block: &mut BlockLocal,
        thread: u32,
        data: &AccessData,
        start: u64,
        site: u32,
        bits: u128,
        inside: bool,
    ) {
        if !data.at.logged || !self.options.races {
            return;
        }
        self.log_element(block, thread, data, start, start, site, bits, inside);
        if !self.conflicts.is_empty() {
            let piece = self.piece(thread, data, start, start, site, 0);
            self.note_conflicts(data.at.array, &piece);
        }
    }

    fn piece(
        &self,
        actor: u32,
        data: &AccessData,
        start: u64,
        offset: u64,
        site: u32,
        value: u64,
    ) -> Piece {
        let start = if data.len > LONGEST_LOGGED { offset } else { start };
        Piece { actor, site, kind: data.kind, start, offset, len: data.element.min(8), value }
    }

    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn log_element(
        &mut self,
        block: &mut BlockLocal,
        thread: u32,
        data: &AccessData,
        start: u64,
        offset: u64,
        site: u32,
        bits: u128,
        inside: bool,
    ) {
        if !inside && !self.element_is_inside(block, data, offset) {
            return;
        }
        let mut piece = self.piece(thread, data, start, offset, site, bits as u64);
        self.log_piece(block, thread, data.at.place, &piece);
        if data.element > 8 {
            piece.offset += 8;
            piece.len = data.element - 8;
            piece.value = (bits >> 64) as u64;
            self.log_piece(block, thread, data.at.place, &piece);
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
            thread.private[n as usize].as_deref_mut().expect("made by `prepare` before any use")
        }
    }
}

/// What an atomic operation stores.
fn atomic_result(op: AtomicOp, ty: Type, old: u128, args: &[u128], width: u8) -> u128 {
    let x = args.first().copied().unwrap_or(0);
    let (a, b) = (old as u64, x as u64);
    match (op, ty) {
        (AtomicOp::FAdd, Type::Float(ty)) => {
            u128::from(float::binary(duet_ir::BinaryOp::FAdd, ty, a, b))
        }
        (AtomicOp::FMin, Type::Float(ty)) => u128::from(float::min_max(ty, a, b, false)),
        (AtomicOp::FMax, Type::Float(ty)) => u128::from(float::min_max(ty, a, b, true)),
        (AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax, _) => old,
        _ => eval::atomic(op, old, args, width),
    }
}
