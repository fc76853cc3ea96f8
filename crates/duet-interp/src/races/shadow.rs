//! The race log: for each cell of an array instance, the accesses that a later
//! one may race with.
//!
//! A cell is a granule, or a power of two of at most 8 bytes that divides it. An
//! access leaves a record in every cell that it touches and is compared with the
//! records there: reads with writes only, since two reads never race.
//!
//! What is kept, per cell, thread, instruction and bytes: the latest record, and
//! for writes the latest one with another value. That is enough to find every
//! racing pair of instructions: if an earlier access is unordered with a new one
//! then so is a later access of the same thread (fewer barriers lie between),
//! and of two different values at least one differs from the new one. Of blocks
//! that have ended only as many records stay as an access of any other block,
//! writing any value, could need (see [`stands_for`]); so a cell's log is bounded
//! by the live threads and the instructions, not by the length of the run.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use crate::interface::findings::AccessKind;
use crate::memory::Budget;
use crate::races::clocks::Reach;
use crate::races::order::{BitSet, Fenced, Now, Waits};

/// Cells of a page.
const PAGE: u64 = 64;
/// Marks the numbers of asynchronous copies among those of threads.
pub(crate) const COPY: u32 = 1 << 31;
/// No thread.
const NOBODY: u32 = u32::MAX;
/// Length at which a list of records is first cleaned up.
const FIRST_CLEANUP: usize = 32;

/// The kind of an access in one byte: [`AccessKind`], whether its atomicity ends
/// at the block, whether it is volatile, and for atomic and volatile ones the logarithm of
/// their length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind(u8);

impl Kind {
    pub(crate) const READ: Kind = Kind(0);
    pub(crate) const WRITE: Kind = Kind(1);

    /// An atomic operation on `len` bytes.
    pub(crate) fn atomic(writes: bool, block_scope: bool, len: u32) -> Kind {
        Kind(2 | u8::from(writes) | u8::from(block_scope) << 2 | (len.ilog2() as u8) << 3)
    }

    /// The same as a strong access that is not atomic, to `len` bytes.
    pub(crate) fn volatile(self, len: u32) -> Kind {
        Kind(self.0 | 1 << 6 | (len.ilog2() as u8) << 3)
    }

    /// Atomic or volatile: what it conflicts with is no race if that is strong too.
    pub(crate) fn is_strong(self) -> bool {
        self.is_atomic() || self.0 >> 6 & 1 == 1
    }

    /// Who it is strong for.
    pub(crate) fn reach(self) -> Reach {
        if self.block_scope() { Reach::Block } else { Reach::Device }
    }

    pub(crate) fn access_kind(self) -> AccessKind {
        match self.0 & 3 {
            0 => AccessKind::Read,
            1 => AccessKind::Write,
            2 => AccessKind::AtomicRead,
            _ => AccessKind::AtomicWrite,
        }
    }

    fn writes(self) -> bool {
        self.0 & 1 == 1
    }

    fn is_atomic(self) -> bool {
        self.0 & 2 == 2
    }

    fn block_scope(self) -> bool {
        self.0 & 4 == 4
    }

    fn strong_len(self) -> u8 {
        self.0 >> 3 & 7
    }
}

/// What is remembered of an access in one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// The cell's bytes as written; 0 for reads.
    pub(crate) value: u64,
    /// Thread, or copy.
    pub(crate) actor: u32,
    /// Clock at the time.
    pub(crate) time: u32,
    /// Instruction.
    pub(crate) site: u32,
    /// Bytes from the start of the access to the start of the cell (wrapping:
    /// the access may start inside the cell).
    back: i16,
    /// The bytes of the cell that are touched.
    mask: u8,
    pub(crate) kind: Kind,
}

impl Record {
    const EMPTY: Record =
        Record { value: 0, actor: NOBODY, time: 0, site: 0, back: 0, mask: 0, kind: Kind::READ };

    /// Same thread, instruction and bytes?
    fn same_place(&self, other: &Record) -> bool {
        self.actor == other.actor
            && self.site == other.site
            && self.back == other.back
            && self.mask == other.mask
    }

    fn is_copy(&self) -> bool {
        self.actor & COPY != 0
    }
}

