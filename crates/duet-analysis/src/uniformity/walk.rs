//! The fixed point of one scope, and the walk that says what a divergent branch
//! does to control flow.
//!
//! # The walk
//!
//! It starts at the edges of a divergent branch, each with a *label* of its own,
//! and visits the blocks of one iteration of the innermost loop (or of the
//! function) in topological order. A block that is reached under one label keeps
//! it: all ways from the branch to here pass the place that the label names. A
//! block reached under two labels is a *meeting* of disjoint ways, and the name of
//! a new label. If at some point only one block is left to visit, and no way has
//! left the iteration, all threads pass that block: they are together again, and
//! the walk ends. Every block visited before that is divergent.
//!
//! Ways that leave the iteration end at the loop's header (the next iteration) or at an
//! exit. (One way to the header always exists, or the block were not in the loop.)
//! If an exit is reached under another label than the header, threads leave at
//! different iterations: values of the loop differ after that exit, and its blocks are
//! not visited by all. The thread that stays may leave later by any exit, so the
//! walk goes on in the loop around, from all exits.
//!
//! Inner loops need no special treatment: threads enter only at the header, so
//! they go through under one label. Back edges of inner loops are ignored.
//!
//! *Doomed* blocks, from which every path fails, are kept out: threads that fail
//! are not compared. What is defined or used there counts as divergent.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{Block, Function, Module, SecondaryMap, Terminator, Value};

use super::{Divergence, Scope, UniformityOptions, decided_by, is_global};
use crate::graph::incoming;
use crate::{ArrayUses, EdgeId, Exit, Loop, Loops};

/// What the analysis is about.
pub(super) struct Context<'a> {
    pub(super) module: &'a Module,
    pub(super) func: &'a Function,
    pub(super) loops: &'a Loops,
    pub(super) arrays: &'a ArrayUses,
    pub(super) options: UniformityOptions,
    pub(super) scope: Scope,
}

/// The place that all ways from a branch have passed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    /// The edge with which they started.
    Start(EdgeId),
    /// A block where ways met.
    Meeting(Block),
}

/// The state of the fixed point.
pub(super) struct Solver<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) blocks: SecondaryMap<Block, bool>,
    block_of: &'a SecondaryMap<Value, Option<Block>>,
    position: SecondaryMap<Block, usize>,
    incoming: SecondaryMap<Block, Vec<EdgeId>>,
    state: Divergence,
    /// Blocks where disjoint ways meet, the back edges of their own loop aside.
    meetings: SecondaryMap<Block, bool>,
    /// Headers where disjoint ways of one iteration meet on back edges.
    latch_meetings: SecondaryMap<Block, bool>,
    /// Loops that threads leave at different iterations or by different exits.
    divided: SecondaryMap<Loop, bool>,
    changed: bool,
}

/// The ends of the ways of a walk.
#[derive(Default)]
struct Ends {
    next_iteration: BTreeSet<Label>,
    exits: BTreeMap<Exit, Label>,
    returned: bool,
}

impl Ends {
    fn is_empty(&self) -> bool {
        self.next_iteration.is_empty() && self.exits.is_empty() && !self.returned
    }
}

/// Solves one scope.
pub(super) fn solve(
    context: &Context<'_>,
    block_of: &SecondaryMap<Value, Option<Block>>,
) -> Divergence {
    let mut solver = Solver {
        context,
        blocks: SecondaryMap::new(),
        block_of,
        position: SecondaryMap::new(),
        incoming: incoming(context.func, context.loops.order()),
        state: Divergence { doomed: doomed(context.func, context.loops), ..Divergence::default() },
        meetings: SecondaryMap::new(),
        latch_meetings: SecondaryMap::new(),
        divided: SecondaryMap::new(),
        changed: true,
    };
    for (n, &block) in context.loops.order().iter().enumerate() {
        solver.position[block] = n;
    }
    solver.mark_what_is_not_claimed();
    while std::mem::take(&mut solver.changed) {
        context.loops.order().iter().for_each(|&block| solver.visit(block));
    }
    solver.state.blocks = solver.blocks;
    solver.state
}

