//! The control flow of a kernel, as lock step needs it: an order of its blocks in
//! which the blocks of a loop stand together and come before what follows it, the
//! loops around each block, and where all ways from a block meet again.
//!
//! Small and by sets: kernels have few blocks. The proof side has analyses of its own;
//! the interpreter shares none of them.

use duet_ir::{Block, EntityRef, Function};

/// A set of blocks, by number.
type Set = Vec<bool>;

/// What is known of a kernel's blocks, by number.
#[derive(Debug)]
pub(crate) struct Flow {
    /// The place in the order.
    pub(crate) position: Vec<u32>,
    /// The headers of the loops around a block, the outermost first.
    pub(crate) around: Vec<Vec<usize>>,
    /// Where all ways from a block meet first; none if they don't.
    pub(crate) meets: Vec<Option<usize>>,
}

impl Flow {
    /// Of a function; none if its loops have several entries.
    pub(crate) fn new(function: &Function) -> Option<Flow> {
        let graph = Graph::new(function);
        let dominators = graph.dominators();
        let loops = graph.loops(&dominators);
        let around: Vec<Vec<usize>> = (0..graph.len()).map(|block| nest(&loops, block)).collect();
        let position = graph.order(&dominators, &around)?;
        Some(Flow { position, around, meets: graph.meeting_places() })
    }

    /// Is it an edge back to the head of a loop?
    pub(crate) fn is_back(&self, from: usize, to: usize) -> bool {
        self.around[from].contains(&to)
    }
}

/// The headers of the loops that hold a block: the largest loop first.
fn nest(loops: &[(usize, Set)], block: usize) -> Vec<usize> {
    let size = |set: &Set| set.iter().filter(|inside| **inside).count();
    let mut around: Vec<&(usize, Set)> = loops.iter().filter(|(_, set)| set[block]).collect();
    around.sort_by_key(|(_, set)| std::cmp::Reverse(size(set)));
    around.iter().map(|(header, _)| *header).collect()
}

/// Edges by number.
struct Graph {
    entry: usize,
    next: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
}

impl Graph {
    fn new(function: &Function) -> Graph {
        let len = function.blocks.len();
        let (mut next, mut before) = (vec![vec![]; len], vec![vec![]; len]);
        for &block in &function.layout {
            for edge in function.blocks[block].terminator.edges() {
                next[block.index()].push(edge.block.index());
                before[edge.block.index()].push(block.index());
            }
        }
        let entry = function.layout.first().copied().unwrap_or(Block::new(0)).index();
        Graph { entry, next, before }
    }

    fn len(&self) -> usize {
        self.next.len()
    }

    /// The blocks that every way from the entry to a block passes.
    fn dominators(&self) -> Vec<Set> {
        self.fixed_point(&self.before, |block| block == self.entry)
    }

    /// For each block the first one that every way to an end passes after it.
    fn meeting_places(&self) -> Vec<Option<usize>> {
        let passed = self.fixed_point(&self.next, |block| self.next[block].is_empty());
        let count = |set: &Set| set.iter().filter(|inside| **inside).count();
        let first = |block: usize| {
            let all = &passed[block];
            (0..self.len()).find(|&other| {
                other != block && all[other] && count(&passed[other]) + 1 == count(all)
            })
        };
        (0..self.len()).map(first).collect()
    }

    /// Each block itself, and what all blocks that lead to it have.
    fn fixed_point(&self, sources: &[Vec<usize>], is_root: impl Fn(usize) -> bool) -> Vec<Set> {
        let len = self.len();
        let alone = |block: usize| (0..len).map(|other| other == block).collect::<Set>();
        let mut sets: Vec<Set> = (0..len)
            .map(|block| if is_root(block) { alone(block) } else { vec![true; len] })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..len).filter(|&block| !is_root(block)) {
                let mut set: Set = vec![!sources[block].is_empty(); len];
                for &source in &sources[block] {
                    set.iter_mut().zip(&sets[source]).for_each(|(own, other)| *own &= other);
                }
                set[block] = true;
                changed |= set != sets[block];
                sets[block] = set;
            }
        }
        sets
    }

    /// The loops: header, and its blocks.
    fn loops(&self, dominators: &[Set]) -> Vec<(usize, Set)> {
        let mut loops: Vec<(usize, Set)> = vec![];
        for (from, passed) in dominators.iter().enumerate() {
            for &header in self.next[from].iter().filter(|&&to| passed[to]) {
                let known = loops.iter().position(|(other, _)| *other == header);
                let number = known.unwrap_or_else(|| {
                    let only = (0..self.len()).map(|block| block == header).collect();
                    loops.push((header, only));
                    loops.len() - 1
                });
                let set = &mut loops[number].1;
                let mut work = vec![from];
                while let Some(block) = work.pop() {
                    if !std::mem::replace(&mut set[block], true) {
                        work.extend(&self.before[block]);
                    }
                }
            }
        }
        loops
    }

    /// Blocks by the time they are left in a search that looks at the ways out of
    /// loops first: so these come last.
    fn order(&self, dominators: &[Set], around: &[Vec<usize>]) -> Option<Vec<u32>> {
        let is_back = |from: usize, to: usize| dominators[from][to];
        let ways = |block: usize| {
            let stays = |to: usize| around[block].iter().filter(|h| around[to].contains(h)).count();
            let next = self.next[block].iter().copied();
            let mut next: Vec<usize> = next.filter(|&to| !is_back(block, to)).collect();
            next.sort_by_key(|&to| stays(to));
            next
        };
        let (mut seen, mut left) = (vec![false; self.len()], vec![]);
        let mut stack = vec![(self.entry, ways(self.entry), 0)];
        seen[self.entry] = true;
        while let Some((block, next, at)) = stack.last_mut() {
            match next.get(*at).copied() {
                Some(to) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, ways(to), 0));
                    }
                }
                None => {
                    left.push(*block);
                    stack.pop();
                }
            }
        }
        let mut position = vec![0; self.len()];
        for (place, &block) in left.iter().rev().enumerate() {
            position[block] = place as u32;
        }
        // Without the edges back, every edge must lead on.
        let leads_on = |&block: &usize| {
            let next = self.next[block].iter();
            next.filter(|&&to| !is_back(block, to)).all(|&to| position[block] < position[to])
        };
        left.iter().all(leads_on).then_some(position)
    }
}
