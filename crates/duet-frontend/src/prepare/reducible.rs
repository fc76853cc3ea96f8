//! Is a control-flow graph reducible: does every loop have one entry?

use std::collections::HashMap;

use crate::llvm::Bb;

/// A graph is reducible if every retreating edge of a depth-first search goes to
/// a block that dominates its source.
pub fn is_reducible(blocks: &[Bb]) -> bool {
    let order = reverse_postorder(blocks[0]);
    let number: HashMap<Bb, usize> = order.iter().enumerate().map(|(n, &bb)| (bb, n)).collect();
    let successors: Vec<Vec<usize>> = order
        .iter()
        .map(|bb| bb.successors().iter().map(|successor| number[successor]).collect())
        .collect();
    let dominators = immediate_dominators(&successors);
    successors.iter().enumerate().all(|(from, targets)| {
        targets.iter().all(|&to| to > from || dominates(&dominators, to, from))
    })
}

/// Blocks reachable from `entry`, in reverse postorder.
pub fn reverse_postorder(entry: Bb) -> Vec<Bb> {
    let mut order = vec![];
    let mut seen = std::collections::HashSet::from([entry]);
    let mut stack = vec![(entry, entry.successors().into_iter())];
    while let Some((block, successors)) = stack.last_mut() {
        match successors.next() {
            Some(next) if seen.insert(next) => stack.push((next, next.successors().into_iter())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Immediate dominators over reverse-postorder numbers (the usual iteration).
fn immediate_dominators(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut predecessors = vec![vec![]; successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        for &to in targets {
            predecessors[to].push(from);
        }
    }
    let unknown = usize::MAX;
    let mut dominator = vec![unknown; successors.len()];
    dominator[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..successors.len() {
            let known = predecessors[block].iter().copied().filter(|&p| dominator[p] != unknown);
            let Some(new) = known.reduce(|a, b| common(&dominator, a, b)) else { continue };
            changed |= dominator[block] != new;
            dominator[block] = new;
        }
    }
    dominator
}

/// The nearest common dominator.
fn common(dominator: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b { a = dominator[a] } else { b = dominator[b] }
    }
    a
}

/// Does `a` dominate `b`?
fn dominates(dominator: &[usize], a: usize, mut b: usize) -> bool {
    while b > a {
        b = dominator[b];
    }
    a == b
}
