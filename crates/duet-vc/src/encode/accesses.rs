//! Memory: what a thread knows of it, and what its accesses do to that.

use std::collections::HashMap;

use duet_analysis::Loop;
use duet_ir::{Access, Array, ArrayData, EntityRef, Inst, InstData, Space, Type, Value};
use duet_product::{End, Node};
use duet_smt::TermId;

use super::cells::Templates;
use super::known::KnownCells;
use super::values::Values;
use super::{Kernel, claims};
use crate::memory::{self, Memory};
use crate::symbols::Origin;
use crate::walk::{AfterBarrier, KnownCell, SiteTerm};

/// Elements of a constant whose initial values are known.
const MAX_INITIALISED: usize = 64;
/// Writes of an array whose values are kept over a barrier.
const MAX_OWN_WRITES: usize = 8;

/// Memory as the thread sees it, and the accesses on its way.
pub(super) struct MemoryView {
    /// At the end of each node.
    pub memory: HashMap<Node, Memory>,
    pub sites: Vec<SiteTerm>,
    pub cells: KnownCells,
    pub templates: Templates,
}

impl MemoryView {
    /// Nothing accessed yet.
    pub(super) fn new(kernel: Kernel<'_>) -> MemoryView {
        let (cells, templates) = (KnownCells::new(kernel), Templates::default());
        MemoryView { memory: HashMap::new(), sites: vec![], cells, templates }
    }

    /// On arrival at the root.
    pub(super) fn start(&mut self, values: &mut Values, node: Node) {
        let memory = self.initial_memory(values);
        values.walk.initial = memory.clone();
        self.memory.insert(node, memory);
        self.cells.start(values, node);
    }

    /// On arrival by some edges.
    pub(super) fn merge(
        &mut self,
        values: &mut Values,
        node: Node,
        incoming: &[(TermId, Vec<TermId>, Node)],
    ) {
        let memory = self.merge_memory(values, incoming);
        self.memory.insert(node, memory);
        self.cells.merge(values, node, incoming);
        self.templates.merge(node, incoming);
    }

    pub(super) fn initial_memory(&mut self, values: &mut Values) -> Memory {
        let mut memory = Memory::default();
        let from = values.start.before.and_then(|before| match before.ends.last()?.end {
            End::Barrier(barrier) => Some(barrier),
            End::Return | End::Halt => None,
        });
        for (array, data) in values.kernel.facts.arrays() {
            if from.is_some_and(|barrier| values.kernel.facts.is_settled_at(array, barrier)) {
                let contents = values.settled_contents(array);
                memory.arrays.insert(array, contents);
                continue;
            }
            if let Some(contents) = from.and_then(|barrier| snapshot_of(values, array, barrier)) {
                memory.arrays.insert(array, contents);
                continue;
            }
            let private = data.space == Space::Private;
            // SOUNDNESS: shared memory that no thread writes holds whatever was there,
            // in each block something else (kernels/soundness/05-never-written-shared).
            let constant =
                values.kernel.uses.is_never_written(array) && data.space != Space::Shared;
            let shared = constant || (values.sharing.contents)(array);
            let name = match constant && !private {
                true => format!("contents:{}", data.name),
                false => {
                    let tag = values.sharing.tag;
                    let who = if shared && !private { "" } else { values.thread.name.as_str() };
                    format!("contents:{}@{tag}{who}", data.name)
                }
            };
            let sort = memory::contents_sort(data, values.kernel.module.pointer_width);
            let unknown = values.pool.constant(&name, sort);
            let unknown = values.note(unknown, Origin::Contents(array), shared && !private);
            let contents = match &data.init {
                Some(bytes) if constant => initialised(values, unknown, data, bytes),
                _ => unknown,
            };
            memory.arrays.insert(array, contents);
        }
        // The thread's own private arrays are what they were.
        if let Some(before) = values.start.before
            && let Some(known) = before.final_memory()
        {
            for (array, data) in values.kernel.facts.arrays() {
                if data.space == Space::Private {
                    memory.arrays.insert(array, known.arrays[&array]);
                }
            }
            for &array in &values.kernel.facts.single_writers {
                let (old, new) = (known.arrays[&array], memory.arrays[&array]);
                keep_own_values(values, array, &before.sites, old, new);
            }
            carry(values, &before.known_at_end, known, &memory);
            if let Some(End::Barrier(barrier)) = before.ends.last().map(|end| end.end) {
                claims::assume(values, &memory, barrier);
                self.templates.renew(values, &memory, Some(barrier));
            }
        }
        values.walk.at_start = memory.clone();
        memory
    }

