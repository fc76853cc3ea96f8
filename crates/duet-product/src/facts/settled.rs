//! Arrays that the threads of a block write before a barrier and never after it.
//!
//! Such an array is *settled* by the barrier: from there on its contents are one and the same
//! map for all threads of the block, in every interval that follows. So what is said about
//! all of its elements, a sum of them for one, means the same at all those times.

use std::collections::BTreeSet;

use duet_ir::{Array, Block, Inst, InstData, Space};

use super::KernelFacts;

impl KernelFacts<'_> {
    /// Is a shared array settled by a barrier of the block that orders it?
    ///
    /// SOUNDNESS: no thread writes it later (kernels/claims/46-sum-of-rewritten). A thread that
    /// has passed the barrier did so once, together with all threads of its block, hence in no
    /// loop, and none may have returned instead of coming to it; nothing is known of what a
    /// function without a body writes. All code behind the barrier is reached through it
    /// alone: who has come to a place where something is said of the contents has passed it,
    /// so that what is claimed there was proved of a run (kernels/claims/49-settled-in-branch).
    pub fn may_settle(&self, array: Array, barrier: Inst) -> bool {
        let Some(block) = self.block_of(barrier) else { return false };
        let calls = |&inst: &Inst| {
            matches!(self.func.insts[inst], InstData::Call { .. } | InstData::CallUnknown { .. })
        };
        let later = self.reachable_after(block);
        let is_later = |inst: Inst| match self.block_of(inst) {
            Some(home) if home == block => self.position(inst) > self.position(barrier),
            Some(home) => later.contains(&home),
            None => true,
        };
        self.module.arrays[array].space == Space::Shared
            && self.claims.all_arrive
            && !self.ordered.contains(&array)
            && self.loops.around(block).next().is_none()
            && later.iter().all(|&next| self.dominators.strictly_dominates(block, next))
            && !self.func.insts_in_order().any(|inst| calls(&inst))
            && !self.uses.writes(array).iter().any(|write| is_later(write.inst))
    }

    /// Are the contents of the array those that its barrier left, when a thread is at the
    /// instruction, or has just passed it if it is a barrier?
    pub fn is_settled_at(&self, array: Array, inst: Inst) -> bool {
        let Some(&barrier) = self.settled.get(&array) else { return false };
        let (Some(from), Some(to)) = (self.block_of(barrier), self.block_of(inst)) else {
            return false;
        };
        match from == to {
            true => self.position(inst) >= self.position(barrier),
            false => self.dominators.strictly_dominates(from, to),
        }
    }

    /// The same for the start of a block.
    pub fn is_settled_in(&self, array: Array, block: Block) -> bool {
        let from = self.settled.get(&array).and_then(|&barrier| self.block_of(barrier));
        from.is_some_and(|from| self.dominators.strictly_dominates(from, block))
    }

    fn position(&self, inst: Inst) -> Option<usize> {
        let block = self.block_of(inst)?;
        self.func.blocks[block].insts.iter().position(|&other| other == inst)
    }

    /// The blocks that a thread may come to after it has left one.
    fn reachable_after(&self, block: Block) -> BTreeSet<Block> {
        let mut seen = BTreeSet::new();
        let mut open: Vec<Block> = self.func.successors(block).collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(self.func.successors(next));
            }
        }
        seen
    }
}
