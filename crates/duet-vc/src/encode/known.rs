//! Cells whose contents a thread knows, though others share the memory.
//!
//! A cell is *known* if a plain access of the thread covers it, and since then the thread
//! passed nothing that may order it after another thread (barriers of any scope, fences,
//! atomics, volatile accesses, copies, exchanges, calls). A write of another thread would
//! race with that access, and by the argument about the first race there was none. Two
//! things rest on it:
//!
//! *Carry.* When a barrier is complete, a known cell still holds what the thread sees
//! there: another's write before the barrier would race with the access, one after it comes
//! later. So the contents after the barrier, unknown otherwise, agree there with those
//! before ([`KnownCells::carried`]).
//!
//! *Ghost reads.* A ghost read is no access: nothing races with it, so another thread may write its cell
//! at that very moment, and what this thread last saw there may be old. It yields what the
//! thread sees if
//!
//! * no thread writes the array at that time ([`duet_analysis::GhostReads`]), or
//! * the cell is known, or the thread itself wrote it, at any time, in an array of which
//!   each place has one writer.
//!
//! Otherwise it yields an unknown. If the thread later makes a plain access to the cell,
//! with nothing such in between, the cell did not change before it, and from there on the
//! unknown is what the thread saw. So an assumption about a cell that is then loaded keeps
//! its use.
//!
//! Cells are kept only for kernels that have ghost reads, or arrays that are carried.

use std::collections::HashMap;

use duet_analysis::Loop;
use duet_ir::{Access, Array, Function, Inst, InstData, Space, Value};
use duet_product::Node;
use duet_smt::TermId;

use super::Kernel;
use super::values::Values;
use crate::ops;
use crate::symbols::Origin;
use crate::walk::{KnownCell, Point, SiteTerm, Unseen};

/// Cells of each kind that are kept, at most: the latest.
const MAX_CELLS: usize = 48;
/// Cells that are carried over one barrier, at most.
const MAX_CARRIED: usize = 16;

/// What a thread may still say about cells, at some place of its walk.
#[derive(Clone, Default)]
struct Cells {
    /// Those that it accessed.
    known: Vec<Cell>,
    /// Those that a ghost read found unknown.
    open: Vec<Cell>,
}

/// A cell of an array.
#[derive(Clone, Copy)]
struct Cell {
    /// The access or ghost read, which tells cells apart.
    at: Point,
    /// It happened, and nothing that orders threads came after it.
    guard: TermId,
    array: Array,
    offset: TermId,
    bytes: u32,
    /// The access writes.
    writes: bool,
    /// Of a ghost read: it yielded what the thread saw.
    is_seen: TermId,
}

/// Does the function read memory for annotations?
fn has_ghost_reads(func: &Function) -> bool {
    let is_one = |data: &InstData| matches!(data, InstData::Load { access, .. } if access.ghost);
    let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.into_iter().any(|&inst| is_one(&func.insts[inst]))
}

/// The cells that others cannot have changed.
#[derive(Default)]
pub(super) struct KnownCells {
    /// At the end of each node.
    cells: HashMap<Node, Cells>,
    /// Are there ghost reads or carried arrays, for which these cells are kept?
    is_kept: bool,
}

impl KnownCells {
    /// No cells yet.
    pub(super) fn new(kernel: Kernel<'_>) -> KnownCells {
        let is_kept = !kernel.facts.carried.is_empty() || has_ghost_reads(kernel.func);
        KnownCells { cells: HashMap::new(), is_kept }
    }

    /// The cells at the end of a node that still hold after a barrier what they held
    /// before it: the latest.
    ///
    /// SOUNDNESS: only those accessed since the thread last passed something that orders
    /// threads, path by path (kernels/soundness/95-carry-two-barriers,
    /// 95-carry-maybe-barrier).
    pub(super) fn carried(&self, values: &Values, node: Node) -> Vec<KnownCell> {
        let carried = &values.kernel.facts.carried;
        let known = self.cells.get(&node).map_or(&[][..], |cells| &cells.known[..]);
        let cells = known.iter().rev().filter(|cell| carried.contains(&cell.array));
        let cells = cells.take(MAX_CARRIED).map(|cell| {
            let &Cell { guard, array, offset, bytes, .. } = cell;
            KnownCell { guard, array, offset, bytes }
        });
        cells.collect()
    }