    /// A barrier: what others may have written is forgotten, except for the cells that are
    /// known, or were when it was reached.
    pub(super) fn pass_barrier(&mut self, values: &mut Values, inst: Inst, known: &[KnownCell]) {
        let before = self.memory[&values.node].clone();
        self.forget_shared(values, values.node);
        self.share_after(values, inst);
        self.settle_after(values, inst);
        carry(values, known, &before, &self.memory[&values.node]);
        claims::assume(values, &self.memory[&values.node], inst);
        self.templates.renew(values, &self.memory[&values.node], Some(inst));
        for &array in &values.kernel.facts.single_writers {
            let new = self.memory[&values.node].arrays[&array];
            let ancestors = &values.walk.ancestors[&values.node];
            let is_before =
                |site: &&SiteTerm| site.at.node == values.node || ancestors[site.at.node.index()];
            let sites: Vec<SiteTerm> = self.sites.iter().filter(is_before).cloned().collect();
            keep_own_values(values, array, &sites, before.arrays[&array], new);
        }
        let at = crate::walk::Point { node: values.node, moment: values.moment };
        let memory = self.memory[&values.node].clone();
        let guard = values.walk.reach[&values.node];
        values.walk.after_barriers.push(AfterBarrier { inst, at, guard, memory });
    }

    /// The new contents of a carried array are the same for both threads, if the barrier
    /// makes them so.
    fn share_after(&mut self, values: &mut Values, inst: Inst) {
        for &array in &values.kernel.facts.carried {
            if !(values.sharing.after_barrier)(inst, array) {
                continue;
            }
            let data = &values.kernel.module.arrays[array];
            let sort = memory::contents_sort(data, values.kernel.module.pointer_width);
            let name = values.symbol(&format!("contents:{}.{inst}", data.name), true);
            let common = values.pool.constant(&name, sort);
            let common = values.note(common, Origin::Contents(array), true);
            if let Some(memory) = self.memory.get_mut(&values.node) {
                memory.arrays.insert(array, common);
            }
        }
    }

    /// The contents of arrays that are settled by then.
    fn settle_after(&mut self, values: &mut Values, barrier: Inst) {
        for &array in values.kernel.facts.settled.keys() {
            if values.kernel.facts.is_settled_at(array, barrier) {
                let contents = values.settled_contents(array);
                if let Some(memory) = self.memory.get_mut(&values.node) {
                    memory.arrays.insert(array, contents);
                }
            }
        }
        for snapshot in values.kernel.facts.snapshots.values() {
            if let Some(contents) = snapshot_of(values, snapshot.source, barrier)
                && let Some(memory) = self.memory.get_mut(&values.node)
            {
                memory.arrays.insert(snapshot.source, contents);
            }
        }
    }

    pub(super) fn merge_memory(
        &mut self,
        values: &mut Values,
        incoming: &[(TermId, Vec<TermId>, Node)],
    ) -> Memory {
        let memories: Vec<(TermId, Memory)> =
            incoming.iter().map(|(guard, _, from)| (*guard, self.memory[from].clone())).collect();
        let mut merged = Memory::default();
        for (array, _) in values.kernel.facts.arrays() {
            let choices: Vec<(TermId, TermId)> =
                memories.iter().map(|(guard, memory)| (*guard, memory.arrays[&array])).collect();
            if !choices.is_empty() {
                merged.arrays.insert(array, values.choose(&choices));
            }
        }
        merged
    }

    /// Gives an array new, unknown contents.
    pub(super) fn forget(&mut self, values: &mut Values, node: Node, array: Array) {
        let data = &values.kernel.module.arrays[array];
        let sort = memory::contents_sort(data, values.kernel.module.pointer_width);
        values.moment += 1;
        // The moment makes the name new in this walk, and the same in every walk.
        let name = values.symbol(&format!("contents:{}.{}", data.name, values.moment), false);
        let is_settled = values.kernel.facts.is_settled_in(array, values.region.nodes[node].block);
        let fresh = match is_settled {
            true => values.settled_contents(array),
            false => {
                let fresh = values.pool.constant(&name, sort);
                values.note(fresh, Origin::Contents(array), false)
            }
        };
        if let Some(memory) = self.memory.get_mut(&node) {
            memory.arrays.insert(array, fresh);
        }
    }

    /// Forgets every array that other threads may have written.
    pub(super) fn forget_shared(&mut self, values: &mut Values, node: Node) {
        let written: Vec<Array> = values
            .kernel
            .module
            .arrays
            .iter()
            .filter(|(array, data)| {
                data.space != Space::Private && !values.kernel.uses.is_never_written(*array)
            })
            .map(|(array, _)| array)
            .collect();
        for array in written {
            self.forget(values, node, array);
        }
    }

