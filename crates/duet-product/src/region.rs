//! Regions: sets of paths through a kernel, as acyclic graphs of block copies.

use std::collections::{HashMap, HashSet};

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use duet_analysis::{Loop, Loops};
use duet_ir::{Block, Function, Inst, Terminator};

/// A copy of (a part of) a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// An iteration of a loop that is walked concretely. Context 0 is where the region
/// starts; taking a back edge leads to a child context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Context(u32);
entity_impl!(Context, "iteration");

/// How often the header of a loop that holds a barrier is reached again before it
/// is cut, in the regions of a pair.
pub const MAX_ITERATIONS: usize = 4;
/// Nodes after which every further loop is cut.
const MAX_NODES: usize = 2048;

/// A set of paths from one point.
#[derive(Clone, Debug)]
pub struct Region {
    /// The nodes; the first is the root. Every edge leads from a node to one that
    /// comes later in `order`.
    pub nodes: PrimaryMap<Node, NodeData>,
    /// The nodes in topological order.
    pub order: Vec<Node>,
    /// The context each context was entered from.
    pub parents: PrimaryMap<Context, Option<Context>>,
    /// The loop whose back edge leads to each context.
    pub passed: PrimaryMap<Context, Option<Loop>>,
}

/// A copy of a block, or of the part before or after a barrier.
#[derive(Clone, Debug)]
pub struct NodeData {
    /// The block.
    pub block: Block,
    /// Instructions before this index are not part of the node.
    pub first: usize,
    /// Instructions from this index on are not part of the node.
    pub end: usize,
    /// The iteration it belongs to.
    pub context: Context,
    /// The loop that is cut here: the block's parameters are those of an
    /// arbitrary visit.
    pub cut: Option<Loop>,
    /// What follows, edge by edge of the terminator; empty if the node ends at a
    /// barrier.
    pub successors: Vec<Successor>,
    /// How the walk ends here, if it does.
    pub finish: Option<End>,
    /// Nodes that lead here, with the number of the edge.
    pub predecessors: Vec<(Node, usize)>,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Successor {
    /// To another node.
    Node(Node),
    /// Back to the header of a cut loop: an arbitrary iteration already stands for
    /// what comes.
    Cut(Node),
    /// Out of the region (only in prefixes: the path does not reach its end).
    Outside,
}

/// How a walk through a region ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// At a barrier of the row.
    Barrier(Inst),
    /// At the kernel's end.
    Return,
    /// In a failed assertion or a trap: not an end of the kernel.
    Halt,
}

/// What a region is built from.
pub struct RegionBuilder<'a> {
    /// The kernel.
    pub func: &'a Function,
    /// Its loops.
    pub loops: &'a Loops,
    /// Does the walk stop at this instruction?
    pub stops_at: &'a dyn Fn(Inst) -> bool,
    /// Is the loop walked concretely?
    pub is_concrete: &'a dyn Fn(Loop) -> bool,
    /// How often its header is then reached again before it is cut.
    pub max_iterations: usize,
    /// How often the header of a cut loop is reached again, concretely, before the
    /// back edge leads to the cut. (For induction over several iterations.)
    pub iterations_after_cut: &'a dyn Fn(Loop) -> usize,
}

/// A node that is to be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    block: Block,
    context: Context,
    cut: bool,
}

/// A region under construction.
struct Walk<'a> {
    builder: &'a RegionBuilder<'a>,
    region: Region,
    made: HashMap<Key, Node>,
    /// Child contexts by parent and loop, and how many iterations of that loop led
    /// there.
    children: HashMap<(Context, Loop), Context>,
    iterations: HashMap<(Context, Loop), usize>,
    /// Contexts that are iterations after a cut of their loop.
    after_cut: HashSet<Context>,
    pending: Vec<Node>,
}

