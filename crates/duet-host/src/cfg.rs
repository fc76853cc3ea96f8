//! The shape of one function: where its instructions are, dominators, loops.

use std::collections::{HashMap, HashSet};

use duet_frontend::llvm::{self, Bb, Val};

/// A function with what is known about its shape. Blocks are numbers in reverse postorder;
/// those that cannot be reached are left out.
pub struct Cfg {
    /// The function.
    pub function: Val,
    /// The blocks.
    pub blocks: Vec<Bb>,
    /// The instructions of each block.
    pub insts: Vec<Vec<Val>>,
    /// Predecessors, one for each edge.
    pub preds: Vec<Vec<usize>>,
    /// Successors in the order of the terminator.
    pub succs: Vec<Vec<usize>>,
    /// The immediate dominator; of the entry itself.
    pub idom: Vec<usize>,
    /// Where an instruction is: block and position in it.
    pub position: HashMap<Val, (usize, usize)>,
    /// Whether every cycle is a loop with one head that dominates it.
    pub is_reducible: bool,
    /// The blocks of the loop with this head, for heads.
    pub loops: HashMap<usize, HashSet<usize>>,
}

impl Cfg {
    /// Looks at a function that has a body.
    pub fn new(function: Val) -> Cfg {
        let all = function.blocks();
        let blocks = reverse_postorder(all[0]);
        let number: HashMap<Bb, usize> =
            blocks.iter().enumerate().map(|(n, &block)| (block, n)).collect();
        let succs: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| block.successors().iter().map(|next| number[next]).collect())
            .collect();
        let mut preds = vec![vec![]; blocks.len()];
        for (from, nexts) in succs.iter().enumerate() {
            nexts.iter().for_each(|&next: &usize| preds[next].push(from));
        }
        let insts: Vec<Vec<Val>> = blocks.iter().map(|block| block.instructions()).collect();
        let mut position = HashMap::new();
        for (block, insts) in insts.iter().enumerate() {
            for (at, &inst) in insts.iter().enumerate() {
                position.insert(inst, (block, at));
            }
        }
        let idom = immediate_dominators(&preds);
        let mut cfg = Cfg {
            function,
            blocks,
            insts,
            preds,
            succs,
            idom,
            position,
            is_reducible: true,
            loops: HashMap::new(),
        };
        cfg.find_loops();
        cfg
    }

    fn find_loops(&mut self) {
        for from in 0..self.blocks.len() {
            for to in self.succs[from].clone() {
                if to > from {
                    continue;
                }
                if !self.dominates(to, from) {
                    self.is_reducible = false;
                    continue;
                }
                let mut body = self.loops.remove(&to).unwrap_or_else(|| HashSet::from([to]));
                let mut open = vec![from];
                while let Some(block) = open.pop() {
                    if body.insert(block) {
                        open.extend(&self.preds[block]);
                    }
                }
                self.loops.insert(to, body);
            }
        }
    }

    /// Does every way to `b` pass `a`?
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        let mut at = b;
        while at > a {
            at = self.idom[at];
        }
        at == a
    }

    /// Is every way to `block` one over this edge?
    pub fn edge_dominates(&self, from: usize, to: usize, block: usize) -> bool {
        // With one predecessor the edge is the block; loops back to it come from inside.
        let outer = self.preds[to].iter().filter(|&&pred| !self.dominates(to, pred));
        let mut outer = outer.copied();
        outer.next() == Some(from)
            && outer.next().is_none()
            && self.succs[from].iter().filter(|&&next| next == to).count() == 1
            && self.dominates(to, block)
    }

    /// Is the block of `from` on a way back from one to another instruction: can the
    /// program get from `from` to `to` without passing `avoiding`?
    pub fn reaches(&self, from: Val, to: Val, avoiding: Option<Val>) -> bool {
        let (Some(&from), Some(&to)) = (self.position.get(&from), self.position.get(&to)) else {
            return true;
        };
        let avoiding = avoiding.and_then(|inst| self.position.get(&inst).copied());
        let blocks_at = |block: usize, after: usize, before: usize| {
            avoiding.is_some_and(|(b, at)| b == block && after <= at && at < before)
        };
        if from.0 == to.0 && from.1 < to.1 && !blocks_at(from.0, from.1 + 1, to.1) {
            return true;
        }
        if blocks_at(from.0, from.1 + 1, usize::MAX) {
            return false;
        }
        let mut seen = vec![false; self.blocks.len()];
        let mut open = self.succs[from.0].clone();
        while let Some(block) = open.pop() {
            if std::mem::replace(&mut seen[block], true) {
                continue;
            }
            if block == to.0 && !blocks_at(block, 0, to.1) {
                return true;
            }
            if !blocks_at(block, 0, usize::MAX) {
                open.extend(&self.succs[block]);
            }
        }
        false
    }

    /// The block that a value is defined in: for arguments and constants the entry.
    pub fn block_of(&self, value: Val) -> usize {
        self.position.get(&value).map_or(0, |&(block, _)| block)
    }

    /// Is the block the head of a loop?
    pub fn is_head(&self, block: usize) -> bool {
        self.loops.contains_key(&block)
    }
}

fn reverse_postorder(entry: Bb) -> Vec<Bb> {
    let mut order = vec![];
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, entry.successors().into_iter())];
    while let Some((block, nexts)) = stack.last_mut() {
        match nexts.next() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, next.successors().into_iter()));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn immediate_dominators(preds: &[Vec<usize>]) -> Vec<usize> {
    let mut idom: Vec<Option<usize>> = vec![None; preds.len()];
    idom[0] = Some(0);
    loop {
        let mut changed = false;
        for block in 1..preds.len() {
            let known = preds[block].iter().copied().filter(|&pred| idom[pred].is_some());
            let new = known.reduce(|a, b| common(&idom, a, b));
            if new != idom[block] {
                idom[block] = new;
                changed = true;
            }
        }
        if !changed {
            return idom.into_iter().map(|block| block.unwrap_or(0)).collect();
        }
    }
}

fn common(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = idom[a].expect("a block in order");
        } else {
            b = idom[b].expect("a block in order");
        }
    }
    a
}

/// The value that a phi has when control comes over an edge from a block.
pub fn incoming(phi: Val, from: Bb) -> Val {
    llvm::incoming(phi, from)
}