    /// Forgets what the loop may change, and all shared memory if it passes a
    /// barrier. SOUNDNESS: kernels/traps/20-loop-changes-memory is proved without this.
    pub(super) fn forget_loop(&mut self, values: &mut Values, node: Node, id: Loop) {
        let written =
            values.kernel.uses.may_be_written_in(values.kernel.func, &values.kernel.loops, id);
        for array in written {
            self.forget(values, node, array);
        }
        let passes_barrier = values.kernel.loops.data(id).blocks.iter().any(|&block| {
            values.kernel.func.blocks[block]
                .insts
                .iter()
                .any(|&inst| values.kernel.func.insts[inst].barrier_scope().is_some())
        });
        if passes_barrier {
            self.forget_shared(values, node);
            self.templates.forget(node);
        }
        self.cells.forget_of_loop(values, node, id);
    }

    pub(super) fn load(
        &mut self,
        values: &mut Values,
        inst: Inst,
        access: &Access,
        ty: Type,
        lanes: u32,
    ) {
        let bytes = ty.bytes().unwrap_or(1);
        if !access.ghost {
            let site = values.site(inst, access, bytes * lanes, false);
            self.cells.note_access(values, &site, access.volatile);
            self.sites.push(site);
        }
        // SOUNDNESS: what a volatile read of global memory yields is up to others too,
        // the host for one (kernels/soundness/12-volatile-read).
        let space = values.kernel.module.arrays[access.array].space;
        let outside = access.volatile && matches!(space, Space::Global | Space::Constant);
        // SOUNDNESS: in lock step a warp-mate may have written the cell since the last
        // barrier, without a race (kernels/warp/lockstep-stale-index-bug).
        let written = space != Space::Private && !values.kernel.uses.is_never_written(access.array);
        let changed = values.kernel.warp_sync.is_some() && written;
        let left_out = space == Space::Private && !values.kernel.private_arrays;
        // SOUNDNESS: what fences and flags order is written between barriers too, so that
        // a thread may find a new value at any time (kernels/order/stale-index-bug).
        let is_handed_over = values.kernel.facts.ordered.contains(&access.array);
        let is_atomic = values.kernel.uses.is_touched_by_atomics(access.array);
        if outside || changed || left_out || is_handed_over || is_atomic {
            return values.unknown_results(inst);
        }
        if !access.ghost {
            let offset = values.term(access.offset);
            self.templates.load(values, access.array, offset);
        }
        let results = values.kernel.func.results_of[inst].clone();
        let data = &values.kernel.module.arrays[access.array];
        let contents = self.memory[&values.node].arrays[&access.array];
        let mut offset = values.term(access.offset);
        let width = values.pool.width(offset);
        let step = values.pool.bv(width, u128::from(bytes));
        for value in results {
            let term = match (values.sharing.value)(value)
                && !values.kernel.uses.is_never_written(access.array)
            {
                true => values.unknown_value(value),
                false => memory::read(values.pool, contents, data, offset, ty),
            };
            let term = match access.ghost {
                true => self.cells.read(values, inst, access.array, offset, value, term),
                false => term,
            };
            values.define(value, term);
            offset = values.pool.bits().add(offset, step);
        }
    }

    pub(super) fn store(
        &mut self,
        values: &mut Values,
        inst: Inst,
        access: &Access,
        stored: &[Value],
    ) {
        let ty = values.kernel.func.type_of(stored[0]);
        let bytes = ty.bytes().unwrap_or(1);
        let terms: Vec<TermId> = stored.iter().map(|&value| values.term(value)).collect();
        if !access.ghost {
            let mut site = values.site(inst, access, bytes * stored.len() as u32, true);
            site.values = terms.clone();
            self.cells.note_access(values, &site, access.volatile);
            self.sites.push(site);
        }
        let data = &values.kernel.module.arrays[access.array];
        let mut contents = self.memory[&values.node].arrays[&access.array];
        let mut offset = values.term(access.offset);
        let width = values.pool.width(offset);
        let step = values.pool.bv(width, u128::from(bytes));
        for term in terms {
            contents = memory::write(values.pool, contents, data, offset, term, ty);
            offset = values.pool.bits().add(offset, step);
        }
        let node = values.node;
        if let Some(memory) = self.memory.get_mut(&node) {
            memory.arrays.insert(access.array, contents);
        }
        self.forget_aliases(values, access.array);
    }

    /// Forgets the arrays that may overlap one that was written. SOUNDNESS: without
    /// it a thread would read old contents under another name
    /// (kernels/pointers/alias-stale-bug).
    pub(super) fn forget_aliases(&mut self, values: &mut Values, array: Array) {
        let aliases: Vec<Array> = values.kernel.uses.aliases(array).collect();
        for alias in aliases {
            self.forget(values, values.node, alias);
        }
    }