/// A piece of at most 8 bytes of an access.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    /// Thread, or copy.
    pub(crate) actor: u32,
    pub(crate) site: u32,
    pub(crate) kind: Kind,
    /// First byte of the whole access.
    pub(crate) start: u64,
    /// First byte of the piece.
    pub(crate) offset: u64,
    /// Bytes of the piece.
    pub(crate) len: u32,
    /// What it writes.
    pub(crate) value: u64,
}

/// A conflict of a piece with an earlier access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    /// The earlier access, and where it starts.
    pub(crate) old: Record,
    pub(crate) old_start: u64,
    /// The bytes in conflict, and what was written to them.
    pub(crate) overlap: (u64, u32),
    pub(crate) old_value: u64,
    pub(crate) new_value: u64,
    /// Two writes of the same bytes?
    pub(crate) benign: bool,
}

/// What the log must know of the run.
pub(crate) struct Context<'a> {
    pub(crate) now: Now<'a>,
    /// For each copy, who has waited for it.
    pub(crate) waits: &'a [Waits],
    /// Blocks that have ended.
    pub(crate) ended: &'a BitSet,
    /// No grid barrier was passed by only some of the threads.
    pub(crate) may_prune: bool,
}

impl Context<'_> {
    /// Is a record ordered before all that can follow? `settled` is the stamp of
    /// the latest barrier with every thread that can reach the array: what was
    /// done, or a copy that was waited for, before it is past.
    #[inline]
    fn is_settled(&self, record: &Record, settled: u32) -> bool {
        if record.is_copy() && record.actor != NOBODY {
            return self.waits[(record.actor & !COPY) as usize].before(settled);
        }
        record.time < settled
    }
}

/// The log of one array instance.
#[derive(Debug)]
pub(crate) struct Shadow {
    space: Fenced,
    /// Logarithm of the cell size.
    log2: u32,
    dense: Vec<Option<Box<[Cell]>>>,
    /// Pages from [`DENSE_PAGES`] on.
    sparse: FxHashMap<u64, Box<[Cell]>>,
}

/// Pages below this number are found by index.
const DENSE_PAGES: u64 = 1 << 18;

#[derive(Clone, Debug)]
struct Cell {
    /// The only record, while there is one.
    head: Record,
    more: Option<Box<Lists>>,
}

#[derive(Clone, Default, Debug)]
struct Lists {
    reads: Vec<Record>,
    writes: Vec<Record>,
    /// Largest stamp of all records.
    newest: u32,
    /// Is a copy among them?
    copies: bool,
    cleanup_reads: usize,
    cleanup_writes: usize,
}

impl Shadow {
    pub(crate) fn new(space: Fenced, granule: u32) -> Shadow {
        let log2 = granule.max(1).trailing_zeros().min(3);
        Shadow { space, log2, dense: vec![], sparse: FxHashMap::default() }
    }

    /// Logs a piece of an access and appends its conflicts.
    pub(crate) fn touch(
        &mut self,
        piece: &Piece,
        context: &Context<'_>,
        budget: &mut Budget,
        conflicts: &mut Vec<Conflict>,
    ) {
        let (log2, space) = (self.log2, self.space);
        let end = piece.offset + u64::from(piece.len);
        for number in piece.offset >> log2..=(end - 1) >> log2 {
            let base = number << log2;
            let record = record_in_cell(piece, base, 1 << log2, context.now.grid.clock);
            let cell = &mut self.page(number, budget)[(number % PAGE) as usize];
            cell.touch(record, base, space, context, conflicts);
        }
    }

    fn page(&mut self, cell: u64, budget: &mut Budget) -> &mut [Cell] {
        let number = cell / PAGE;
        if number < DENSE_PAGES {
            let index = number as usize;
            if index >= self.dense.len() {
                self.dense.resize(index + 1, None);
            }
            return self.dense[index].get_or_insert_with(|| new_page(budget));
        }
        self.sparse.entry(number).or_insert_with(|| new_page(budget))
    }
}

fn new_page(budget: &mut Budget) -> Box<[Cell]> {
    budget.take(PAGE * std::mem::size_of::<Cell>() as u64);
    vec![Cell { head: Record::EMPTY, more: None }; PAGE as usize].into_boxed_slice()
}