impl Solver<'_> {
    /// Unreachable and doomed blocks, parameters of device functions, and
    /// everything in an irreducible graph.
    fn mark_what_is_not_claimed(&mut self) {
        let Context { func, loops, .. } = *self.context;
        let mut reachable: SecondaryMap<Block, bool> = SecondaryMap::new();
        loops.order().iter().for_each(|&block| reachable[block] = true);
        for (value, def) in func.values.iter() {
            let param = matches!(def, duet_ir::ValueDef::FunctionParam(_));
            let lost = self.block_of[value]
                .is_some_and(|block| !reachable[block] || !loops.is_reducible());
            self.state.values[value] = lost || (param && !func.is_kernel());
        }
        for &block in &func.layout {
            let lost = !reachable[block] || !loops.is_reducible();
            self.blocks[block] = lost || self.state.doomed[block];
            self.state.branches[block] =
                lost && decided_by(&func.blocks[block].terminator).is_some();
        }
    }

    /// Brings one block up to date.
    fn visit(&mut self, block: Block) {
        let func = self.context.func;
        for index in 0..func.blocks[block].params.len() {
            let param = func.blocks[block].params[index];
            if !self.state.values[param] && self.param_diverges(block, index) {
                self.mark(param);
            }
        }
        for &inst in &func.blocks[block].insts {
            let results = &func.results_of[inst];
            let open = results.iter().any(|&value| !self.state.values[value]);
            if open && self.inst_diverges(block, inst) {
                results.iter().for_each(|&value| self.mark(value));
            }
        }
        if let Some(value) = decided_by(&func.blocks[block].terminator)
            && !self.state.branches[block]
            && self.value_at(value, block)
        {
            self.state.branches[block] = true;
            self.changed = true;
            self.walk_from_branch(block);
        }
    }

    fn mark(&mut self, value: Value) {
        self.state.values[value] = true;
        self.changed = true;
    }

    /// May the value differ at the same visit of the block?
    pub(super) fn value_at(&self, value: Value, block: Block) -> bool {
        if is_global(self.context.func, value) {
            return self.state.values[value];
        }
        self.state.value_at(self.context.loops, self.block_of[value], value, block)
    }

    /// A parameter differs if a value that comes in differs, or if threads come
    /// in by different edges with different values. At a loop's header, whether
    /// a thread comes in from outside or from a back edge is part of the visit.
    fn param_diverges(&self, block: Block, index: usize) -> bool {
        let Context { func, loops, .. } = *self.context;
        let (mut outside, mut inside) = (BTreeSet::new(), BTreeSet::new());
        for &edge in &self.incoming[block] {
            let arg = edge.argument(func, index);
            // SOUNDNESS: the second test is what sees values that leave a loop on
            // the edge itself. Test: files/uniformity/trap22_params.duet.
            if self.value_at(arg, edge.from) || self.value_at(arg, block) {
                return true;
            }
            let back = loops.is_back_edge(edge.from, block);
            if back {
                inside.insert(arg)
            } else {
                outside.insert(arg)
            };
        }
        self.state.doomed[block]
            || (self.meetings[block] && outside.len() > 1)
            || (self.latch_meetings[block] && inside.len() > 1)
    }

    /// Walks from the edges of a divergent branch.
    fn walk_from_branch(&mut self, from: Block) {
        let Context { func, loops, .. } = *self.context;
        let targets = func.successors(from).enumerate();
        let starts = targets.map(|(index, to)| Exit { edge: EdgeId { from, index }, to }).collect();
        self.walk(loops.innermost(from), starts);
    }

    /// The walk of the file header, in one iteration of `region`.
    fn walk(&mut self, region: Option<Loop>, starts: Vec<Exit>) {
        let mut pending = BTreeMap::new();
        let mut ends = Ends::default();
        for start in starts {
            self.send(region, start, Label::Start(start.edge), &mut pending, &mut ends);
        }
        while let Some((_, (block, label))) = pending.pop_first() {
            if pending.is_empty() && ends.is_empty() {
                return;
            }
            self.mark_block(block);
            let func = self.context.func;
            ends.returned |= matches!(func.blocks[block].terminator, Terminator::Return(_));
            for (index, to) in func.successors(block).enumerate() {
                let edge = Exit { edge: EdgeId { from: block, index }, to };
                self.send(region, edge, label, &mut pending, &mut ends);
            }
        }
        if let Some(id) = region {
            self.leave(id, &ends);
        }
    }

    /// Follows one edge under a label.
    fn send(
        &mut self,
        region: Option<Loop>,
        edge: Exit,
        label: Label,
        pending: &mut BTreeMap<usize, (Block, Label)>,
        ends: &mut Ends,
    ) {
        let loops = self.context.loops;
        let to = edge.to;
        if self.state.doomed[to] {
            return;
        }
        if let Some(id) = region {
            if loops.data(id).header == to {
                ends.next_iteration.insert(label);
                return;
            }
            if !loops.contains(id, to) {
                ends.exits.insert(edge, label);
                return;
            }
        }
        if loops.is_back_edge(edge.edge.from, to) {
            return;
        }
        let here = pending.entry(self.position[to]).or_insert((to, label));
        if here.1 != label {
            here.1 = Label::Meeting(to);
            self.changed |= !std::mem::replace(&mut self.meetings[to], true);
        }
    }

    /// What the ends of a walk mean for the loop and the code after it.
    fn leave(&mut self, id: Loop, ends: &Ends) {
        let header = self.context.loops.data(id).header;
        if ends.next_iteration.len() > 1 {
            self.changed |= !std::mem::replace(&mut self.latch_meetings[header], true);
        }
        let labels: BTreeSet<Label> =
            ends.next_iteration.iter().chain(ends.exits.values()).copied().collect();
        if ends.exits.is_empty() || labels.len() < 2 {
            return;
        }
        for (exit, label) in &ends.exits {
            if ends.next_iteration.iter().any(|other| other != label) {
                self.leave_apart(id, exit.to);
            }
        }
        for n in 0..self.context.loops.data(id).blocks.len() {
            self.mark_block(self.context.loops.data(id).blocks[n]);
        }
        self.divide(id);
    }

    /// Threads that entered the loop together leave it by different exits or at
    /// different iterations: a branch among its exits, in the loop around.
    fn divide(&mut self, id: Loop) {
        if !std::mem::replace(&mut self.divided[id], true) {
            let data = self.context.loops.data(id);
            self.walk(data.parent, data.exits.clone());
        }
    }

    /// Threads come to `to`, after the loop, from different iterations: from there on
    /// the values of the loop differ.
    fn leave_apart(&mut self, id: Loop, to: Block) {
        let Context { func, loops, .. } = *self.context;
        let mut work = vec![to];
        while let Some(block) = work.pop() {
            if !loops.contains(id, block) && self.state.left_apart[id].insert(block) {
                self.changed = true;
                work.extend(func.successors(block));
            }
        }
    }

    fn mark_block(&mut self, block: Block) {
        self.changed |= !std::mem::replace(&mut self.blocks[block], true);
    }
}

/// The blocks from which every path ends in `halt`: those that reach neither a
/// `return` nor a cycle.
fn doomed(func: &Function, loops: &Loops) -> SecondaryMap<Block, bool> {
    let mut doomed: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in loops.order().iter().rev() {
        let ends = matches!(func.blocks[block].terminator, Terminator::Halt);
        let mut successors = func.successors(block).peekable();
        let all_doomed = successors.peek().is_some() && successors.all(|next| doomed[next]);
        doomed[block] = ends || all_doomed;
    }
    doomed
}
