//! Natural loops and how they nest.
//!
//! A *back edge* leads to a block that dominates its source. The loop of a header
//! is the header with everything that reaches one of its back edges without
//! passing it; back edges to one header (`continue`) make one loop. In a
//! reducible graph every cycle is in a natural loop, and two loops are nested or
//! apart. An edge that goes back without being a back edge makes the graph
//! irreducible; it is listed, and an analysis that relies on loops has to ask
//! [`Loops::is_reducible`] first.
//!
//! *Iterations.* A loop's iteration count at a visit is the number of times its header has
//! been reached again since the loop was entered: 0 on entry. In a reducible
//! graph a block together with the iteration counts of the loops around it names one
//! *visit*: between two passes of the header of a loop's parent, the loop is
//! entered at most once. Uniformity and closed forms speak of visits so named.
//!
//! Exact for the graph. Cost: near-linear, times the nesting depth.

use std::fmt;

use duet_ir::{Block, EntityRef, Function, PrimaryMap, SecondaryMap};

use crate::{Dominators, EdgeId};

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loop(u32);

impl EntityRef for Loop {
    fn new(index: usize) -> Loop {
        Loop(u32::try_from(index).expect("fewer than 2^32 loops"))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop{}", self.0)
    }
}

/// What is known of a loop.
#[derive(Clone, Debug)]
pub struct LoopData {
    /// The block that every entry and every iteration passes.
    pub header: Block,
    /// The sources of the back edges, each once.
    pub latches: Vec<Block>,
    /// The blocks of the loop and of the loops in it, header first, in reverse
    /// postorder.
    pub blocks: Vec<Block>,
    /// The edges out of the loop.
    pub exits: Vec<Exit>,
    /// The smallest loop around this one.
    pub parent: Option<Loop>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

/// An edge out of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Exit {
    /// The edge, from a block of the loop.
    pub edge: EdgeId,
    /// Where to.
    pub to: Block,
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: PrimaryMap<Loop, LoopData>,
    innermost: SecondaryMap<Block, Option<Loop>>,
    irreducible: Vec<EdgeId>,
    order: Vec<Block>,
}

impl Loops {
    /// Of a well-formed function.
    pub fn new(func: &Function, dominators: &Dominators) -> Loops {
        let order = dominators.reverse_postorder().to_vec();
        let mut loops = Loops {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
            irreducible: vec![],
            order,
        };
        let latches = loops.find_back_edges(func, dominators);
        loops.make_loops(func, latches);
        if loops.is_reducible() {
            loops.order = loops.place(func, None);
        }
        loops
    }

    /// Every loop, outer ones before those in them.
    pub fn iter(&self) -> impl Iterator<Item = (Loop, &LoopData)> {
        self.loops.iter()
    }

    /// How many loops there are.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// What is known of a loop.
    pub fn data(&self, id: Loop) -> &LoopData {
        &self.loops[id]
    }

