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

impl Lockstep<'_> {
    pub(super) fn load(
        &mut self,
        inst: Inst,
        access: &Access,
        ty: Type,
        lanes: u32,
        reach: &[TermId],
    ) {
        self.in_bounds(inst, access, ty.bytes().unwrap_or(1) * lanes, reach);
        self.log_and_check(inst, access, &[], reach);
        let results = self.setting.facts.func.results_of[inst].clone();
        for thread in 0..self.threads.len() {
            let offset = self.term(thread, access.offset);
            for (lane, &result) in results.iter().enumerate() {
                let place = self.step(offset, lane as u32 * ty.bytes().unwrap_or(1));
                let term = self.contents_at(thread, access, place, ty);
                let term = term.unwrap_or_else(|| self.unknown(result));
                self.define(thread, result, term);
            }
        }
    }

    pub(super) fn store(
        &mut self,
        inst: Inst,
        access: &Access,
        values: &[Value],
        reach: &[TermId],
    ) {
        let Some(&first) = values.first() else { return };
        let ty = self.setting.facts.func.type_of(first);
        let size = ty.bytes().unwrap_or(1);
        self.in_bounds(inst, access, size * values.len() as u32, reach);
        self.log_and_check(inst, access, values, reach);
        if self.setting.facts.module.arrays[access.array].space != Space::Private {
            self.change(access.array);
            return;
        }
        for (thread, &here) in reach.iter().enumerate() {
            let offset = self.term(thread, access.offset);
            for (lane, &value) in values.iter().enumerate() {
                let place = self.step(offset, lane as u32 * size);
                let value = self.term(thread, value);
                self.store_private(thread, access.array, place, value, ty, here);
            }
        }
    }

    pub(super) fn atomic(&mut self, inst: Inst, access: &Access, ty: Type, reach: &[TermId]) {
        self.in_bounds(inst, access, ty.bytes().unwrap_or(1), reach);
        self.log_and_check(inst, access, &[], reach);
        match self.setting.facts.module.arrays[access.array].space {
            Space::Private => self.forget_private(access.array),
            Space::Global | Space::Constant | Space::Shared => self.change(access.array),
        }
        self.unknown_results(inst);
    }

    /// An access must stay inside its array, where that is to be checked.
    fn in_bounds(&mut self, inst: Inst, access: &Access, bytes: u32, reach: &[TermId]) {
        let size = self.setting.sizes.get(&access.array).copied();
        let Some(size) = size.filter(|_| self.row == Row::Alone && !self.is_ghost) else { return };
        let offset = self.term(0, access.offset);
        let width = self.pool.width(offset);
        let fits = match size.map(|size| size.checked_sub(u64::from(bytes))) {
            Some(Some(last)) => {
                let last = self.pool.bv(width, u128::from(last));
                self.pool.compare().ule(offset, last)
            }
            // The access is longer than the array.
            Some(None) => self.pool.ff(),
            None => {
                let zero = self.pool.bv(width, 0);
                self.pool.compare().sge(offset, zero)
            }
        };
        let goal = vec![self.is_here(0, reach[0]), self.pool.not(fits)];
        self.defect(Rule::OutOfBounds, vec![inst], goal, None);
    }

    /// An offset so many bytes further.
    pub fn step(&mut self, offset: TermId, bytes: u32) -> TermId {
        let width = self.pool.width(offset);
        let distance = self.pool.bv(width, u128::from(bytes));
        self.pool.bits().add(offset, distance)
    }

    /// What a thread finds in memory, if anything is known of it.
    pub fn contents_at(
        &mut self,
        thread: usize,
        access: &Access,
        offset: TermId,
        ty: Type,
    ) -> Option<TermId> {
        let facts = self.setting.facts;
        let array = &facts.module.arrays[access.array];
        if array.space == Space::Private {
            let is_known = self.setting.options.private_arrays;
            return is_known.then(|| self.load_private(thread, access.array, offset, ty));
        }
        if facts.uses.is_never_written(access.array) && !access.volatile {
            let who = match array.space == Space::Shared && self.row == Row::Grid {
                true => self.threads[thread].terms.name.clone(),
                false => String::new(),
            };
            let name = format!("contents.of.{}{who}", access.array);
            return Some(ops::uninterpreted(self.pool, &name, &[offset], ty));
        }
        // SOUNDNESS: what threads of other blocks or atomic operations may change is not
        // known (kernels/traps/06-global-changes).
        let may_be_equal = self.row == Row::Block
            && self.setting.options.abstraction == Abstraction::Equality
            && !facts.uses.is_touched_by_atomics(access.array)
            && !access.volatile;
        if !may_be_equal {
            return None;
        }
        let name = match self.versions.get(&access.array) {
            Some(Version::Common(number)) => format!("contents.{}.{number}", access.array),
            Some(Version::Own(number)) => {
                let who = &self.threads[thread].terms.name;
                format!("contents.{}.{number}{who}", access.array)
            }
            None => format!("contents.{}", access.array),
        };
        Some(ops::uninterpreted(self.pool, &name, &[offset], ty))
    }

    /// An array may have changed.
    pub fn change(&mut self, array: Array) {
        self.next_version += 1;
        let version = match self.is_ghost && !self.is_aligned {
            true => Version::Own(self.next_version),
            false => Version::Common(self.next_version),
        };
        self.versions.insert(array, version);
    }

    /// All arrays that the kernel writes may have changed.
    pub fn change_all(&mut self) {
        let facts = self.setting.facts;
        let written: Vec<Array> =
            facts.uses.accessed().filter(|&array| !facts.uses.is_never_written(array)).collect();
        for array in written {
            if facts.module.arrays[array].space != Space::Private {
                self.change(array);
            }
        }
    }
}