/// The part of a piece that lies in the cell at `base`.
#[inline]
fn record_in_cell(piece: &Piece, base: u64, size: u64, time: u32) -> Record {
    let from = piece.offset.max(base);
    let to = (piece.offset + u64::from(piece.len)).min(base + size);
    let (within, len) = ((from - base) as u32, (to - from) as u32);
    let value = if piece.kind.writes() {
        cut(piece.value >> (8 * (from - piece.offset)), len) << (8 * within)
    } else {
        0
    };
    Record {
        value,
        actor: piece.actor,
        time,
        site: piece.site,
        back: base.wrapping_sub(piece.start) as i16,
        mask: (((1u16 << len) - 1) << within) as u8,
        kind: piece.kind,
    }
}

/// The low `len` bytes.
fn cut(value: u64, len: u32) -> u64 {
    if len >= 8 { value } else { value & ((1 << (8 * len)) - 1) }
}

impl Cell {
    #[inline]
    fn touch(
        &mut self,
        new: Record,
        base: u64,
        space: Fenced,
        context: &Context<'_>,
        conflicts: &mut Vec<Conflict>,
    ) {
        if self.more.is_some() {
            return self.touch_lists(new, base, space, context, conflicts);
        }
        let head = &mut self.head;
        let settled = context.is_settled(head, context.now.settled(space));
        let again = head.same_place(&new) && head.value == new.value;
        if head.actor == NOBODY || settled || again {
            *head = new;
            return;
        }
        compare(head, &new, base, space, context, conflicts);
        let mut lists = Box::<Lists>::default();
        lists.push(*head, context);
        lists.push(new, context);
        self.more = Some(lists);
    }

    fn touch_lists(
        &mut self,
        new: Record,
        base: u64,
        space: Fenced,
        context: &Context<'_>,
        conflicts: &mut Vec<Conflict>,
    ) {
        let Some(lists) = &mut self.more else { return };
        if lists.is_settled(context, context.now.settled(space)) {
            self.head = new;
            self.more = None;
            return;
        }
        if lists.has_same(&new) {
            return; // accesses in between were compared with that record
        }
        for old in &lists.writes {
            compare(old, &new, base, space, context, conflicts);
        }
        if new.kind.writes() {
            for old in &lists.reads {
                compare(old, &new, base, space, context, conflicts);
            }
        }
        lists.push(new, context);
    }
}

impl Lists {
    fn list(&mut self, kind: Kind) -> (&mut Vec<Record>, &mut usize) {
        if kind.writes() {
            (&mut self.writes, &mut self.cleanup_writes)
        } else {
            (&mut self.reads, &mut self.cleanup_reads)
        }
    }

    /// Is every record ordered before all that can follow?
    fn is_settled(&self, context: &Context<'_>, settled: u32) -> bool {
        let all = |list: &[Record]| list.iter().all(|record| context.is_settled(record, settled));
        self.newest < settled && (!self.copies || all(&self.reads) && all(&self.writes))
    }

    /// Is the very same record among the last few?
    fn has_same(&mut self, new: &Record) -> bool {
        let (list, _) = self.list(new.kind);
        list.iter().rev().take(8).any(|old| old == new)
    }

    /// Adds a record, in the place of one that it makes useless if that is found
    /// soon; the rest waits for the next cleanup.
    fn push(&mut self, new: Record, context: &Context<'_>) {
        self.newest = self.newest.max(new.time);
        self.copies |= new.is_copy();
        let (list, cleanup) = self.list(new.kind);
        if replace_recent(list, &new) {
            return;
        }
        list.push(new);
        if list.len() > (*cleanup).max(FIRST_CLEANUP) {
            clean_up(list, context);
            *cleanup = 2 * list.len();
        }
    }
}

/// Puts a record in the place of one among the last few that it makes useless:
/// the same with an older stamp, or the older one of two with other values.
fn replace_recent(list: &mut [Record], new: &Record) -> bool {
    let recent = list.len().saturating_sub(8);
    let mut others = [None; 2];
    for (n, old) in list.iter_mut().enumerate().skip(recent) {
        if !old.same_place(new) {
            continue;
        }
        if old.value == new.value {
            old.time = new.time;
            return true;
        }
        others = [others[1], Some((old.time, n))];
    }
    let [Some(a), Some(b)] = others else { return false };
    list[a.min(b).1] = *new;
    true
}

