//! Which block dominates which. Private to the check, and small: later stages
//! have their own dominators with more to offer.
//!
//! The iteration to a fixed point over immediate dominators (Cooper, Harvey and
//! Kennedy, "A simple, fast dominance algorithm", 2001), then an interval
//! numbering of the tree, so that a question costs two comparisons.

use cranelift_entity::SecondaryMap;

use crate::{Block, Function};

/// Dominance between the blocks of a function that can be reached.
pub struct Dominance {
    /// Preorder and postorder number in the dominator tree; `None` for blocks
    /// that cannot be reached.
    span: SecondaryMap<Block, Option<(u32, u32)>>,
}

impl Dominance {
    /// Needs a layout, and edges that lead into it only.
    pub fn new(func: &Function) -> Dominance {
        let order = reverse_postorder(func);
        let idom = immediate_dominators(func, &order);
        let mut children = vec![Vec::new(); order.len()];
        for (n, &parent) in idom.iter().enumerate().skip(1) {
            children[parent].push(n);
        }
        Dominance { span: number_tree(&order, &children) }
    }

    /// Does every path from the entry to `b` pass `a`? Nothing reaches an
    /// unreachable `b`, so the answer there is yes.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        match (self.span[a], self.span[b]) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some((a_in, a_out)), Some((b_in, b_out))) => a_in <= b_in && b_out <= a_out,
        }
    }
}

/// The reachable blocks; each before its successors, back edges aside.
fn reverse_postorder(func: &Function) -> Vec<Block> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut order = Vec::new();
    let entry = func.entry();
    seen[entry] = true;
    let mut stack = vec![(entry, func.successors(entry).collect::<Vec<_>>().into_iter())];
    while let Some((block, successors)) = stack.last_mut() {
        match successors.next() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                stack.push((next, func.successors(next).collect::<Vec<_>>().into_iter()));
            }
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

/// The immediate dominator of each block, both as positions in `order`; the
/// entry has itself.
fn immediate_dominators(func: &Function, order: &[Block]) -> Vec<usize> {
    let mut position: SecondaryMap<Block, usize> = SecondaryMap::new();
    for (n, &block) in order.iter().enumerate() {
        position[block] = n;
    }
    let mut predecessors = vec![Vec::new(); order.len()];
    for (n, &block) in order.iter().enumerate() {
        for successor in func.successors(block) {
            predecessors[position[successor]].push(n);
        }
    }
    let mut idom: Vec<Option<usize>> = vec![None; order.len()];
    idom[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for n in 1..order.len() {
            let known = predecessors[n].iter().copied().filter(|&p| idom[p].is_some());
            let new = known.reduce(|a, b| common_dominator(&idom, a, b));
            if new.is_some() && new != idom[n] {
                idom[n] = new;
                changed = true;
            }
        }
    }
    idom.into_iter().map(|parent| parent.expect("a reachable block has a predecessor")).collect()
}

/// The nearest block that dominates both.
fn common_dominator(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    let parent = |n: usize| idom[n].expect("blocks before in the order have been met");
    while a != b {
        if a > b {
            a = parent(a);
        } else {
            b = parent(b);
        }
    }
    a
}

/// Numbers the dominator tree by entry and exit of a walk.
fn number_tree(
    order: &[Block],
    children: &[Vec<usize>],
) -> SecondaryMap<Block, Option<(u32, u32)>> {
    let mut span = SecondaryMap::new();
    let mut clock = 0;
    let mut stack = vec![(0, 0)];
    while let Some((node, child)) = stack.pop() {
        let block = order[node];
        if child == 0 {
            span[block] = Some((clock, clock));
            clock += 1;
        }
        if let Some(&next) = children[node].get(child) {
            stack.push((node, child + 1));
            stack.push((next, 0));
        } else if let Some((_, out)) = &mut span[block] {
            *out = clock;
            clock += 1;
        }
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, FunctionKind, Terminator};

    /// A function whose blocks have these successors.
    fn graph(successors: &[Vec<usize>]) -> Function {
        let mut func = Function::new("f", "f", FunctionKind::Device);
        let blocks: Vec<Block> = successors.iter().map(|_| func.make_block()).collect();
        let arg = func.int_constant(0, crate::Type::I32);
        for (&block, targets) in blocks.iter().zip(successors) {
            let mut edges = targets.iter().map(|&n| Edge { block: blocks[n], args: vec![] });
            func.blocks[block].terminator = match edges.next() {
                None => Terminator::Return(vec![]),
                Some(default) => {
                    let cases = edges.enumerate().map(|(n, edge)| (n as u128, edge)).collect();
                    Terminator::Switch { arg, cases, default }
                }
            };
        }
        func.layout = blocks;
        func
    }

    /// The blocks reached from the entry on paths that avoid one.
    fn reached(func: &Function, avoid: Option<Block>) -> Vec<Block> {
        let mut seen = Vec::new();
        let mut stack = vec![func.entry()];
        while let Some(block) = stack.pop() {
            if Some(block) != avoid && !seen.contains(&block) {
                seen.push(block);
                stack.extend(func.successors(block));
            }
        }
        seen
    }

    /// Compares with the definition: `a` dominates `b` if `b` is not reached
    /// without passing `a`.
    fn check_by_definition(func: &Function) {
        let dominance = Dominance::new(func);
        for &a in &func.layout {
            let without = reached(func, Some(a));
            for &b in &func.layout {
                assert_eq!(dominance.dominates(a, b), !without.contains(&b), "{a} {b}\n{func:#?}");
            }
        }
    }

    #[test]
    fn random_graphs() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % limit as u64) as usize
        };
        for _ in 0..2_000 {
            let size = 1 + below(10);
            let successors: Vec<Vec<usize>> =
                (0..size).map(|_| (0..below(4)).map(|_| below(size)).collect()).collect();
            check_by_definition(&graph(&successors));
        }
    }

    #[test]
    fn an_irreducible_loop() {
        check_by_definition(&graph(&[vec![1, 2], vec![2, 3], vec![1, 3], vec![]]));
    }
}