    /// What a ghost read yields, where the thread sees `seen`.
    ///
    /// SOUNDNESS: kernels/soundness/80-ghost-read-of-others.
    pub(super) fn read(
        &mut self,
        values: &mut Values,
        inst: Inst,
        array: Array,
        offset: TermId,
        value: Value,
        seen: TermId,
    ) -> TermId {
        let reads = &values.kernel.facts.ghost_reads;
        let private = values.kernel.module.arrays[array].space == Space::Private;
        if private || reads.is_quiet(inst) || reads.is_of_launch(inst) {
            return seen;
        }
        let ty = values.kernel.func.type_of(value);
        let bytes = ty.bytes().expect("memory holds numbers");
        let known = self.is_known(values, array, offset, bytes);
        if known == values.pool.tt() {
            return seen;
        }
        let name = values.symbol(&format!("{value}"), false);
        let unknown = values.pool.constant(&name, ops::sort_of(ty));
        let unknown = values.note(unknown, Origin::Value(value), false);
        let is_seen = values.pool.eq(unknown, seen);
        let (at, guard) = (values.point(), values.walk.reach[&values.node]);
        values.walk.unseen.push(Unseen { inst, at, is_seen });
        let cell = Cell { at, guard, array, offset, bytes, writes: false, is_seen };
        push(&mut self.cells.entry(values.node).or_default().open, cell);
        values.pool.ite(known, seen, unknown)
    }

    /// Does an access that still counts cover the cell?
    fn is_known(
        &mut self,
        values: &mut Values,
        array: Array,
        offset: TermId,
        bytes: u32,
    ) -> TermId {
        let here = values.conjuncts(values.walk.reach[&values.node]);
        let cells = self.cells.get(&values.node).map_or(vec![], |cells| cells.known.clone());
        let mut covered = vec![];
        for cell in cells.into_iter().filter(|cell| cell.array == array) {
            if let Some(covers) = covers(values, cell.offset, cell.bytes, offset, bytes) {
                let is_certain =
                    values.conjuncts(cell.guard).iter().all(|part| here.contains(part));
                covered.push(match is_certain {
                    true => covers,
                    false => values.pool.and2(cell.guard, covers),
                });
            }
        }
        values.pool.or(&covered)
    }

    /// A plain access: its cells are known from here on, and ghost reads of them were
    /// right.
    pub(super) fn note_access(&mut self, values: &mut Values, site: &SiteTerm, volatile: bool) {
        if !self.is_kept || volatile {
            return;
        }
        let open = self.cells.get(&values.node).map_or(vec![], |cells| cells.open.clone());
        for cell in open.into_iter().filter(|cell| cell.array == site.array) {
            if let Some(covers) = covers(values, site.offset, site.bytes, cell.offset, cell.bytes) {
                let is_it = values.pool.and2(cell.guard, covers);
                let fact = values.pool.implies(is_it, cell.is_seen);
                values.assume(fact);
            }
        }
        let &SiteTerm { at, guard, array, offset, bytes, writes, .. } = site;
        let is_seen = values.pool.tt();
        let cell = Cell { at, guard, array, offset, bytes, writes, is_seen };
        push(&mut self.cells.entry(values.node).or_default().known, cell);
    }

    /// At the start nothing is known, but what the thread wrote where no other thread does.
    pub(super) fn start(&mut self, values: &mut Values, node: Node) {
        if !self.is_kept {
            return;
        }
        let mut cells = Cells::default();
        let is_seen = values.pool.tt();
        let before = values.start.before.iter().flat_map(|before| &before.sites);
        for (number, site) in before.enumerate() {
            let is_own = site.writes && !site.by_agent && site.atomic.is_none();
            if is_own && values.kernel.single_writers.contains(&site.array) {
                let &SiteTerm { guard, array, offset, bytes, writes, .. } = site;
                // Points of that walk may be the same as points of this one.
                let at = Point { node, moment: u32::MAX - number as u32 };
                let cell = Cell { at, guard, array, offset, bytes, writes, is_seen };
                push(&mut cells.known, cell);
            }
        }
        self.cells.insert(node, cells);
    }

