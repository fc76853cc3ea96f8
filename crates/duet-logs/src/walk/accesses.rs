//! Memory: what loads yield, and how accesses are logged and checked.
//!
//! The first thread logs an access, then the second one checks the same access against the
//! log. Two accesses of which the first thread's comes later in lock step are not compared
//! here; they are when the threads change places, and both orders of every pair are covered
//! because the two threads are arbitrary.
//!
//! What a load yields, by the array:
//!
//! | array | value |
//! |---|---|
//! | private | what the thread stored last |
//! | never written | one function of the offset (of the block, if it is shared memory) |
//! | written, two threads of a block | a function of the offset, a new one after each write, barrier and loop: between barriers a cell that one thread reads is changed by nobody else, or there is a race |
//! | any other | anything |

use super::instructions::{add_defect, unknown_results};
use duet_ir::{Access, Array, Inst, InstData, MemoryScope, Rule, Space, Type, Value};
use duet_smt::{IndexSort, Sort, TermId};
use duet_vc::ops;

use super::{Lockstep, Row, Version};
use crate::log::{Entry, Key, Kind};
use crate::options::{Abstraction, Instrumenter};

/// An access has at most so many elements of which the values are compared.
const MAX_PIECES: u32 = 16;

/// What an instruction accesses, for each thread.
struct Accessed {
    inst: Inst,
    key: Key,
    offsets: Vec<TermId>,
    bytes: u32,
    /// What each thread writes, element by element; empty if that is not known.
    written: Vec<Vec<TermId>>,
}

/// The kind of an access for races in a row; none if it is not logged there.
pub(crate) fn kind_in(lockstep: &Lockstep<'_>, inst: Inst) -> Option<(Key, u32)> {
    let facts = lockstep.setting.facts;
    let data = &facts.func.insts[inst];
    let (mode, access) = data.accesses().into_iter().next()?;
    let kind = Kind::of(mode)?;
    let array = &facts.module.arrays[access.array];
    let is_apart = array.space == Space::Shared && lockstep.row == Row::Grid;
    if access.ghost || array.space == Space::Private || is_apart || lockstep.row == Row::Alone {
        return None;
    }
    if lockstep.setting.options.read_only_arrays && facts.uses.is_never_written(access.array) {
        return None;
    }
    let (bytes, kind) = match data {
        InstData::Load { ty, lanes, .. } => (ty.bytes()? * lanes, kind),
        InstData::Store { values, .. } => {
            let ty = facts.func.type_of(*values.first()?);
            (ty.bytes()? * values.len() as u32, kind)
        }
        InstData::Atomic { scope, ty, .. } => {
            let bytes = ty.bytes()?;
            // SOUNDNESS: operations on different bytes, or of threads outside of the scope,
            // are not atomic to each other (test `wrong_kernels_are_never_proved`).
            let is_narrow = *scope == MemoryScope::Block && lockstep.row == Row::Grid;
            let is_plain = is_narrow || bytes != array.granule;
            let plain = if kind == Kind::AtomicRead { Kind::Read } else { Kind::Write };
            (bytes, if is_plain { plain } else { kind })
        }
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
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => return None,
    };
    Some(((access.array, kind), bytes))
}

pub(crate) fn load_access(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    access: &Access,
    ty: Type,
    lanes: u32,
    reach: &[TermId],
) {
    in_bounds(walk, inst, access, ty.bytes().unwrap_or(1) * lanes, reach);
    log_and_check(walk, inst, access, &[], reach);
    let results = walk.setting.facts.func.results_of[inst].clone();
    for thread in 0..walk.threads.len() {
        let offset = walk.term(thread, access.offset);
        for (lane, &result) in results.iter().enumerate() {
            let place = further(walk, offset, lane as u32 * ty.bytes().unwrap_or(1));
            let term = contents_at(walk, thread, access, place, ty);
            let term = term.unwrap_or_else(|| walk.unknown(result));
            walk.define(thread, result, term);
        }
    }
}