impl RegionBuilder<'_> {
    /// The region from instruction number `first` of `block`.
    pub fn build(&self, block: Block, first: usize) -> Region {
        let mut parents = PrimaryMap::new();
        let context = parents.push(None);
        let mut passed = PrimaryMap::new();
        passed.push(None);
        let mut walk = Walk {
            builder: self,
            region: Region { nodes: PrimaryMap::new(), order: vec![], parents, passed },
            made: HashMap::new(),
            children: HashMap::new(),
            iterations: HashMap::new(),
            after_cut: HashSet::new(),
            pending: vec![],
        };
        let root = walk.make_node(block, first, context, None);
        // A root in the middle of its block is no target of edges.
        if first == 0 {
            walk.made.insert(Key { block, context, cut: false }, root);
        }
        while let Some(node) = walk.pending.pop() {
            walk.connect(node);
        }
        walk.finish()
    }
}

impl Walk<'_> {
    fn make_node(
        &mut self,
        block: Block,
        first: usize,
        context: Context,
        cut: Option<Loop>,
    ) -> Node {
        let insts = &self.builder.func.blocks[block].insts;
        let stop = (first..insts.len()).find(|&index| (self.builder.stops_at)(insts[index]));
        let finish = match (stop, &self.builder.func.blocks[block].terminator) {
            (Some(index), _) => Some(End::Barrier(insts[index])),
            (None, Terminator::Return(_)) => Some(End::Return),
            (None, Terminator::Halt) => Some(End::Halt),
            _ => None,
        };
        let node = self.region.nodes.push(NodeData {
            block,
            first,
            end: stop.unwrap_or(insts.len()),
            context,
            cut,
            successors: vec![],
            finish,
            predecessors: vec![],
        });
        self.pending.push(node);
        node
    }

    /// Makes the edges out of a node.
    fn connect(&mut self, node: Node) {
        let NodeData { block, context, finish, .. } = self.region.nodes[node];
        if finish.is_some() {
            return;
        }
        let targets: Vec<Block> = self.builder.func.successors(block).collect();
        for (edge, target) in targets.into_iter().enumerate() {
            let successor = self.successor(block, context, target);
            if let Successor::Node(next) = successor {
                self.region.nodes[next].predecessors.push((node, edge));
            }
            self.region.nodes[node].successors.push(successor);
        }
    }

    fn successor(&mut self, from: Block, context: Context, target: Block) -> Successor {
        let Some(id) = self.builder.loops.headed_by(target) else {
            return Successor::Node(self.node(target, context, None));
        };
        let is_back_edge = self.builder.loops.contains(id, from);
        let full = self.region.nodes.len() > MAX_NODES;
        let concrete = (self.builder.is_concrete)(id) && !full;
        // SOUNDNESS: a header that was made before the region was full stays what it
        // is, or the two copies would define the same values in one context (test
        // `a_header_is_once_in_a_context_of_a_full_region`).
        let made = self.made.contains_key(&Key { block: target, context, cut: false });
        match (is_back_edge, concrete || made) {
            (false, true) => Successor::Node(self.node(target, context, None)),
            (false, false) => Successor::Node(self.node(target, context, Some(id))),
            (true, _) => self.back_edge(context, target, id, concrete),
        }
    }

    fn back_edge(
        &mut self,
        context: Context,
        target: Block,
        id: Loop,
        concrete: bool,
    ) -> Successor {
        let iterations = self.iterations.get(&(context, id)).copied().unwrap_or(0) + 1;
        // Inside a cut loop the header is in this context or an ancestor's.
        let header = self.cut_header(context, target);
        if let Some(header) = header
            && iterations > (self.builder.iterations_after_cut)(id)
        {
            return Successor::Cut(header);
        }
        let child = match self.children.get(&(context, id)) {
            Some(&child) => child,
            None => {
                let child = self.region.parents.push(Some(context));
                self.region.passed.push(Some(id));
                self.inherit_passes(context, child, id);
                self.iterations.insert((child, id), iterations);
                self.children.insert((context, id), child);
                child
            }
        };
        if header.is_some() {
            self.after_cut.insert(child);
            return Successor::Node(self.node(target, child, None));
        }
        let made = self.made.contains_key(&Key { block: target, context: child, cut: false });
        let cut = (!concrete || iterations > self.builder.max_iterations) && !made;
        Successor::Node(self.node(target, child, cut.then_some(id)))
    }

    /// Iterations of the loops around `id` carry over; those inside start afresh.
    fn inherit_passes(&mut self, parent: Context, child: Context, id: Loop) {
        let outer: Vec<(Loop, usize)> = self
            .iterations
            .iter()
            .filter(|((context, other), _)| {
                let header = self.builder.loops.data(id).header;
                *context == parent && *other != id && self.builder.loops.contains(*other, header)
            })
            .map(|((_, other), &count)| (*other, count))
            .collect();
        for (other, count) in outer {
            self.iterations.insert((child, other), count);
        }
    }

    /// The cut copy of a header that the walk in `context` has come through.
    fn cut_header(&self, context: Context, header: Block) -> Option<Node> {
        let loops = self.builder.loops;
        let id = loops.headed_by(header)?;
        let mut at = Some(context);
        while let Some(context) = at {
            if let Some(&node) = self.made.get(&Key { block: header, context, cut: true }) {
                return Some(node);
            }
            // SOUNDNESS: only iterations of inner loops, and those of the loop itself that
            // are meant to follow its cut, lie between a cut header and the back edge
            // to it. After an iteration of a loop around, the loop was entered
            // anew, and the older cut stands for none of these visits
            // (kernels/soundness/01-loop-entered-again).
            let inside = |inner: Loop| inner != id && loops.contains(id, loops.data(inner).header);
            let within = self.region.passed[context].is_some_and(inside)
                || self.region.passed[context] == Some(id) && self.after_cut.contains(&context);
            at = self.region.parents[context].filter(|_| within);
        }
        None
    }

    fn node(&mut self, block: Block, context: Context, cut: Option<Loop>) -> Node {
        let key = Key { block, context, cut: cut.is_some() };
        if let Some(&node) = self.made.get(&key) {
            return node;
        }
        let node = self.make_node(block, 0, context, cut);
        self.made.insert(key, node);
        node
    }

    /// Orders the nodes: parents' contexts first, each in reverse postorder.
    fn finish(mut self) -> Region {
        let mut rank = HashMap::new();
        for (number, &block) in self.builder.loops.order().iter().enumerate() {
            rank.insert(block, number);
        }
        let mut order: Vec<Node> = self.region.nodes.keys().collect();
        order.sort_by_key(|&node| {
            let data = &self.region.nodes[node];
            // The root comes first even if it is the later part of its block.
            (data.context.index(), node.index() != 0, rank.get(&data.block).copied())
        });
        self.region.order = order;
        self.region
    }
}