/// Logging and checking.
impl Lockstep<'_> {
    fn log_and_check(&mut self, inst: Inst, access: &Access, values: &[Value], reach: &[TermId]) {
        let logged = self.sites.iter().position(|site| site.inst == inst);
        let Some(number) = logged.filter(|_| !self.is_ghost) else { return };
        self.is_quiet = false;
        let (key, bytes) = (self.sites[number].key, self.sites[number].bytes);
        let offsets: Vec<TermId> =
            (0..self.threads.len()).map(|thread| self.term(thread, access.offset)).collect();
        let written: Vec<Vec<TermId>> = (0..self.threads.len())
            .map(|thread| values.iter().map(|&value| self.term(thread, value)).collect())
            .collect();
        let accessed = Accessed { inst, key, offsets, bytes, written };
        self.log_access(number, &accessed, reach[0]);
        if !self.setting.options.only_log {
            self.check_access(&accessed, reach[1]);
        }
    }

    /// The first thread's access goes to the log.
    fn log_access(&mut self, number: usize, accessed: &Accessed, reach: TermId) {
        let Some(mut entry) = self.log.get(&accessed.key).cloned() else { return };
        let here = self.is_here(0, reach);
        let own = accessed.offsets[0];
        let hit = match self.setting.options.instrumenter {
            Instrumenter::WatchdogSingle | Instrumenter::WatchdogMultiple => {
                let covered = self.covers(own, accessed.bytes, accessed.key.0, entry.offset);
                self.pool.and2(here, covered)
            }
            Instrumenter::Original => {
                let chosen = self.unknown_truth("logged");
                let hit = self.pool.and2(here, chosen);
                let element = self.some_element(own, accessed);
                entry.offset = self.pool.ite(hit, element, entry.offset);
                hit
            }
        };
        self.remember(&mut entry, number, accessed, hit);
        self.log.insert(accessed.key, entry);
    }

    /// Some element of an access: all of them are logged by one choice or another.
    fn some_element(&mut self, offset: TermId, accessed: &Accessed) -> TermId {
        let granule = self.setting.facts.module.arrays[accessed.key.0].granule.max(1);
        if accessed.bytes == granule {
            return offset;
        }
        let width = self.pool.width(offset);
        let distance = self.pool.fresh("element", Sort::BitVec(width));
        let bytes = self.pool.bv(width, u128::from(accessed.bytes));
        let is_inside = self.pool.compare().ult(distance, bytes);
        self.known.push(is_inside, None);
        self.pool.bits().add(offset, distance)
    }

    fn remember(&mut self, entry: &mut Entry, number: usize, accessed: &Accessed, hit: TermId) {
        let value = self.value_at(accessed, 0, entry.offset);
        match self.setting.options.instrumenter {
            Instrumenter::WatchdogSingle | Instrumenter::WatchdogMultiple => {
                let same = self.pool.eq(value, entry.value);
                let valued = self.pool.and2(hit, same);
                entry.valued = self.pool.or2(entry.valued, valued);
                entry.flag = self.pool.or2(entry.flag, hit);
            }
            Instrumenter::Original => {
                entry.value = self.pool.ite(hit, value, entry.value);
                entry.flag = self.pool.or2(entry.flag, hit);
                entry.valued = entry.flag;
            }
        }
        let number = self.pool.bv(16, number as u128);
        entry.site = self.pool.ite(hit, number, entry.site);
        let loops = self.inside.clone();
        for id in loops {
            let header = self.setting.facts.loops.data(id).header;
            for &param in &self.setting.facts.func.blocks[header].params {
                if let Some(&old) = entry.params.get(&param) {
                    let now = self.term(0, param);
                    entry.params.insert(param, self.pool.ite(hit, now, old));
                }
            }
            if let (Some(&old), Some(&now)) = (entry.visits.get(&id), self.current_visits.get(&id))
            {
                entry.visits.insert(id, self.pool.ite(hit, now, old));
            }
        }
    }

    /// The second thread's access must not meet what is logged.
    fn check_access(&mut self, accessed: &Accessed, reach: TermId) {
        let here = self.is_here(1, reach);
        let kind = accessed.key.1;
        let array = accessed.key.0;
        for first in [Kind::Read, Kind::Write, Kind::Atomic, Kind::AtomicRead] {
            let Some(entry) = self.log.get(&(array, first)).cloned() else { continue };
            if !first.races_with(kind) || self.pool.as_bool(entry.flag) == Some(false) {
                continue;
            }
            let covered = self.covers(accessed.offsets[1], accessed.bytes, array, entry.offset);
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
                && self.setting.tolerates_benign
                && !accessed.written[1].is_empty();
            let tolerated = benign.then(|| {
                let value = self.value_at(accessed, 1, entry.offset);
                let differs = self.pool.ne(value, entry.value);
                (Rule::BenignWriteWriteRace, vec![entry.valued, differs])
            });
            self.race(rule, (array, first), entry.site, accessed.inst, goal, tolerated);
        }
    }

    fn race(
        &mut self,
        rule: Rule,
        first: Key,
        site: TermId,
        second: Inst,
        goal: Vec<TermId>,
        tolerated: Option<(Rule, Vec<TermId>)>,
    ) {
        self.defect(rule, vec![second], goal, tolerated);
        if let Some(last) = self.obligations.last_mut() {
            last.logged = Some((first, site));
        }
    }

    /// Does an access cover an offset? SOUNDNESS: all accesses to an array are of whole
    /// elements at multiples of their size, so a single element is covered at its start
    /// only (kernels/traps/14-partial-overlap).
    pub fn covers(&mut self, offset: TermId, bytes: u32, array: Array, watched: TermId) -> TermId {
        if bytes == self.setting.facts.module.arrays[array].granule {
            return self.pool.eq(offset, watched);
        }
        let width = self.pool.width(offset);
        let distance = self.pool.bits().sub(watched, offset);
        let bytes = self.pool.bv(width, u128::from(bytes));
        self.pool.compare().ult(distance, bytes)
    }

    /// What an access writes to the element at an offset that it covers.
    fn value_at(&mut self, accessed: &Accessed, thread: usize, watched: TermId) -> TermId {
        let granule = self.setting.facts.module.arrays[accessed.key.0].granule.max(1);
        let width = 8 * granule;
        let unknown = self.pool.fresh("written", Sort::BitVec(width));
        let values = &accessed.written[thread];
        let pieces = accessed.bytes / granule;
        if values.is_empty() || pieces > MAX_PIECES || !accessed.bytes.is_multiple_of(granule) {
            return unknown;
        }
        let size = accessed.bytes / values.len() as u32;
        let mut parts = vec![];
        for (lane, &value) in values.clone().iter().enumerate() {
            let bits = ops::to_bits(self.pool, value);
            let bits = self.pool.bits().zext_or_trunc(bits, 8 * size);
            for piece in 0..size / granule {
                let low = piece * width;
                let part = self.pool.bits().extract(low + width - 1, low, bits);
                let place =
                    self.step(accessed.offsets[thread], lane as u32 * size + piece * granule);
                parts.push((place, part));
            }
        }
        let Some((&(_, last), rest)) = parts.split_last() else { return unknown };
        let rest = rest.to_vec();
        rest.iter().rev().fold(last, |term, &(place, part)| {
            let is_here = self.pool.eq(place, watched);
            self.pool.ite(is_here, part, term)
        })
    }
}