pub(crate) fn store_access(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    access: &Access,
    values: &[Value],
    reach: &[TermId],
) {
    let Some(&first) = values.first() else { return };
    let ty = walk.setting.facts.func.type_of(first);
    let size = ty.bytes().unwrap_or(1);
    in_bounds(walk, inst, access, size * values.len() as u32, reach);
    log_and_check(walk, inst, access, values, reach);
    if walk.setting.facts.module.arrays[access.array].space != Space::Private {
        change_array(walk, access.array);
        return;
    }
    for (thread, &here) in reach.iter().enumerate() {
        let offset = walk.term(thread, access.offset);
        for (lane, &value) in values.iter().enumerate() {
            let place = further(walk, offset, lane as u32 * size);
            let value = walk.term(thread, value);
            store_private(walk, thread, access.array, place, value, ty, here);
        }
    }
}

pub(crate) fn atomic_access(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    access: &Access,
    ty: Type,
    reach: &[TermId],
) {
    in_bounds(walk, inst, access, ty.bytes().unwrap_or(1), reach);
    log_and_check(walk, inst, access, &[], reach);
    match walk.setting.facts.module.arrays[access.array].space {
        Space::Private => forget_private(walk, access.array),
        Space::Global | Space::Constant | Space::Shared => change_array(walk, access.array),
    }
    unknown_results(walk, inst);
}

/// An access must stay inside its array, where that is to be checked.
pub(crate) fn in_bounds(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    access: &Access,
    bytes: u32,
    reach: &[TermId],
) {
    let size = walk.setting.sizes.get(&access.array).copied();
    let Some(size) = size.filter(|_| walk.row == Row::Alone && !walk.is_ghost) else { return };
    let offset = walk.term(0, access.offset);
    let width = walk.pool.width(offset);
    let fits = match size.map(|size| size.checked_sub(u64::from(bytes))) {
        Some(Some(last)) => {
            let last = walk.pool.bv(width, u128::from(last));
            walk.pool.compare().ule(offset, last)
        }
        // The access is longer than the array.
        Some(None) => walk.pool.ff(),
        None => {
            let zero = walk.pool.bv(width, 0);
            walk.pool.compare().sge(offset, zero)
        }
    };
    let goal = vec![walk.is_here(0, reach[0]), walk.pool.not(fits)];
    add_defect(walk, Rule::OutOfBounds, vec![inst], goal, None);
}

/// An offset so many bytes further.
pub(crate) fn further(walk: &mut Lockstep<'_>, offset: TermId, bytes: u32) -> TermId {
    let width = walk.pool.width(offset);
    let distance = walk.pool.bv(width, u128::from(bytes));
    walk.pool.bits().add(offset, distance)
}

/// What a thread finds in memory, if anything is known of it.
pub(crate) fn contents_at(
    walk: &mut Lockstep<'_>,
    thread: usize,
    access: &Access,
    offset: TermId,
    ty: Type,
) -> Option<TermId> {
    let facts = walk.setting.facts;
    let array = &facts.module.arrays[access.array];
    if array.space == Space::Private {
        let is_known = walk.setting.options.private_arrays;
        return is_known.then(|| load_private(walk, thread, access.array, offset, ty));
    }
    if facts.uses.is_never_written(access.array) && !access.volatile {
        let who = match array.space == Space::Shared && walk.row == Row::Grid {
            true => walk.threads[thread].terms.name.clone(),
            false => String::new(),
        };
        let name = format!("contents.of.{}{who}", access.array);
        return Some(ops::uninterpreted(walk.pool, &name, &[offset], ty));
    }
    // SOUNDNESS: what threads of other blocks or atomic operations may change is not
    // known (kernels/traps/06-global-changes), nor what a warp-mate in lock step may
    // (kernels/warp/lockstep-stale-index-bug).
    let may_be_equal = walk.row == Row::Block
        && facts.warp_sync.is_none()
        && walk.setting.options.abstraction == Abstraction::Equality
        && !facts.uses.is_touched_by_atomics(access.array)
        && !access.volatile;
    if !may_be_equal {
        return None;
    }
    let name = match walk.versions.get(&access.array) {
        Some(Version::Common(number)) => format!("contents.{}.{number}", access.array),
        Some(Version::Own(number)) => {
            let who = &walk.threads[thread].terms.name;
            format!("contents.{}.{number}{who}", access.array)
        }
        None => format!("contents.{}", access.array),
    };
    Some(ops::uninterpreted(walk.pool, &name, &[offset], ty))
}

