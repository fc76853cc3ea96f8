//! Memory: what a thread knows of it, and what its accesses do to that.

use duet_ir::{Access, Array, ArrayData, EntityRef, Inst, InstData, Space, Type, Value};
use duet_product::Node;
use duet_smt::TermId;

use super::Encoder;
use crate::memory::{self, Memory};
use crate::symbols::Origin;
use crate::walk::SiteTerm;

/// Elements of a constant whose initial values are known.
const MAX_INITIALISED: usize = 64;
/// Writes of an array whose values are kept over a barrier.
const MAX_OWN_WRITES: usize = 8;

impl Encoder<'_> {
    pub(super) fn initial_memory(&mut self) -> Memory {
        let mut memory = Memory::default();
        for (array, data) in self.kernel.module.arrays.iter() {
            let private = data.space == Space::Private;
            // SOUNDNESS: shared memory that nobody writes holds whatever was there,
            // in each block something else (kernels/soundness/05-never-written-shared).
            let constant = self.kernel.uses.is_never_written(array) && data.space != Space::Shared;
            let shared = constant || (self.sharing.contents)(array);
            let name = match constant && !private {
                true => format!("contents:{}", data.name),
                false => {
                    let tag = self.sharing.tag;
                    let who = if shared && !private { "" } else { self.thread.name.as_str() };
                    format!("contents:{}@{tag}{who}", data.name)
                }
            };
            let sort = memory::contents_sort(data, self.kernel.module.pointer_width);
            let unknown = self.pool.constant(&name, sort);
            let unknown = self.note(unknown, Origin::Contents(array), shared && !private);
            let contents = match &data.init {
                Some(bytes) if constant => self.initialised(unknown, data, bytes),
                _ => unknown,
            };
            memory.arrays.insert(array, contents);
        }
        // The thread's own private arrays are what they were.
        if let Some(before) = self.start.before
            && let Some(known) = before.final_memory()
        {
            for (array, data) in self.kernel.module.arrays.iter() {
                if data.space == Space::Private {
                    memory.arrays.insert(array, known.arrays[&array]);
                }
            }
            for &array in &self.kernel.facts.single_writers {
                let (old, new) = (known.arrays[&array], memory.arrays[&array]);
                self.keep_own_values(array, &before.sites, old, new);
            }
        }
        memory
    }

    /// The contents of a constant that the source initialises, if there are few.
    fn initialised(&mut self, unknown: TermId, data: &ArrayData, bytes: &[u8]) -> TermId {
        let granule = data.granule.max(1) as usize;
        if bytes.len() > MAX_INITIALISED * granule || !bytes.len().is_multiple_of(granule) {
            return unknown;
        }
        let width = u32::from(self.kernel.module.pointer_width);
        let elements = bytes.chunks(granule).enumerate();
        elements.fold(unknown, |contents, (number, element)| {
            let bits = element.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
            let offset = self.pool.bv(width, (number * granule) as u128);
            let element = self.pool.bv(8 * granule as u32, bits);
            self.pool.store(contents, offset, element)
        })
    }

    /// A barrier: what others may have written is forgotten.
    pub(super) fn pass_barrier(&mut self) {
        let before = self.walk.memory[&self.node].clone();
        self.forget_shared(self.node);
        for &array in &self.kernel.facts.single_writers {
            let new = self.walk.memory[&self.node].arrays[&array];
            let ancestors = &self.walk.ancestors[&self.node];
            let is_before =
                |site: &&SiteTerm| site.at.node == self.node || ancestors[site.at.node.index()];
            let sites: Vec<SiteTerm> = self.walk.sites.iter().filter(is_before).cloned().collect();
            self.keep_own_values(array, &sites, before.arrays[&array], new);
        }
    }

    /// Where the thread wrote, the new contents of the array are the old ones.
    ///
    /// SOUNDNESS: only what it wrote itself on the way here; nobody else writes there
    /// (kernels/traps/03-own-write-forgotten).
    fn keep_own_values(&mut self, array: Array, sites: &[SiteTerm], old: TermId, new: TermId) {
        let granule = self.kernel.module.arrays[array].granule.max(1);
        let is_own = |site: &&SiteTerm| site.array == array && site.writes && !site.by_agent;
        for site in sites.iter().filter(is_own).take(MAX_OWN_WRITES) {
            for piece in (0..site.bytes).step_by(granule as usize) {
                let width = self.pool.width(site.offset);
                let distance = self.pool.bv(width, u128::from(piece));
                let place = self.pool.bv_add(site.offset, distance);
                let (was, is) = (self.pool.select(old, place), self.pool.select(new, place));
                let same = self.pool.eq(was, is);
                let kept = self.pool.implies(site.guard, same);
                self.assume(kept);
            }
        }
    }

    pub(super) fn merge_memory(&mut self, incoming: &[(TermId, Vec<TermId>, Node)]) -> Memory {
        let memories: Vec<(TermId, Memory)> = incoming
            .iter()
            .map(|(guard, _, from)| (*guard, self.walk.memory[from].clone()))
            .collect();
        let mut merged = Memory::default();
        for (array, _) in self.kernel.module.arrays.iter() {
            let choices: Vec<(TermId, TermId)> =
                memories.iter().map(|(guard, memory)| (*guard, memory.arrays[&array])).collect();
            if !choices.is_empty() {
                merged.arrays.insert(array, self.choose(&choices));
            }
        }
        merged
    }

    /// Gives an array new, unknown contents.
    pub(super) fn forget(&mut self, node: Node, array: Array) {
        let data = &self.kernel.module.arrays[array];
        let sort = memory::contents_sort(data, self.kernel.module.pointer_width);
        self.moment += 1;
        // The moment makes the name new in this walk, and the same in every walk.
        let name = self.symbol(&format!("contents:{}.{}", data.name, self.moment), false);
        let fresh = self.pool.constant(&name, sort);
        let fresh = self.note(fresh, Origin::Contents(array), false);
        if let Some(memory) = self.walk.memory.get_mut(&node) {
            memory.arrays.insert(array, fresh);
        }
    }

    /// Forgets every array that other threads may have written.
    pub(super) fn forget_shared(&mut self, node: Node) {
        let written: Vec<Array> = self
            .kernel
            .module
            .arrays
            .iter()
            .filter(|(array, data)| {
                data.space != Space::Private && !self.kernel.uses.is_never_written(*array)
            })
            .map(|(array, _)| array)
            .collect();
        for array in written {
            self.forget(node, array);
        }
    }

    pub(super) fn site(
        &mut self,
        inst: Inst,
        access: &Access,
        bytes: u32,
        writes: bool,
    ) -> SiteTerm {
        SiteTerm {
            inst,
            at: self.point(),
            context: self.context(),
            array: access.array,
            guard: self.walk.reach[&self.node],
            offset: self.term(access.offset),
            bytes,
            writes,
            atomic: None,
            values: vec![],
            align: access.align,
            result: None,
            by_agent: false,
        }
    }

    pub(super) fn load(&mut self, inst: Inst, access: &Access, ty: Type, lanes: u32) {
        let bytes = ty.bytes().unwrap_or(1);
        if !access.ghost {
            let site = self.site(inst, access, bytes * lanes, false);
            self.note_cells(&site, access.volatile);
            self.walk.sites.push(site);
        }
        // SOUNDNESS: what a volatile read of global memory yields is up to others too,
        // the host for one (kernels/soundness/12-volatile-read).
        let space = self.kernel.module.arrays[access.array].space;
        let outside = access.volatile && matches!(space, Space::Global | Space::Constant);
        // SOUNDNESS: in lock step a warp-mate may have written the cell since the last
        // barrier, without a race (kernels/warp/lockstep-stale-index-bug).
        let written = space != Space::Private && !self.kernel.uses.is_never_written(access.array);
        let changed = self.kernel.warp_sync.is_some() && written;
        let left_out = space == Space::Private && !self.kernel.private_arrays;
        if outside || changed || left_out || self.kernel.uses.is_touched_by_atomics(access.array) {
            return self.unknown_results(inst);
        }
        let results = self.kernel.func.results_of[inst].clone();
        let data = &self.kernel.module.arrays[access.array];
        let contents = self.walk.memory[&self.node].arrays[&access.array];
        let mut offset = self.term(access.offset);
        let width = self.pool.width(offset);
        let step = self.pool.bv(width, u128::from(bytes));
        for value in results {
            let term = match (self.sharing.value)(value)
                && !self.kernel.uses.is_never_written(access.array)
            {
                true => self.unknown_value(value),
                false => memory::read(self.pool, contents, data, offset, ty),
            };
            let term = match access.ghost {
                true => self.ghost_read(inst, access.array, offset, value, term),
                false => term,
            };
            self.define(value, term);
            offset = self.pool.bv_add(offset, step);
        }
    }

    pub(super) fn store(&mut self, inst: Inst, access: &Access, values: &[Value]) {
        let ty = self.kernel.func.type_of(values[0]);
        let bytes = ty.bytes().unwrap_or(1);
        let terms: Vec<TermId> = values.iter().map(|&value| self.term(value)).collect();
        if !access.ghost {
            let mut site = self.site(inst, access, bytes * values.len() as u32, true);
            site.values = terms.clone();
            self.note_cells(&site, access.volatile);
            self.walk.sites.push(site);
        }
        let data = &self.kernel.module.arrays[access.array];
        let mut contents = self.walk.memory[&self.node].arrays[&access.array];
        let mut offset = self.term(access.offset);
        let width = self.pool.width(offset);
        let step = self.pool.bv(width, u128::from(bytes));
        for term in terms {
            contents = memory::write(self.pool, contents, data, offset, term, ty);
            offset = self.pool.bv_add(offset, step);
        }
        let node = self.node;
        if let Some(memory) = self.walk.memory.get_mut(&node) {
            memory.arrays.insert(access.array, contents);
        }
        self.forget_aliases(access.array);
    }

    /// Forgets the arrays that may overlap one that was written. SOUNDNESS: without
    /// it a thread would read old contents under another name
    /// (kernels/pointers/alias-stale-bug).
    pub(super) fn forget_aliases(&mut self, array: Array) {
        let aliases: Vec<Array> = self.kernel.uses.aliases(array).collect();
        for alias in aliases {
            self.forget(self.node, alias);
        }
    }

    /// The two accesses of an asynchronous copy: of an arbitrary element, by the
    /// agent that copies it.
    pub(super) fn copy(&mut self, inst: Inst, data: &InstData) {
        let InstData::AsyncCopy { dst, src, element, count, dst_stride, src_stride, .. } = data
        else {
            return;
        };
        let width = u32::from(self.kernel.module.pointer_width);
        let name = self.symbol(&format!("copied:{inst}"), false);
        let number = self.pool.bv_var(&name, width);
        let number = self.note(number, Origin::Copied(inst), false);
        let count = self.term(*count);
        let count = self.pool.zext_or_trunc(count, width);
        let copied = self.pool.ult(number, count);
        for (access, stride, writes) in [(src, *src_stride, false), (dst, *dst_stride, true)] {
            let mut site = self.site(inst, access, *element, writes);
            site.by_agent = true;
            site.guard = self.pool.and2(site.guard, copied);
            let stride = self.term(stride);
            let stride = self.pool.zext_or_trunc(stride, width);
            let size = self.pool.bv(width, u128::from(*element));
            let distance = self.pool.bv_product(&[number, stride, size]);
            site.offset = self.pool.bv_add(site.offset, distance);
            self.walk.sites.push(site);
        }
        self.forget(self.node, dst.array);
        self.forget_aliases(dst.array);
    }
}