    /// Where ways meet, each cell counts on the ways that bring it.
    ///
    /// SOUNDNESS: path by path: on another way it may have been forgotten
    /// (kernels/soundness/83-ghost-maybe-ordered).
    pub(super) fn merge(
        &mut self,
        values: &mut Values,
        node: Node,
        incoming: &[(TermId, Vec<TermId>, Node)],
    ) {
        if !self.is_kept {
            return;
        }
        let ways: Vec<(TermId, Cells)> = incoming
            .iter()
            .map(|(guard, _, from)| (*guard, self.cells.get(from).cloned().unwrap_or_default()))
            .collect();
        let known: Vec<_> = ways.iter().map(|(guard, cells)| (*guard, &cells.known[..])).collect();
        let open: Vec<_> = ways.iter().map(|(guard, cells)| (*guard, &cells.open[..])).collect();
        let (known, open) = (merged(values, &known), merged(values, &open));
        self.cells.insert(node, Cells { known, open });
    }

    /// Forgets cells where an instruction may order the thread after another one.
    pub(super) fn forget_at(&mut self, values: &mut Values, data: &InstData) {
        if self.is_kept && may_order(values.kernel, data) {
            self.forget(values, values.node);
        }
    }

    /// Forgets cells at the head of a loop that is cut, if it holds such an instruction.
    pub(super) fn forget_of_loop(&mut self, values: &mut Values, node: Node, id: Loop) {
        let func = values.kernel.func;
        let blocks = &values.kernel.loops.data(id).blocks;
        let mut insts = blocks.iter().flat_map(|&block| &func.blocks[block].insts);
        if self.is_kept && insts.any(|&inst| may_order(values.kernel, &func.insts[inst])) {
            self.forget(values, node);
        }
    }

    /// SOUNDNESS: what the thread wrote in an array of single writers stays known; nothing
    /// else does (kernels/soundness/83-ghost-maybe-ordered, 84-ghost-warp-mate).
    fn forget(&mut self, values: &mut Values, node: Node) {
        let single_writers = &values.kernel.facts.single_writers;
        let cells = self.cells.entry(node).or_default();
        cells.known.retain(|cell| cell.writes && single_writers.contains(&cell.array));
        cells.open.clear();
    }
}

/// Adds a cell; the oldest goes if there are too many. Fewer say less, nothing wrong.
fn push(cells: &mut Vec<Cell>, cell: Cell) {
    if cells.len() == MAX_CELLS {
        cells.remove(0);
    }
    cells.push(cell);
}

/// Do the bytes of an access contain those of a cell?
///
/// SOUNDNESS: all of them, or others may write the rest
/// (kernels/soundness/82-ghost-part-known).
fn covers(
    values: &mut Values,
    at: TermId,
    size: u32,
    offset: TermId,
    bytes: u32,
) -> Option<TermId> {
    let more = size.checked_sub(bytes)?;
    if more == 0 {
        return Some(values.pool.eq(offset, at));
    }
    let distance = values.pool.bits().sub(offset, at);
    let width = values.pool.width(offset);
    let most = values.pool.bv(width, u128::from(more));
    Some(values.pool.compare().ule(distance, most))
}

fn merged(values: &mut Values, ways: &[(TermId, &[Cell])]) -> Vec<Cell> {
    let mut merged: Vec<Cell> = vec![];
    for cell in ways.iter().flat_map(|(_, cells)| *cells) {
        if merged.iter().any(|other| other.at == cell.at) {
            continue;
        }
        let find = |cells: &[Cell]| cells.iter().find(|other| other.at == cell.at).copied();
        let on_ways: Vec<(TermId, Option<Cell>)> =
            ways.iter().map(|(way, cells)| (*way, find(cells))).collect();
        let is_alike =
            on_ways.iter().all(|(_, other)| other.is_some_and(|it| it.guard == cell.guard));
        let guard = match is_alike {
            true => cell.guard,
            false => {
                let guards: Vec<TermId> = on_ways
                    .into_iter()
                    .filter_map(|(way, other)| Some(values.pool.and2(way, other?.guard)))
                    .collect();
                values.join(&guards)
            }
        };
        push(&mut merged, Cell { guard, ..*cell });
    }
    merged
}

/// May the instruction order the thread after another one, or release it?
fn may_order(kernel: Kernel<'_>, data: &InstData) -> bool {
    let is_volatile = |access: &Access| {
        access.volatile && kernel.module.arrays[access.array].space != Space::Private
    };
    match data {
        InstData::Load { access, .. } | InstData::Store { access, .. } => is_volatile(access),
        InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => true,
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
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. } => false,
    }
}