/// An array may have changed.
pub(crate) fn change_array(walk: &mut Lockstep<'_>, array: Array) {
    walk.next_version += 1;
    let version = match walk.is_ghost && !walk.is_aligned {
        true => Version::Own(walk.next_version),
        false => Version::Common(walk.next_version),
    };
    walk.versions.insert(array, version);
}

/// All arrays that the kernel writes may have changed.
pub(crate) fn change_all(walk: &mut Lockstep<'_>) {
    let facts = walk.setting.facts;
    let written: Vec<Array> =
        facts.uses.accessed().filter(|&array| !facts.uses.is_never_written(array)).collect();
    for array in written {
        if facts.module.arrays[array].space != Space::Private {
            change_array(walk, array);
        }
    }
}

pub(crate) fn log_and_check(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    access: &Access,
    values: &[Value],
    reach: &[TermId],
) {
    let logged = walk.sites.iter().position(|site| site.inst == inst);
    let Some(number) = logged.filter(|_| !walk.is_ghost) else { return };
    walk.is_quiet = false;
    let (key, bytes) = (walk.sites[number].key, walk.sites[number].bytes);
    let offsets: Vec<TermId> =
        (0..walk.threads.len()).map(|thread| walk.term(thread, access.offset)).collect();
    let written: Vec<Vec<TermId>> = (0..walk.threads.len())
        .map(|thread| values.iter().map(|&value| walk.term(thread, value)).collect())
        .collect();
    let accessed = Accessed { inst, key, offsets, bytes, written };
    walk.step_together(inst, reach);
    log_access(walk, number, &accessed, reach[0]);
    if !walk.setting.options.only_log {
        check_access(walk, &accessed, reach[1]);
    }
    walk.step_together(inst, reach);
}

/// The first thread's access goes to the log.
fn log_access(walk: &mut Lockstep<'_>, number: usize, accessed: &Accessed, reach: TermId) {
    let Some(mut entry) = walk.log.get(&accessed.key).cloned() else { return };
    let here = walk.is_here(0, reach);
    let own = accessed.offsets[0];
    let hit = match walk.setting.options.instrumenter {
        Instrumenter::WatchdogSingle | Instrumenter::WatchdogMultiple => {
            let covered = covers(walk, own, accessed.bytes, accessed.key.0, entry.offset);
            walk.pool.and2(here, covered)
        }
        Instrumenter::Original => {
            let chosen = walk.unknown_truth("logged");
            let hit = walk.pool.and2(here, chosen);
            let element = some_element(walk, own, accessed);
            entry.offset = walk.pool.ite(hit, element, entry.offset);
            hit
        }
    };
    remember(walk, &mut entry, number, accessed, hit);
    walk.log.insert(accessed.key, entry);
}

/// Some element of an access: all of them are logged by one choice or another.
fn some_element(walk: &mut Lockstep<'_>, offset: TermId, accessed: &Accessed) -> TermId {
    let granule = walk.setting.facts.module.arrays[accessed.key.0].granule.max(1);
    if accessed.bytes == granule {
        return offset;
    }
    let width = walk.pool.width(offset);
    let distance = walk.pool.fresh("element", Sort::BitVec(width));
    let bytes = walk.pool.bv(width, u128::from(accessed.bytes));
    let is_inside = walk.pool.compare().ult(distance, bytes);
    walk.known.push(is_inside, None);
    walk.pool.bits().add(offset, distance)
}

