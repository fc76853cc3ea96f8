//! On which branches it depends whether a block is visited.
//!
//! Block `c` depends on the edge `n` of block `b` if taking that edge leads to
//! `c` on every path that returns, and `b` need not lead there (Ferrante,
//! Ottenstein and Warren, "The program dependence graph", 1987). Blocks that
//! cannot return have no post-dominators; they depend on the edges that lead into
//! their region, and every edge between them counts.
//!
//! It is exact for the graph, and direct: the transitive closure is
//! [`ControlDependence::closure`]. It speaks of visits as a whole, not of
//! iterations (see the header of [`crate::PostDominators`]); uniformity needs the
//! latter and has a walk of its own.
//!
//! Cost: the size of the result, at most edges times depth of the tree.

use std::collections::BTreeSet;
use std::fmt;

use duet_ir::{Block, Function, SecondaryMap, Value};

use crate::{Dominators, PostDominators};

/// An outgoing edge of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeId {
    /// The block.
    pub from: Block,
    /// The number of the edge, in the order of `Terminator::edges`.
    pub index: usize,
}

impl EdgeId {
    /// What the edge brings to the parameter of this number of its target.
    pub(crate) fn argument(self, func: &Function, param: usize) -> Value {
        func.blocks[self.from].terminator.edges()[self.index].args[param]
    }
}

impl fmt::Display for EdgeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.from, self.index)
    }
}

/// The edges that each block is control dependent on.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    edges: SecondaryMap<Block, BTreeSet<EdgeId>>,
    order: Vec<Block>,
}

impl ControlDependence {
    /// Of a well-formed function.
    pub fn new(func: &Function, dominators: &Dominators, post: &PostDominators) -> Self {
        let order = dominators.reverse_postorder().to_vec();
        let mut result = ControlDependence { edges: SecondaryMap::new(), order: order.clone() };
        for from in order {
            let targets: Vec<Block> = func.successors(from).collect();
            for (index, &to) in targets.iter().enumerate().filter(|_| targets.len() > 1) {
                result.add_edge(func, post, EdgeId { from, index }, to);
            }
        }
        result
    }

    /// The edges that decide directly whether the block is visited.
    pub fn edges(&self, block: Block) -> &BTreeSet<EdgeId> {
        &self.edges[block]
    }

    /// The blocks whose branches decide, directly or through one another,
    /// whether the block is visited.
    pub fn closure(&self, block: Block) -> BTreeSet<Block> {
        let mut found = BTreeSet::new();
        let mut work = vec![block];
        while let Some(next) = work.pop() {
            work.extend(self.edges[next].iter().map(|edge| edge.from).filter(|&b| found.insert(b)));
        }
        found
    }

    /// Adds what depends on one edge: `to` and what post-dominates it, up to
    /// what post-dominates the branch as well.
    fn add_edge(&mut self, func: &Function, post: &PostDominators, edge: EdgeId, to: Block) {
        if !post.may_return(to) {
            return self.add_region(func, edge, to);
        }
        let stop = post.immediate(edge.from);
        let mut at = Some(to);
        while let Some(block) = at.filter(|&block| Some(block) != stop) {
            self.edges[block].insert(edge);
            at = post.immediate(block);
        }
    }

    /// Everything that can be reached from a block that cannot return.
    fn add_region(&mut self, func: &Function, edge: EdgeId, start: Block) {
        let mut work = vec![start];
        while let Some(block) = work.pop() {
            if self.edges[block].insert(edge) {
                work.extend(func.successors(block));
            }
        }
    }
}

impl fmt::Display for ControlDependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &block in self.order.iter().filter(|&&block| !self.edges[block].is_empty()) {
            write!(f, "{block}: depends on")?;
            self.edges[block].iter().try_for_each(|edge| write!(f, " {edge}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
