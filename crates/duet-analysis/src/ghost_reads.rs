//! Ghost reads of memory that no thread changes at that time.
//!
//! A ghost read belongs to an annotation. It is no access, so nothing races with it, and
//! the freedom from races says nothing about what it yields. Two kinds of ghost reads
//! have a certain value all the same:
//!
//! * A *quiet* read: no thread may write the array from the start of the interval that
//!   the read belongs to up to the read. That is judged for all threads that share the
//!   array: by intervals of the block for shared memory; global memory is quiet only if
//!   the kernel never writes it, since other blocks may be anywhere.
//! * A read of a *precondition* of the kernel, before any thread can have written:
//!   preconditions speak of the memory that the launch finds.
//!
//! Every other ghost read is left to the encoder. Both answers are *must* facts: writes
//! and paths are over-approximated.
//!
//! Cost: the intervals of the block, and for each ghost read the writes of its array.

use std::collections::BTreeSet;

use duet_ir::{
    AccessMode, AnnotationKind, Block, Func, Function, Inst, InstData, Module, SecondaryMap, Space,
    Value,
};

use crate::{ArrayUses, Barriers, Interval, Intervals, Loops, Scope};

/// The ghost reads of a kernel whose value is certain.
#[derive(Clone, Debug, Default)]
pub struct GhostReads {
    quiet: BTreeSet<Inst>,
    of_launch: BTreeSet<Inst>,
}

impl GhostReads {
    /// Of a function of a well-formed module.
    pub fn new(module: &Module, func: Func, loops: &Loops, uses: &ArrayUses) -> GhostReads {
        let function = &module.functions[func];
        let reads: Vec<(Block, usize, Inst)> = places(function)
            .filter(|&(_, _, inst)| {
                matches!(&function.insts[inst], InstData::Load { access, .. } if access.ghost)
            })
            .collect();
        if reads.is_empty() {
            return GhostReads::default();
        }
        let barriers = Barriers::new(module, func);
        let shared = Some(Space::Shared);
        let intervals = Intervals::new(function, loops, &barriers, Scope::Block, shared);
        let judge = Judge { module, function, uses, intervals };
        let is_quiet = |&&(block, index, inst): &&(Block, usize, Inst)| {
            barriers.opaque_calls().is_empty() && judge.is_quiet(block, index, inst)
        };
        let quiet = reads.iter().filter(is_quiet).map(|&(_, _, inst)| inst).collect();
        let stated = only_in_preconditions(function);
        let late = late_blocks(module, function);
        let is_of_launch = |&&(block, index, inst): &&(Block, usize, Inst)| {
            let before = &function.blocks[block].insts[..index];
            let is_late =
                late.contains(&block) || before.iter().any(|&inst| acts(module, function, inst));
            stated.contains(&inst) && !is_late
        };
        let of_launch = reads.iter().filter(is_of_launch).map(|&(_, _, inst)| inst).collect();
        GhostReads { quiet, of_launch }
    }

    /// Does the read yield what the array held at the start of the interval?
    pub fn is_quiet(&self, inst: Inst) -> bool {
        self.quiet.contains(&inst)
    }

    /// Does the read yield what the launch found in the array?
    pub fn is_of_launch(&self, inst: Inst) -> bool {
        self.of_launch.contains(&inst)
    }
}

/// Every instruction with its place.
fn places(function: &Function) -> impl Iterator<Item = (Block, usize, Inst)> + '_ {
    function.layout.iter().flat_map(|&block| {
        let insts = function.blocks[block].insts.iter().enumerate();
        insts.map(move |(index, &inst)| (block, index, inst))
    })
}

struct Judge<'a> {
    module: &'a Module,
    function: &'a Function,
    uses: &'a ArrayUses,
    intervals: Intervals,
}

