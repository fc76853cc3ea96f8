//! Dominance and post-dominance between the blocks of a function.
//!
//! Both are exact for the graph, and therefore *must* facts about runs: runs use
//! a subset of its paths. Post-dominance looks at paths that end the thread in
//! `return`: a path into `halt` has failed and is no end (see the header of
//! `duet-ir`), and a path that goes on for ever has no end either. So in
//! `if (bad) halt; rest` the rest post-dominates the test.
//!
//! Post-dominance is blind to iterations: in `while (1) { if (c) continue; x;
//! if (d) break; }` the statement `x` post-dominates the test of `c`, and yet one
//! thread may skip it in an iteration in which another does not. Uniformity
//! therefore does not use it.
//!
//! Cost: near-linear in the edges; questions are two comparisons.

use std::fmt;

use duet_ir::{Block, EntityRef, Function, Terminator};

use crate::graph::{DomTree, Successors};

/// Which block dominates which.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: DomTree,
    order: Vec<Block>,
}

impl Dominators {
    /// Of a well-formed function.
    pub fn new(func: &Function) -> Dominators {
        let tree = DomTree::new(&successors(func), func.entry().index());
        let order = tree.order.iter().map(|&node| Block::new(node)).collect();
        Dominators { tree, order }
    }

    /// Does some path lead from the entry to the block?
    pub fn is_reachable(&self, block: Block) -> bool {
        self.tree.is_reached(block.index())
    }

    /// The closest other block that dominates this one; none for the entry and
    /// for blocks that cannot be reached.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.tree.parent(block.index()).map(Block::new)
    }

    /// Does every path from the entry to `b` pass `a`? True of a `b` that cannot
    /// be reached.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a.index(), b.index())
    }

    /// Does `a` dominate `b`, and is another block?
    pub fn strictly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The blocks that can be reached, each before its successors, back edges
    /// aside.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.order
    }
}

/// Which block post-dominates which, with respect to `return`.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: DomTree,
    /// The node of the virtual exit, which follows every `return`.
    exit: usize,
}

impl PostDominators {
    /// Of a well-formed function.
    pub fn new(func: &Function, dominators: &Dominators) -> PostDominators {
        let exit = func.blocks.len();
        let mut reversed: Successors = vec![Vec::new(); exit + 1];
        for &block in dominators.reverse_postorder() {
            for successor in func.successors(block) {
                reversed[successor.index()].push(block.index());
            }
            if matches!(func.blocks[block].terminator, Terminator::Return(_)) {
                reversed[exit].push(block.index());
            }
        }
        PostDominators { tree: DomTree::new(&reversed, exit), exit }
    }

    /// Can a thread in this block still return? Not if every path from here
    /// halts or goes on for ever.
    pub fn may_return(&self, block: Block) -> bool {
        self.tree.is_reached(block.index())
    }

    /// The closest other block that post-dominates this one; none where only the
    /// kernel's end does, and where [`PostDominators::may_return`] is false.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        let parent = self.tree.parent(block.index())?;
        (parent != self.exit).then(|| Block::new(parent))
    }

    /// Does every path from `b` to a `return` pass `a`? True of a `b` that
    /// cannot return.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a.index(), b.index())
    }
}

/// The successors of every block of the layout, by number.
fn successors(func: &Function) -> Successors {
    let mut result = vec![Vec::new(); func.blocks.len()];
    for &block in &func.layout {
        result[block.index()] = func.successors(block).map(|to| to.index()).collect();
    }
    result
}

impl fmt::Display for Dominators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &block in &self.order {
            match self.immediate(block) {
                Some(parent) => writeln!(f, "{block}: dominated by {parent}")?,
                None => writeln!(f, "{block}: entry")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for PostDominators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in (0..self.exit).map(Block::new).filter(|&block| self.may_return(block)) {
            match self.immediate(block) {
                Some(parent) => writeln!(f, "{block}: post-dominated by {parent}")?,
                None => writeln!(f, "{block}: post-dominated by the end only")?,
            }
        }
        Ok(())
    }
}