fn remember(
    walk: &mut Lockstep<'_>,
    entry: &mut Entry,
    number: usize,
    accessed: &Accessed,
    hit: TermId,
) {
    let value = value_at(walk, accessed, 0, entry.offset);
    match walk.setting.options.instrumenter {
        Instrumenter::WatchdogSingle | Instrumenter::WatchdogMultiple => {
            let same = walk.pool.eq(value, entry.value);
            let valued = walk.pool.and2(hit, same);
            entry.valued = walk.pool.or2(entry.valued, valued);
            entry.flag = walk.pool.or2(entry.flag, hit);
        }
        Instrumenter::Original => {
            entry.value = walk.pool.ite(hit, value, entry.value);
            entry.flag = walk.pool.or2(entry.flag, hit);
            entry.valued = entry.flag;
        }
    }
    let number = walk.pool.bv(16, number as u128);
    entry.site = walk.pool.ite(hit, number, entry.site);
    let loops = walk.inside.clone();
    for id in loops {
        let header = walk.setting.facts.loops.data(id).header;
        for &param in &walk.setting.facts.func.blocks[header].params {
            if let Some(&old) = entry.params.get(&param) {
                let now = walk.term(0, param);
                entry.params.insert(param, walk.pool.ite(hit, now, old));
            }
        }
        if let (Some(&old), Some(&now)) = (entry.visits.get(&id), walk.current_visits.get(&id)) {
            entry.visits.insert(id, walk.pool.ite(hit, now, old));
        }
    }
}

/// The second thread's access must not meet what is logged.
fn check_access(walk: &mut Lockstep<'_>, accessed: &Accessed, reach: TermId) {
    let here = walk.is_here(1, reach);
    let kind = accessed.key.1;
    let array = accessed.key.0;
    for first in [Kind::Read, Kind::Write, Kind::Atomic, Kind::AtomicRead] {
        let Some(entry) = walk.log.get(&(array, first)).cloned() else { continue };
        if !first.races_with(kind) || walk.pool.as_bool(entry.flag) == Some(false) {
            continue;
        }
        let covered = covers(walk, accessed.offsets[1], accessed.bytes, array, entry.offset);
        let goal = vec![here, entry.flag, covered];
        let rule = match (first, kind) {
            (Kind::Write, Kind::Write) => Rule::WriteWriteRace,
            (Kind::Read, Kind::Write) | (Kind::Write, Kind::Read) => Rule::ReadWriteRace,
            (Kind::Atomic | Kind::AtomicRead, _) | (_, Kind::Atomic | Kind::AtomicRead) => {
                Rule::AtomicRace
            }
            (Kind::Read, Kind::Read) => continue,
        };
        let benign = (first, kind) == (Kind::Write, Kind::Write)
            && walk.setting.tolerates_benign
            && !accessed.written[1].is_empty();
        let tolerated = benign.then(|| {
            let value = value_at(walk, accessed, 1, entry.offset);
            let differs = walk.pool.ne(value, entry.value);
            (Rule::BenignWriteWriteRace, vec![entry.valued, differs])
        });
        report_race(walk, rule, (array, first), entry.site, accessed.inst, goal, tolerated);
    }
}

pub(crate) fn report_race(
    walk: &mut Lockstep<'_>,
    rule: Rule,
    first: Key,
    site: TermId,
    second: Inst,
    goal: Vec<TermId>,
    tolerated: Option<(Rule, Vec<TermId>)>,
) {
    add_defect(walk, rule, vec![second], goal, tolerated);
    if let Some(last) = walk.obligations.last_mut() {
        last.logged = Some((first, site));
    }
}

/// Does an access cover an offset? SOUNDNESS: all accesses to an array are of whole
/// elements at multiples of their size, so a single element is covered at its start
/// only (kernels/traps/14-partial-overlap).
pub(crate) fn covers(
    walk: &mut Lockstep<'_>,
    offset: TermId,
    bytes: u32,
    array: Array,
    watched: TermId,
) -> TermId {
    if bytes == walk.setting.facts.module.arrays[array].granule {
        return walk.pool.eq(offset, watched);
    }
    let width = walk.pool.width(offset);
    let distance = walk.pool.bits().sub(watched, offset);
    let bytes = walk.pool.bv(width, u128::from(bytes));
    walk.pool.compare().ult(distance, bytes)
}