    /// The two accesses of an asynchronous copy: of an arbitrary element, by the
    /// agent that copies it.
    pub(super) fn copy(&mut self, values: &mut Values, inst: Inst, data: &InstData) {
        let InstData::AsyncCopy { dst, src, element, count, dst_stride, src_stride, .. } = data
        else {
            return;
        };
        let width = u32::from(values.kernel.module.pointer_width);
        let name = values.symbol(&format!("copied:{inst}"), false);
        let number = values.pool.bv_var(&name, width);
        let number = values.note(number, Origin::Copied(inst), false);
        let count = values.term(*count);
        let count = values.pool.bits().zext_or_trunc(count, width);
        let copied = values.pool.compare().ult(number, count);
        for (access, stride, writes) in [(src, *src_stride, false), (dst, *dst_stride, true)] {
            let mut site = values.site(inst, access, *element, writes);
            site.by_agent = true;
            site.guard = values.pool.and2(site.guard, copied);
            let stride = values.term(stride);
            let stride = values.pool.bits().zext_or_trunc(stride, width);
            let size = values.pool.bv(width, u128::from(*element));
            let distance = values.pool.bits().product(&[number, stride, size]);
            site.offset = values.pool.bits().add(site.offset, distance);
            self.sites.push(site);
        }
        self.forget(values, values.node, dst.array);
        self.forget_aliases(values, dst.array);
    }
}

/// The contents of a constant that the source initialises, if there are few.
fn initialised(values: &mut Values, unknown: TermId, data: &ArrayData, bytes: &[u8]) -> TermId {
    let granule = data.granule.max(1) as usize;
    if bytes.len() > MAX_INITIALISED * granule || !bytes.len().is_multiple_of(granule) {
        return unknown;
    }
    let width = u32::from(values.kernel.module.pointer_width);
    let elements = bytes.chunks(granule).enumerate();
    elements.fold(unknown, |contents, (number, element)| {
        let bits = element.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
        let offset = values.pool.bv(width, (number * granule) as u128);
        let element = values.pool.bv(8 * granule as u32, bits);
        values.pool.store(contents, offset, element)
    })
}

/// Known cells hold after a barrier what they held before.
///
/// SOUNDNESS: the argument is in the header of [`super::known`]; what is carried is chosen
/// there (kernels/soundness/95-carry-two-barriers).
fn carry(values: &mut Values, cells: &[KnownCell], old: &Memory, new: &Memory) {
    for cell in cells {
        let granule = values.kernel.module.arrays[cell.array].granule.max(1);
        let (old, new) = (old.arrays[&cell.array], new.arrays[&cell.array]);
        for piece in (0..cell.bytes / granule).map(|piece| piece * granule) {
            let width = values.pool.width(cell.offset);
            let distance = values.pool.bv(width, u128::from(piece));
            let place = values.pool.bits().add(cell.offset, distance);
            let (was, is) = (values.pool.select(old, place), values.pool.select(new, place));
            let same = values.pool.eq(was, is);
            let kept = values.pool.implies(cell.guard, same);
            values.assume(kept);
        }
    }
}

/// Where the thread wrote, the new contents of the array are the old ones.
///
/// SOUNDNESS: only what it wrote itself on the way here; no other thread writes there
/// (kernels/traps/03-own-write-forgotten).
fn keep_own_values(
    values: &mut Values,
    array: Array,
    sites: &[SiteTerm],
    old: TermId,
    new: TermId,
) {
    let granule = values.kernel.module.arrays[array].granule.max(1);
    let is_own = |site: &&SiteTerm| site.array == array && site.writes && !site.by_agent;
    for site in sites.iter().filter(is_own).take(MAX_OWN_WRITES) {
        for piece in (0..site.bytes).step_by(granule as usize) {
            let width = values.pool.width(site.offset);
            let distance = values.pool.bv(width, u128::from(piece));
            let place = values.pool.bits().add(site.offset, distance);
            let (was, is) = (values.pool.select(old, place), values.pool.select(new, place));
            let same = values.pool.eq(was, is);
            let kept = values.pool.implies(site.guard, same);
            values.assume(kept);
        }
    }
}

/// What an array holds right after a barrier behind which a snapshot of it is taken: what the
/// snapshot holds from there on.
fn snapshot_of(values: &mut Values, array: Array, barrier: Inst) -> Option<TermId> {
    let snapshots = &values.kernel.facts.snapshots;
    let is_it = |one: &duet_product::Snapshot| one.source == array && one.barrier == barrier;
    let (&copy, _) = snapshots.iter().find(|(_, one)| is_it(one))?;
    Some(values.settled_contents(copy))
}