/// Private memory.
impl Lockstep<'_> {
    fn private_contents(&mut self, thread: usize, array: Array) -> TermId {
        if let Some(&contents) = self.threads[thread].private.get(&array) {
            return contents;
        }
        let contents = self.unknown_private(array);
        self.threads[thread].private.insert(array, contents);
        contents
    }

    fn unknown_private(&mut self, array: Array) -> TermId {
        let module = self.setting.facts.module;
        let element = 8 * module.arrays[array].granule.max(1);
        let index = IndexSort::BitVec(u32::from(module.pointer_width));
        self.pool.fresh("private", Sort::Array { index, element })
    }

    /// Nothing is known of a private array any more.
    pub fn forget_private(&mut self, array: Array) {
        for thread in 0..self.threads.len() {
            let contents = self.unknown_private(array);
            self.threads[thread].private.insert(array, contents);
        }
    }

    fn load_private(&mut self, thread: usize, array: Array, offset: TermId, ty: Type) -> TermId {
        let granule = self.setting.facts.module.arrays[array].granule.max(1);
        let contents = self.private_contents(thread, array);
        let bytes = ty.bytes().unwrap_or(1);
        let mut bits = self.pool.select(contents, offset);
        for piece in 1..bytes.div_ceil(granule) {
            let place = self.step(offset, piece * granule);
            let high = self.pool.select(contents, place);
            bits = self.pool.bits().concat(high, bits);
        }
        let width = ty.bits().unwrap_or(32);
        let cut = self.pool.bits().zext_or_trunc(bits, width);
        ops::from_bits(self.pool, cut, ty)
    }

    fn store_private(
        &mut self,
        thread: usize,
        array: Array,
        offset: TermId,
        value: TermId,
        ty: Type,
        reach: TermId,
    ) {
        let granule = self.setting.facts.module.arrays[array].granule.max(1);
        let bytes = ty.bytes().unwrap_or(1);
        let before = self.private_contents(thread, array);
        let bits = ops::to_bits(self.pool, value);
        let bits = self.pool.bits().zext_or_trunc(bits, 8 * bytes.max(granule));
        let mut contents = before;
        for piece in 0..bytes.div_ceil(granule) {
            let low = piece * granule * 8;
            let part = self.pool.bits().extract(low + granule * 8 - 1, low, bits);
            let place = self.step(offset, piece * granule);
            contents = self.pool.store(contents, place, part);
        }
        let merged = self.pool.ite(reach, contents, before);
        self.threads[thread].private.insert(array, merged);
    }
}