/// What an access writes to the element at an offset that it covers.
fn value_at(
    walk: &mut Lockstep<'_>,
    accessed: &Accessed,
    thread: usize,
    watched: TermId,
) -> TermId {
    let granule = walk.setting.facts.module.arrays[accessed.key.0].granule.max(1);
    let width = 8 * granule;
    let unknown = walk.pool.fresh("written", Sort::BitVec(width));
    let values = &accessed.written[thread];
    let pieces = accessed.bytes / granule;
    if values.is_empty() || pieces > MAX_PIECES || !accessed.bytes.is_multiple_of(granule) {
        return unknown;
    }
    let size = accessed.bytes / values.len() as u32;
    let mut parts = vec![];
    for (lane, &value) in values.clone().iter().enumerate() {
        let bits = ops::to_bits(walk.pool, value);
        let bits = walk.pool.bits().zext_or_trunc(bits, 8 * size);
        for piece in 0..size / granule {
            let low = piece * width;
            let part = walk.pool.bits().extract(low + width - 1, low, bits);
            let place =
                further(walk, accessed.offsets[thread], lane as u32 * size + piece * granule);
            parts.push((place, part));
        }
    }
    let Some((&(_, last), rest)) = parts.split_last() else { return unknown };
    let rest = rest.to_vec();
    rest.iter().rev().fold(last, |term, &(place, part)| {
        let is_here = walk.pool.eq(place, watched);
        walk.pool.ite(is_here, part, term)
    })
}

pub(crate) fn private_contents(walk: &mut Lockstep<'_>, thread: usize, array: Array) -> TermId {
    if let Some(&contents) = walk.threads[thread].private.get(&array) {
        return contents;
    }
    let contents = unknown_private(walk, array);
    walk.threads[thread].private.insert(array, contents);
    contents
}

pub(crate) fn unknown_private(walk: &mut Lockstep<'_>, array: Array) -> TermId {
    let module = walk.setting.facts.module;
    let element = 8 * module.arrays[array].granule.max(1);
    let index = IndexSort::BitVec(u32::from(module.pointer_width));
    walk.pool.fresh("private", Sort::Array { index, element })
}

/// Nothing is known of a private array any more.
pub(crate) fn forget_private(walk: &mut Lockstep<'_>, array: Array) {
    for thread in 0..walk.threads.len() {
        let contents = unknown_private(walk, array);
        walk.threads[thread].private.insert(array, contents);
    }
}

pub(crate) fn load_private(
    walk: &mut Lockstep<'_>,
    thread: usize,
    array: Array,
    offset: TermId,
    ty: Type,
) -> TermId {
    let granule = walk.setting.facts.module.arrays[array].granule.max(1);
    let contents = private_contents(walk, thread, array);
    let bytes = ty.bytes().unwrap_or(1);
    let mut bits = walk.pool.select(contents, offset);
    for piece in 1..bytes.div_ceil(granule) {
        let place = further(walk, offset, piece * granule);
        let high = walk.pool.select(contents, place);
        bits = walk.pool.bits().concat(high, bits);
    }
    let width = ty.bits().unwrap_or(32);
    let cut = walk.pool.bits().zext_or_trunc(bits, width);
    ops::from_bits(walk.pool, cut, ty)
}

pub(crate) fn store_private(
    walk: &mut Lockstep<'_>,
    thread: usize,
    array: Array,
    offset: TermId,
    value: TermId,
    ty: Type,
    reach: TermId,
) {
    let granule = walk.setting.facts.module.arrays[array].granule.max(1);
    let bytes = ty.bytes().unwrap_or(1);
    let before = private_contents(walk, thread, array);
    let bits = ops::to_bits(walk.pool, value);
    let bits = walk.pool.bits().zext_or_trunc(bits, 8 * bytes.max(granule));
    let mut contents = before;
    for piece in 0..bytes.div_ceil(granule) {
        let low = piece * granule * 8;
        let part = walk.pool.bits().extract(low + granule * 8 - 1, low, bits);
        let place = further(walk, offset, piece * granule);
        contents = walk.pool.store(contents, place, part);
    }
    let merged = walk.pool.ite(reach, contents, before);
    walk.threads[thread].private.insert(array, merged);
}