/// Appends a conflict if the two records race.
#[inline]
fn compare(
    old: &Record,
    new: &Record,
    base: u64,
    space: Fenced,
    context: &Context<'_>,
    conflicts: &mut Vec<Conflict>,
) {
    // What a copy does comes after what its caller did before.
    let own = old.actor == new.actor || old.actor == context.now.thread;
    let overlap = old.mask & new.mask;
    if own || overlap == 0 || !(old.kind.writes() || new.kind.writes()) {
        return;
    }
    if are_morally_strong(old, new, base, &context.now) || is_ordered(old, space, context) {
        return;
    }
    let from = overlap.trailing_zeros();
    let len = (overlap >> from).trailing_ones();
    let bytes = |record: &Record| cut(record.value >> (8 * from), len);
    let plain = !old.kind.is_atomic() && !new.kind.is_atomic();
    let both_write = old.kind.writes() && new.kind.writes();
    conflicts.push(Conflict {
        old: *old,
        old_start: base.wrapping_sub(old.back as i64 as u64),
        overlap: (base + u64::from(from), len),
        old_value: bytes(old),
        new_value: bytes(new),
        benign: plain && both_write && bytes(old) == bytes(new),
    });
}

/// Both strong, on the same bytes of an aligned word, each inside the other's scope?
fn are_morally_strong(old: &Record, new: &Record, base: u64, now: &Now<'_>) -> bool {
    let same_bytes = old.back == new.back && old.kind.strong_len() == new.kind.strong_len();
    let start = base.wrapping_sub(old.back as i64 as u64);
    let is_aligned = start.trailing_zeros() >= u32::from(old.kind.strong_len());
    let narrow = old.kind.block_scope() || new.kind.block_scope();
    let same_block = old.actor.wrapping_sub(now.block_first) < now.block_threads;
    let atomic = old.kind.is_atomic() && new.kind.is_atomic();
    old.kind.is_strong()
        && new.kind.is_strong()
        && same_bytes
        && (atomic || is_aligned)
        && (!narrow || same_block)
}

/// Does the earlier access come before everything the current thread does now?
fn is_ordered(old: &Record, space: Fenced, context: &Context<'_>) -> bool {
    if old.is_copy() {
        return context.now.after_copy(&context.waits[(old.actor & !COPY) as usize], space);
    }
    old.time < context.now.latest(old.actor, space)
}

/// Drops records that others stand for.
fn clean_up(list: &mut Vec<Record>, context: &Context<'_>) {
    list.sort_by_key(|r| (r.site, r.back, r.mask, std::cmp::Reverse(r.time), r.actor, r.value));
    let block = |r: &Record| r.actor / context.now.block_threads;
    let ended = |r: &Record| context.may_prune && !r.is_copy() && context.ended.contains(block(r));
    let mut kept: Vec<Record> = Vec::new();
    let mut values: HashMap<u32, Vec<u64>> = HashMap::new();
    let mut gone: Vec<Record> = Vec::new();
    for &record in list.iter() {
        let new_group = kept.last().is_some_and(|last| {
            (last.site, last.back, last.mask) != (record.site, record.back, record.mask)
        });
        if new_group {
            values.clear();
            gone.clear();
        }
        // Latest first: the first two values of a thread are those to keep.
        let seen = values.entry(record.actor).or_default();
        if seen.contains(&record.value) || seen.len() == 2 {
            continue;
        }
        seen.push(record.value);
        if ended(&record) {
            if stands_for(&gone, &record, block) {
                continue;
            }
            gone.push(record);
        }
        kept.push(record);
    }
    *list = kept;
}

/// Do the records in `kept`, all later and of ended blocks, race with every
/// access that `record` races with? The other side is in some block X and writes
/// some value v (or reads); `record` matters to it if it is of another block and
/// writes something else. Then some kept record must do so too.
fn stands_for(kept: &[Record], record: &Record, block: impl Fn(&Record) -> u32) -> bool {
    let plain_write = record.kind == Kind::WRITE;
    // One more block and one more value than any that occurs.
    let blocks = kept.iter().map(|r| Some(block(r))).chain([None]);
    blocks.filter(|&x| x != Some(block(record))).all(|x| {
        let values = kept.iter().map(|r| Some(r.value)).chain([None]);
        values.filter(|&v| v != Some(record.value)).all(|v| {
            kept.iter().any(|k| Some(block(k)) != x && (!plain_write || Some(k.value) != v))
        })
    })
}