impl Judge<'_> {
    fn is_quiet(&self, block: Block, index: usize, inst: Inst) -> bool {
        let InstData::Load { access, .. } = &self.function.insts[inst] else { return false };
        let writes = self.uses.writes(access.array);
        if writes.is_empty() {
            return true;
        }
        // SOUNDNESS: another block may write global memory at any time
        // (kernels/soundness/86-ghost-other-block).
        if self.module.arrays[access.array].space != Space::Shared {
            return false;
        }
        // A copy goes on over barriers, and a ghost store is not compared with anything.
        writes.iter().all(|write| {
            write.kind == AccessMode::Store
                && !write.ghost
                && !self.may_meet(write.inst, (block, index))
        })
    }

    /// May a thread be at the write, or have returned since, while another one of its
    /// block is at the read?
    fn may_meet(&self, write: Inst, read: (Block, usize)) -> bool {
        let places = places(self.function).filter(|&(_, _, inst)| inst == write);
        places.into_iter().any(|(block, index, _)| {
            let around = self.intervals.iter().filter(|interval| interval.contains(block, index));
            around.into_iter().any(|interval| {
                interval.contains(read.0, read.1)
                    || self.returns_from((block, index)) && self.is_after(interval, read)
            })
        })
    }

    /// SOUNDNESS: nothing orders the last writes of a thread that has returned before
    /// what the others do after later barriers (kernels/soundness/85-ghost-returned).
    fn returns_from(&self, (block, index): (Block, usize)) -> bool {
        self.intervals.may_come_next(self.function, block, index).1
    }

    /// May a thread get from the interval, over barriers, to the place?
    fn is_after(&self, interval: &Interval, (block, index): (Block, usize)) -> bool {
        let mut seen: BTreeSet<Inst> = BTreeSet::new();
        let mut work: Vec<Inst> = interval.ends.iter().copied().collect();
        while let Some(barrier) = work.pop() {
            if !seen.insert(barrier) {
                continue;
            }
            match self.intervals.starting_at(crate::Start::Barrier(barrier)) {
                Some(later) if later.contains(block, index) => return true,
                Some(later) => work.extend(&later.ends),
                None => return true,
            }
        }
        false
    }
}

/// Instructions after which memory need not be what the launch found.
fn acts(module: &Module, function: &Function, inst: Inst) -> bool {
    match &function.insts[inst] {
        InstData::Store { access, .. } => {
            !access.ghost && module.arrays[access.array].space != Space::Private
        }
        InstData::Atomic { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Exchange { .. }
        | InstData::Fence { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => true,
        InstData::Load { access, .. } => access.volatile,
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

/// Blocks that a thread may get to after such an instruction.
fn late_blocks(module: &Module, function: &Function) -> BTreeSet<Block> {
    let mut late = BTreeSet::new();
    let mut work: Vec<Block> = places(function)
        .filter(|&(_, _, inst)| acts(module, function, inst))
        .flat_map(|(block, _, _)| function.successors(block).collect::<Vec<_>>())
        .collect();
    while let Some(block) = work.pop() {
        if late.insert(block) {
            work.extend(function.successors(block));
        }
    }
    late
}

/// The instructions whose results serve preconditions and nothing else.
fn only_in_preconditions(function: &Function) -> BTreeSet<Inst> {
    let mut users: SecondaryMap<Value, Vec<Inst>> = SecondaryMap::new();
    for (_, _, inst) in places(function) {
        for value in function.insts[inst].values() {
            users[value].push(inst);
        }
    }
    let at_ends = used_at_ends(function);
    let mut only: BTreeSet<Inst> = BTreeSet::new();
    // Users come after what they use, in the order of the layout; what does not is left out.
    for (_, _, inst) in places(function).collect::<Vec<_>>().into_iter().rev() {
        let serves = |&value: &Value| {
            !at_ends.contains(&value) && users[value].iter().all(|user| only.contains(user))
        };
        let data = &function.insts[inst];
        let is_one = if let InstData::Annotation { kind, .. } = data {
            matches!(kind, AnnotationKind::Requires | AnnotationKind::GlobalRequires)
        } else {
            let is_plain_load = matches!(data, InstData::Load { access, .. } if !access.ghost);
            !is_plain_load && !acts_for_itself(data) && function.results_of[inst].iter().all(serves)
        };
        if is_one {
            only.insert(inst);
        }
    }
    only
}

/// Does the instruction matter whether or not its results are used?
fn acts_for_itself(data: &InstData) -> bool {
    let is_value = data.is_pure()
        || matches!(data, InstData::Binary { .. } | InstData::Load { .. } | InstData::Ghost { .. });
    !is_value
}

/// The values that terminators use: conditions, and what is bound to parameters.
fn used_at_ends(function: &Function) -> BTreeSet<Value> {
    let ends = function.layout.iter().map(|&block| &function.blocks[block].terminator);
    ends.flat_map(|terminator| terminator.values()).collect()
}
