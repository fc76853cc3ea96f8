//! The race log of a run: what orders accesses across the grid, and the conflicts of the
//! access at hand. The accesses themselves are kept with each array (`Shadow`).

use duet_ir::{Array, InstData, MemoryOrder, Module, Rule};

use crate::decode::{Place, Program};
use crate::execute::lockstep::LockStep;
use crate::execute::memory::Memory;
use crate::execute::recorder::Recorder;
use crate::execute::thread::BlockLocal;
use crate::interface::findings::*;
use crate::interface::launch::Launch;
use crate::interface::outcome::{Limit, Status};
use crate::races::clocks::{Clocks, Home, Reach, Strong};
use crate::races::order::{BitSet, GridOrder, Now, Waits};
use crate::races::shadow::{COPY, Conflict, Context, Piece};

/// What decides whether two accesses are ordered, beyond what each block keeps.
pub(crate) struct RaceLog<'a> {
    module: &'a Module,
    pub(crate) order: GridOrder,
    /// Who has waited for each copy.
    pub(crate) waits: Vec<Waits>,
    /// The first thread that called for each copy.
    callers: Vec<u32>,
    /// Blocks that have ended.
    pub(crate) ended: BitSet,
    /// A grid barrier was passed by only some of the threads.
    pub(crate) partial_grid: bool,
    /// Pairs of accesses in conflict that may still be seen.
    conflicts_left: u64,
    /// Conflicts of the access at hand.
    pub(crate) conflicts: Vec<Conflict>,
    block_threads: u32,
    single_block: bool,
    /// What fences and flags order, in kernels that have fences.
    clocks: Option<Clocks>,
}

impl<'a> RaceLog<'a> {
    /// Nothing happened yet.
    pub(crate) fn new(
        module: &'a Module,
        program: &Program,
        launch: &Launch,
        most_conflicts: u64,
    ) -> RaceLog<'a> {
        RaceLog {
            module,
            order: GridOrder::default(),
            waits: vec![],
            callers: vec![],
            ended: BitSet::default(),
            partial_grid: false,
            conflicts_left: most_conflicts,
            conflicts: vec![],
            block_threads: launch.threads_per_block() as u32,
            single_block: launch.blocks() == 1,
            clocks: program.has_fences.then(Clocks::default),
        }
    }

    /// A thread calls for a copy, which gets the next number.
    pub(crate) fn start_copy(&mut self, caller: u32) {
        self.callers.push(caller);
        self.waits.push(Waits::default());
    }

    /// A thread passes a fence; `false` when stamps run out.
    pub(crate) fn fence(
        &mut self,
        thread: u32,
        block: u32,
        (reach, order): (Reach, MemoryOrder),
    ) -> bool {
        let Some(time) = self.order.tick() else { return false };
        if let Some(clocks) = &mut self.clocks {
            clocks.fence(thread, block, (reach, order), time);
        }
        true
    }

    /// Threads, given with their blocks, pass a barrier with this stamp.
    pub(crate) fn pass_barrier(&mut self, members: impl Iterator<Item = (u32, u32)>, time: u32) {
        if let Some(clocks) = &mut self.clocks {
            clocks.barrier(&members.collect::<Vec<_>>(), time);
        }
    }

    /// An atomic operation that acquires is about to read a flag.
    #[inline]
    pub(crate) fn acquire(&mut self, access: impl FnOnce() -> Strong) {
        if let Some(clocks) = &mut self.clocks {
            clocks.acquire(&access());
        }
    }

    /// A flag is read or written, or bytes that may have been one are written; `false` when
    /// stamps run out.
    #[inline]
    pub(crate) fn note_flag(&mut self, access: impl FnOnce() -> Strong, is_strong: bool) -> bool {
        let Some(clocks) = &mut self.clocks else { return true };
        let access = access();
        if !is_strong {
            if access.writes {
                clocks.weak_write(access.home, access.offset, access.len);
            }
            return true;
        }
        if access.order == MemoryOrder::Relaxed {
            clocks.strong(&access);
            return true;
        }
        let Some(time) = self.order.tick() else { return false };
        clocks.ordered(&access, time);
        true
    }

    /// Logs a piece from the point of view of `thread`; conflicts are appended to
    /// those of the access at hand.
    #[inline]
    pub(crate) fn log_piece(
        &mut self,
        memory: &mut Memory,
        block: &mut BlockLocal,
        thread: u32,
        place: Place,
        piece: &Piece,
    ) {
        let BlockLocal { shared, order, first, .. } = block;
        let instance = match place {
            Place::Global(n) => &mut memory.globals[n as usize],
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
            // Threads that have ended may be known to some and not to others.
            may_prune: !self.partial_grid && self.clocks.is_none(),
        };
        shadow.touch(piece, &context, &mut memory.budget, &mut self.conflicts);
    }

    /// Notes the conflicts of the access at hand, of which `piece` is the last
    /// part. With one earlier access a pair of writes is benign only if no part
    /// disagrees.
    #[cold]
    pub(crate) fn note_conflicts(
        &mut self,
        recorder: &mut Recorder,
        lock_step: Option<&LockStep>,
        (array, home): (Array, Option<Home>),
        piece: &Piece,
    ) {
        let mut conflicts = std::mem::take(&mut self.conflicts);
        if let Some(clocks) = &self.clocks {
            conflicts.retain(|c| {
                let writer = (c.old.actor, c.old.site);
                let is_observed = home.is_some_and(|home| {
                    clocks.has_observed(piece.actor, (home, c.old_start), writer)
                });
                !is_observed && !clocks.is_after(piece.actor, c.old.actor, c.old.time)
            });
        }
        if let Some(state) = lock_step {
            let size = self.block_threads;
            conflicts.retain(|c| !state.are_in_step(c.old.actor, piece.actor, size));
        }
        self.conflicts_left = self.conflicts_left.saturating_sub(conflicts.len() as u64);
        if self.conflicts_left == 0 && recorder.stop.is_none() {
            recorder.stop = Some(Status::DidNotFinish(Limit::Conflicts));
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
            if !recorder.findings.count(key) {
                let race = self.race(recorder, array, piece, conflict);
                let kind =
                    if conflict.benign { FindingKind::BenignRace } else { FindingKind::Race };
                recorder.findings.note(key, || kind(race));
            }
        }
        conflicts.clear();
        self.conflicts = conflicts;
    }

    fn race(&self, recorder: &Recorder, array: Array, piece: &Piece, conflict: &Conflict) -> Race {
        let side = |actor, site, kind: AccessKind, offset, value| {
            let site = recorder.program.site(site);
            let len = access_len(self.module, site);
            let value = kind.writes().then_some(value);
            RaceSide { actor: self.actor(recorder, actor), site, kind, offset, len, value }
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

    fn actor(&self, recorder: &Recorder, actor: u32) -> Actor {
        if actor & COPY == 0 {
            return Actor::Thread(recorder.position(actor));
        }
        Actor::Copy(recorder.position(self.callers[(actor & !COPY) as usize]))
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
