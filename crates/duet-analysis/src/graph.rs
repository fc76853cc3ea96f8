//! Graph algorithms over nodes that are small integers: reverse postorder and
//! the dominator tree, of which dominators and post-dominators are two uses. Also
//! the edges into each block.
//!
//! The tree comes from the iteration to a fixed point over immediate dominators
//! (Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2001),
//! which is near-linear on the graphs of real kernels. Questions then cost two
//! comparisons.

use duet_ir::{Block, Function, SecondaryMap};

use crate::EdgeId;

/// The edges into each block from the given ones.
pub(crate) fn incoming(func: &Function, from: &[Block]) -> SecondaryMap<Block, Vec<EdgeId>> {
    let mut edges: SecondaryMap<Block, Vec<EdgeId>> = SecondaryMap::new();
    for &from in from {
        for (index, to) in func.successors(from).enumerate() {
            edges[to].push(EdgeId { from, index });
        }
    }
    edges
}

/// The successors of each node.
pub(crate) type Successors = Vec<Vec<usize>>;

/// The nodes that `root` reaches; each before its successors, back edges aside.
pub(crate) fn reverse_postorder(successors: &Successors, root: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    seen[root] = true;
    let mut stack = vec![(root, 0)];
    while let Some((node, next)) = stack.last_mut() {
        match successors[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Which node dominates which, from one root.
#[derive(Clone, Debug)]
pub(crate) struct DomTree {
    /// The parent; `None` for the root and for nodes that cannot be reached.
    parent: Vec<Option<usize>>,
    /// First and last clock tick of a walk of the tree below the node; `None`
    /// for nodes that cannot be reached.
    span: Vec<Option<(u32, u32)>>,
    /// The nodes that can be reached, in reverse postorder.
    pub(crate) order: Vec<usize>,
}

impl DomTree {
    pub(crate) fn new(successors: &Successors, root: usize) -> DomTree {
        let order = reverse_postorder(successors, root);
        let parent = immediate_dominators(successors, &order);
        let span = number_tree(&parent, &order);
        DomTree { parent, span, order }
    }

    pub(crate) fn is_reached(&self, node: usize) -> bool {
        self.span[node].is_some()
    }

    pub(crate) fn parent(&self, node: usize) -> Option<usize> {
        self.parent[node]
    }

    /// Does every path from the root to `b` pass `a`? True of a `b` that
    /// nothing reaches.
    pub(crate) fn dominates(&self, a: usize, b: usize) -> bool {
        match (self.span[a], self.span[b]) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some((a_in, a_out)), Some((b_in, b_out))) => a_in <= b_in && b_out <= a_out,
        }
    }
}

/// The parent of each node, by the node.
fn immediate_dominators(successors: &Successors, order: &[usize]) -> Vec<Option<usize>> {
    let mut position = vec![usize::MAX; successors.len()];
    order.iter().enumerate().for_each(|(n, &node)| position[node] = n);
    let mut predecessors = vec![Vec::new(); order.len()];
    for (n, &node) in order.iter().enumerate() {
        successors[node].iter().for_each(|&to| predecessors[position[to]].push(n));
    }
    // By position; the root is its own parent while this runs.
    let mut parents: Vec<Option<usize>> = vec![None; order.len()];
    parents[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for n in 1..order.len() {
            let met = predecessors[n].iter().copied().filter(|&p| parents[p].is_some());
            let new = met.reduce(|a, b| common_parent(&parents, a, b));
            if new != parents[n] {
                parents[n] = new;
                changed = true;
            }
        }
    }
    let mut result = vec![None; successors.len()];
    for n in 1..order.len() {
        result[order[n]] = parents[n].map(|parent| order[parent]);
    }
    result
}

/// The nearest node that dominates both; all are positions.
fn common_parent(parents: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    let parent = |n: usize| parents[n].expect("nodes before in the order have been met");
    while a != b {
        if a > b {
            a = parent(a);
        } else {
            b = parent(b);
        }
    }
    a
}

/// Numbers the tree by entry and exit of a walk.
fn number_tree(parent: &[Option<usize>], order: &[usize]) -> Vec<Option<(u32, u32)>> {
    let mut children = vec![Vec::new(); parent.len()];
    for &node in order {
        if let Some(up) = parent[node] {
            children[up].push(node);
        }
    }
    let mut span = vec![None; parent.len()];
    let mut clock = 0;
    let mut stack = vec![(order[0], 0)];
    while let Some((node, child)) = stack.pop() {
        if child == 0 {
            span[node] = Some((clock, clock));
            clock += 1;
        }
        if let Some(&next) = children[node].get(child) {
            stack.push((node, child + 1));
            stack.push((next, 0));
        } else if let Some((_, out)) = &mut span[node] {
            *out = clock;
            clock += 1;
        }
    }
    span
}
