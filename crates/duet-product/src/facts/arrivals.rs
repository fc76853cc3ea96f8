//! Which threads of a block come to a barrier that others left for good before.
//!
//! A thread that has not returned comes to every barrier that the others of its block come to:
//! that is what the check of divergence proves. So a thread comes to a barrier if it took none of
//! the *exits*: branches from where the barrier can still be reached to where it cannot.
//!
//! Exits that are looked at stand in no loop, so each thread meets each of them once at most. One
//! out of a loop that holds the barrier is none: a thread that leaves such a loop while others
//! go on is divergent, whatever it does then.
//!
//! SOUNDNESS: a thread that would take an exit counts as gone, whether it comes to it or not
//! (kernels/claims/02-instance-that-left), and where an exit cannot be told, no thread is known to
//! come (kernels/claims/76-left-in-loop).

use std::collections::BTreeSet;

use duet_ir::{Block, Inst, Terminator, Value};

use super::KernelFacts;

/// A branch that leads away from a barrier for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The condition of the branch.
    pub cond: Value,
    /// It is taken if the condition is true; else if it is false.
    pub when: bool,
}

impl KernelFacts<'_> {
    /// The exits before a barrier; `None` if there is one that cannot be told.
    pub(super) fn exits_before(&self, barrier: Inst) -> Option<Vec<Exit>> {
        let at = self.block_of(barrier)?;
        let reaches = self.reaching(at);
        let mut exits = vec![];
        for &block in reaches.iter().filter(|&&block| block != at) {
            let leaves = |to: &Block| !reaches.contains(to);
            if !self.func.successors(block).any(|to| leaves(&to)) {
                continue;
            }
            let mut around = self.loops.around(block);
            let is_around_both = |id| self.loops.contains(id, at);
            match around.next() {
                None => {}
                Some(id) if is_around_both(id) => continue,
                Some(_) => return None,
            }
            let Terminator::Branch { cond, then, .. } = &self.func.blocks[block].terminator else {
                return None;
            };
            exits.push(Exit { cond: *cond, when: leaves(&then.block) });
        }
        Some(exits)
    }

    /// The blocks from which a block can be reached, itself too.
    fn reaching(&self, at: Block) -> BTreeSet<Block> {
        let reachable = self.dominators.reverse_postorder();
        let mut found = BTreeSet::from([at]);
        let mut grows = true;
        while grows {
            let before = found.len();
            // Successors come first in this order, but for back edges.
            for &block in reachable.iter().rev() {
                if self.func.successors(block).any(|to| found.contains(&to)) {
                    found.insert(block);
                }
            }
            grows = found.len() > before;
        }
        found
    }
}