impl Region {
    /// The first node.
    pub fn root(&self) -> Node {
        Node::new(0)
    }

    /// The nodes at which a walk ends, with how.
    pub fn ends(&self) -> impl Iterator<Item = (Node, End)> + '_ {
        self.order.iter().filter_map(|&node| self.nodes[node].finish.map(|finish| (node, finish)))
    }

    /// The loops whose back edges were taken on the way to a context.
    pub fn loops_passed(&self, context: Context) -> Vec<Loop> {
        let mut loops = vec![];
        let mut at = Some(context);
        while let Some(context) = at {
            loops.extend(self.passed[context]);
            at = self.parents[context];
        }
        loops
    }

    /// Keeps the nodes from which `target` can be reached; other edges lead
    /// outside.
    pub fn prune_to(&mut self, target: Node) {
        let mut keep: HashMap<Node, bool> = HashMap::new();
        let mut stack = vec![target];
        while let Some(node) = stack.pop() {
            if keep.insert(node, true).is_none() {
                stack.extend(self.nodes[node].predecessors.iter().map(|(from, _)| *from));
            }
        }
        self.order.retain(|node| keep.contains_key(node));
        for node in self.order.clone() {
            for successor in &mut self.nodes[node].successors {
                if let Successor::Node(next) = successor
                    && !keep.contains_key(next)
                {
                    *successor = Successor::Outside;
                }
            }
        }
    }
}