    /// The smallest loop that holds the block.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block]
    }

    /// The loops that hold the block, smallest first.
    pub fn around(&self, block: Block) -> impl Iterator<Item = Loop> + '_ {
        std::iter::successors(self.innermost[block], |&id| self.loops[id].parent)
    }

    /// Does the loop hold the block?
    pub fn contains(&self, id: Loop, block: Block) -> bool {
        self.around(block).any(|around| around == id)
    }

    /// The loop of which the block is the header.
    pub fn headed_by(&self, block: Block) -> Option<Loop> {
        self.innermost[block].filter(|&id| self.loops[id].header == block)
    }

    /// Is the edge from `from` to `to` a back edge?
    pub fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.headed_by(to).is_some_and(|id| self.contains(id, from))
    }

    /// Does every cycle have one header that dominates it?
    pub fn is_reducible(&self) -> bool {
        self.irreducible.is_empty()
    }

    /// The edges that go back to a block that does not dominate their source.
    pub fn irreducible_edges(&self) -> &[EdgeId] {
        &self.irreducible
    }

    /// The blocks that can be reached, each before its successors, back edges
    /// aside; and, if the graph is reducible, the blocks of each loop together,
    /// header first, before what follows the loop.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// The sources of back edges, by header in reverse postorder. Lists
    /// irreducible edges on the way.
    fn find_back_edges(
        &mut self,
        func: &Function,
        dominators: &Dominators,
    ) -> SecondaryMap<Block, Vec<Block>> {
        let mut position: SecondaryMap<Block, usize> = SecondaryMap::new();
        self.order.iter().enumerate().for_each(|(n, &block)| position[block] = n);
        let mut latches: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &from in &self.order {
            for (index, to) in func.successors(from).enumerate() {
                if dominators.dominates(to, from) {
                    if !latches[to].contains(&from) {
                        latches[to].push(from);
                    }
                } else if position[to] <= position[from] {
                    self.irreducible.push(EdgeId { from, index });
                }
            }
        }
        latches
    }

    /// Makes the loop of each header. An outer header comes first, because it
    /// dominates the inner one; so a block keeps the last loop it is given.
    fn make_loops(&mut self, func: &Function, latches: SecondaryMap<Block, Vec<Block>>) {
        let predecessors = func.predecessors();
        for header in self.order.clone() {
            if latches[header].is_empty() {
                continue;
            }
            let blocks = self.body(header, &latches[header], &predecessors);
            let exits = exits(func, &blocks);
            let parent = self.innermost[header];
            let depth = 1 + parent.map_or(0, |id| self.loops[id].depth);
            let latches = latches[header].clone();
            let members = blocks.clone();
            let id = self.loops.push(LoopData { header, latches, blocks, exits, parent, depth });
            members.into_iter().for_each(|block| self.innermost[block] = Some(id));
        }
    }

    /// What reaches a latch without passing the header.
    fn body(
        &self,
        header: Block,
        latches: &[Block],
        predecessors: &SecondaryMap<Block, Vec<Block>>,
    ) -> Vec<Block> {
        let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
        inside[header] = true;
        let mut work = latches.to_vec();
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut inside[block], true) {
                work.extend(&predecessors[block]);
            }
        }
        self.order.iter().copied().filter(|&block| inside[block]).collect()
    }

    /// The blocks of a region (a loop, or the function) in the order that
    /// [`Loops::order`] promises: a topological sort of its own blocks and its
    /// inner loops, each inner loop then replaced by its blocks.
    fn place(&self, func: &Function, region: Option<Loop>) -> Vec<Block> {
        let start = region.map_or(func.entry(), |id| self.loops[id].header);
        let mut placed = Vec::new();
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        seen[start] = true;
        let mut stack = vec![(start, self.leaving(func, region, start))];
        while let Some((item, targets)) = stack.last_mut() {
            match targets.pop() {
                Some(next) if !std::mem::replace(&mut seen[next], true) => {
                    stack.push((next, self.leaving(func, region, next)));
                }
                Some(_) => {}
                None => {
                    placed.push(*item);
                    stack.pop();
                }
            }
        }
        let items = placed.into_iter().rev();
        items.flat_map(|item| self.expand(func, region, item)).collect()
    }

    /// The blocks of an item of a region.
    fn expand(&self, func: &Function, region: Option<Loop>, item: Block) -> Vec<Block> {
        match self.inner_loop(region, item) {
            Some(inner) => self.place(func, Some(inner)),
            None => vec![item],
        }
    }

    /// The items of the region that follow an item (a block, or an inner loop
    /// named by its header) without going back to the region's own header.
    fn leaving(&self, func: &Function, region: Option<Loop>, item: Block) -> Vec<Block> {
        let targets: Vec<Block> = match self.inner_loop(region, item) {
            Some(inner) => self.loops[inner].exits.iter().map(|exit| exit.to).collect(),
            None => func.successors(item).collect(),
        };
        let header = region.map(|id| self.loops[id].header);
        let stays =
            |to: &Block| Some(*to) != header && region.is_none_or(|id| self.contains(id, *to));
        targets.into_iter().rev().filter(stays).collect()
    }

    /// The loop directly inside the region that a block of the region heads.
    fn inner_loop(&self, region: Option<Loop>, block: Block) -> Option<Loop> {
        self.headed_by(block).filter(|&id| Some(id) != region)
    }
}

/// The edges out of a set of blocks.
fn exits(func: &Function, blocks: &[Block]) -> Vec<Exit> {
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    blocks.iter().for_each(|&block| inside[block] = true);
    let mut exits = Vec::new();
    for &from in blocks {
        for (index, to) in func.successors(from).enumerate().filter(|(_, to)| !inside[*to]) {
            exits.push(Exit { edge: EdgeId { from, index }, to });
        }
    }
    exits
}

impl fmt::Display for Loops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, data) in &self.loops {
            let indent = "  ".repeat(data.depth as usize - 1);
            write!(f, "{indent}{id}: header {}; latches{}", data.header, List(&data.latches))?;
            write!(f, "; blocks{}; exits", List(&data.blocks))?;
            for exit in &data.exits {
                write!(f, " {}->{}", exit.edge.from, exit.to)?;
            }
            writeln!(f)?;
        }
        for edge in &self.irreducible {
            writeln!(f, "irreducible: edge {edge}")?;
        }
        Ok(())
    }
}

/// Prints items with a blank before each.
pub(crate) struct List<'a, T>(pub(crate) &'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|item| write!(f, " {item}"))
    }
}
