//! What a thread of a run has accessed since the last barrier that orders it.
//!
//! A barrier of the block orders the accesses to the memory that its flags cover. Observers are
//! not told of barriers, but of blocks that are entered: when one is left, its last barrier and
//! the accesses behind it are known.

use duet_ir::{Array, ArrayOrigin, BarrierScope, Block, Function, Inst, InstData, Language, Space};
use duet_product::KernelFacts;

/// Offsets that are kept of each array and instruction.
const MOST_OF_ONE: usize = 5;

/// An access of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    /// The instruction.
    pub inst: Inst,
    /// The array.
    pub array: Array,
    /// Where, in bytes.
    pub offset: u64,
    /// A barrier of the block has ordered it: only threads of other blocks may meet it.
    pub is_ordered: bool,
}

/// The accesses of a thread.
#[derive(Clone, Default, Debug)]
pub(super) struct Pending {
    done: Vec<Done>,
    /// How many were made before the block that the thread is in.
    before_block: usize,
}

impl Pending {
    /// Those that are not ordered for all threads.
    pub(super) fn done(&self) -> &[Done] {
        &self.done
    }

    /// The thread makes an access.
    pub(super) fn note(&mut self, inst: Inst, array: Array, offset: u64) {
        let of_one = self.done.iter().filter(|one| one.inst == inst && !one.is_ordered).count();
        if of_one < MOST_OF_ONE {
            self.done.push(Done { inst, array, offset, is_ordered: false });
        }
    }

    /// The thread leaves a block.
    pub(super) fn leave(&mut self, facts: &KernelFacts<'_>, block: Block) {
        let insts = &facts.func.blocks[block].insts;
        let barriers = insts.iter().enumerate().filter(|(_, inst)| is_barrier(facts.func, **inst));
        let barriers: Vec<(usize, Inst)> = barriers.map(|(at, &inst)| (at, inst)).collect();
        let position = |inst: Inst| insts.iter().position(|&one| one == inst).unwrap_or(0);
        for (number, one) in self.done.iter_mut().enumerate() {
            let from = if number < self.before_block { 0 } else { position(one.inst) };
            let later = barriers.iter().filter(|(at, _)| *at >= from);
            one.is_ordered |= later.clone().any(|(_, barrier)| covers(facts, *barrier, one.array));
        }
        if barriers.iter().any(|(_, inst)| is_of_grid(facts.func, *inst)) {
            let last = barriers.iter().rfind(|(_, inst)| is_of_grid(facts.func, *inst));
            let last = last.map_or(0, |(at, _)| *at);
            let (mut number, before) = (0, self.before_block);
            self.done.retain(|one| {
                number += 1;
                number > before && position(one.inst) > last
            });
        }
        self.done.retain(|one| !one.is_ordered || is_global(facts, one.array));
        self.before_block = self.done.len();
    }
}

fn is_global(facts: &KernelFacts<'_>, array: Array) -> bool {
    matches!(facts.module.arrays[array].space, Space::Global)
}

fn is_barrier(func: &Function, inst: Inst) -> bool {
    matches!(func.insts[inst].barrier_scope(), Some(BarrierScope::Block | BarrierScope::Grid))
}

fn is_of_grid(func: &Function, inst: Inst) -> bool {
    func.insts[inst].barrier_scope() == Some(BarrierScope::Grid)
}

/// Does a barrier order accesses to an array? One whose flags are not given is taken to: what
/// is said of a run must be true of it.
fn covers(facts: &KernelFacts<'_>, barrier: Inst, array: Array) -> bool {
    let InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) } =
        facts.func.insts[barrier]
    else {
        return true;
    };
    let Some(flags) = facts.func.const_bits(flags) else { return true };
    let data = &facts.module.arrays[array];
    let is_image = facts.module.language == Language::OpenCl && data.origin == ArrayOrigin::Image;
    let bit = match data.space {
        Space::Shared => 0,
        Space::Global | Space::Constant if is_image => 2,
        Space::Global | Space::Constant | Space::Private => 1,
    };
    flags >> bit & 1 == 1
}
