//! Lock step: where the threads of a warp that runs in step are apart.
//!
//! Old code takes the threads of a warp to execute each instruction together. At a
//! branch that sends them different ways they are *apart*: the ways are executed
//! one after the other, in an order that is not specified, until all threads are at
//! the place where every way from the branch meets. Before and after they are in
//! step again.
//!
//! So two accesses of one warp are unordered in two cases only: they are the same
//! instruction at the same visit, or they lie on different ways from one visit of a
//! branch ([`Apart`]). All other pairs are ordered as the program is.
//!
//! **Where ways meet.** At the closest post-dominator of the branch. SOUNDNESS: post-
//! dominance does not see iterations. If a way can go round a loop before it gets
//! there (`while (…) { if (c) continue; x; }`), threads would meet in different
//! iterations. Then the meeting point is taken to be the first one outside of that
//! loop, and everything in the loop counts as apart from everything in it
//! (kernels/warp/lockstep-continue-bug).
//!
//! Loops around the branch whose headers no way passes are at the same visit for
//! both threads as long as they are apart.

use std::collections::BTreeSet;

use duet_analysis::{Dominators, Loops, PostDominators};
use duet_ir::{Block, Function};

/// A branch at which threads may part, and the blocks on its ways until they meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// The block that ends in the branch.
    pub branch: Block,
    /// For each edge, the blocks that can be reached over it before the ways meet.
    pub ways: Vec<BTreeSet<Block>>,
}

impl Apart {
    /// The branches of a kernel that `may_part` threads.
    pub fn all(
        func: &Function,
        dominators: &Dominators,
        loops: &Loops,
        may_part: &dyn Fn(Block) -> bool,
    ) -> Vec<Apart> {
        let post = PostDominators::new(func, dominators);
        let reachable = func.layout.iter().filter(|&&block| dominators.is_reachable(block));
        reachable
            .filter(|&&block| func.successors(block).count() > 1 && may_part(block))
            .map(|&block| Apart::new(func, &post, loops, block))
            .collect()
    }

    fn new(func: &Function, post: &PostDominators, loops: &Loops, branch: Block) -> Apart {
        let mut meeting = post.immediate(branch);
        loop {
            let ways: Vec<BTreeSet<Block>> =
                func.successors(branch).map(|start| reach(func, start, meeting)).collect();
            let apart = Apart { branch, ways };
            let again = meeting.is_some_and(|meeting| {
                let mut around = loops.around(branch).filter(|&id| loops.contains(id, meeting));
                around.any(|id| apart.passes(loops.data(id).header))
            });
            if !again {
                return apart;
            }
            meeting = meeting.and_then(|meeting| post.immediate(meeting));
        }
    }

    /// Does some way pass the block?
    pub fn passes(&self, block: Block) -> bool {
        self.ways.iter().any(|way| way.contains(&block))
    }

    /// Can two threads be at these places after they went different ways?
    pub fn parts(&self, first: Block, second: Block) -> bool {
        let on = |block: Block| {
            let numbered = self.ways.iter().enumerate();
            numbered.filter(move |(_, way)| way.contains(&block)).map(|(number, _)| number)
        };
        on(first).any(|one| on(second).any(|other| one != other))
    }
}

/// The blocks that can be reached from `start` without passing `stop`.
fn reach(func: &Function, start: Block, stop: Option<Block>) -> BTreeSet<Block> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(block) = open.pop() {
        if Some(block) != stop && found.insert(block) {
            open.extend(func.successors(block));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use duet_analysis::{Dominators, Loops};
    use duet_ir::{Block, EntityRef};

    use super::Apart;

    /// The blocks on each way from a branch.
    fn ways(body: &str, branch: usize) -> Vec<Vec<usize>> {
        let text = format!("module cuda 64\nkernel k symbol k (c: i1 v9) {{\n{body}}}\n");
        let module = duet_ir::Module::parse(&text).expect("the text is right");
        let func = module.functions.values().next().expect("a kernel");
        let dominators = Dominators::new(func);
        let loops = Loops::new(func, &dominators);
        let all = Apart::all(func, &dominators, &loops, &|block| block == Block::new(branch));
        all[0].ways.iter().map(|way| way.iter().map(|block| block.index()).collect()).collect()
    }

    #[test]
    fn ways_end_where_they_meet() {
        let body = "bb0:\n  br v9, bb1, bb2\nbb1:\n  jump bb3\nbb2:\n  jump bb3\nbb3:\n  return\n";
        assert_eq!(ways(body, 0), [vec![1], vec![2]]);
    }

    #[test]
    fn those_who_leave_a_loop_wait_behind_it() {
        let body = "bb0:\n  jump bb1\nbb1:\n  br v9, bb2, bb3\nbb2:\n  jump bb1\nbb3:\n  return\n";
        assert_eq!(ways(body, 1), [vec![1, 2], vec![]]);
    }

    #[test]
    fn ways_round_a_loop_meet_behind_it() {
        // while (true) { if (c) continue; x; if (c) break; }
        let body =
            "bb0:\n  jump bb1\nbb1:\n  br v9, bb1, bb2\nbb2:\n  br v9, bb3, bb1\nbb3:\n  return\n";
        assert_eq!(ways(body, 1), [vec![1, 2], vec![1, 2]]);
    }

    #[test]
    fn who_returned_never_meets_the_others() {
        let body = "bb0:\n  br v9, bb1, bb2\nbb1:\n  return\nbb2:\n  jump bb3\nbb3:\n  return\n";
        assert_eq!(ways(body, 0), [vec![1], vec![2, 3]]);
    }
}
