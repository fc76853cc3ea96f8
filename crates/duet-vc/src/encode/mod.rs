//! Walks a region for one thread and makes terms.
//!
//! Here: the walk itself, values and symbols. Nodes and edges are in [`nodes`], cut
//! loops in [`loops`], what is stated about them in [`statements`], instructions in
//! [`instructions`], memory in [`accesses`], reads of annotations in [`ghosts`].

mod accesses;
mod ghosts;
mod instructions;
mod loops;
mod nodes;
mod statements;

use std::collections::HashMap;
use std::ops::Deref;

use duet_analysis::Loop;
use duet_ir::{Array, Const, EntityRef, Type, Value, ValueDef};
use duet_product::{Context, KernelFacts, Node, Region};
use duet_smt::{TermId, TermPool};

use self::ghosts::Cells;
use crate::launch::{Geometry, ThreadTerms};
use crate::memory::Memory;
use crate::ops;
use crate::overflow::InRange;
use crate::statement::Invariants;
use crate::symbols::{Origin, Symbol};
use crate::walk::{Assumption, Point, Walk};

/// A kernel with what its walks assume.
#[derive(Clone, Copy)]
pub struct Kernel<'a> {
    /// What is known about it.
    pub facts: &'a KernelFacts<'a>,
    /// The launch.
    pub geometry: &'a Geometry,
    /// What the thread stores in private arrays is known when it loads it.
    pub private_arrays: bool,
    /// Arithmetic that is assumed to stay in its range.
    pub in_range: &'a InRange,
}

impl<'a> Deref for Kernel<'a> {
    type Target = KernelFacts<'a>;

    fn deref(&self) -> &KernelFacts<'a> {
        self.facts
    }
}

/// What two threads have in common: symbols that they share.
pub struct Sharing<'a> {
    /// Is the value the same for both threads here?
    pub value: &'a dyn Fn(Value) -> bool,
    /// Are both threads at the same visit of the loop's header?
    pub visit: &'a dyn Fn(Loop) -> bool,
    /// Do both threads see the same contents of the array at the start?
    pub contents: &'a dyn Fn(Array) -> bool,
    /// Tells the symbols of this walk from those of others.
    pub tag: &'a str,
}

/// Where a walk starts from.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The walk that led here; none from the entry.
    pub before: Option<&'a Walk>,
}

/// What is done about visits of headers that are not cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visits {
    /// Nothing.
    Ignored,
    /// What the invariants say of them is noted.
    Noted,
    /// That is noted, and then assumed.
    NotedThenAssumed,
}

/// Walks one region for one thread.
pub struct Encoder<'a> {
    kernel: Kernel<'a>,
    pool: &'a mut TermPool,
    thread: &'a ThreadTerms,
    region: &'a Region,
    sharing: &'a Sharing<'a>,
    invariants: &'a Invariants,
    start: Start<'a>,
    walk: Walk,
    /// Conditions of the edges out of each node.
    edges: HashMap<(Node, usize), TermId>,
    /// Values that depend on what a single thread does not know.
    tainted: HashMap<Value, bool>,
    /// The node that is being walked.
    node: Node,
    /// How far the walk is.
    moment: u32,
    /// The count of visits that an edge into a header leads to, while statements
    /// about that edge are made.
    visits_on_edge: Option<TermId>,
    /// What is done about visits of headers that are not cut.
    visits_are: Visits,
    /// What headers were first entered with, and how many visits came before, by the
    /// pass.
    entered_with: HashMap<(Loop, Context), (Vec<TermId>, TermId)>,
    /// The cells that others cannot have changed, at the end of each node.
    cells: HashMap<Node, Cells>,
    /// Are there ghost reads, for which these cells are kept?
    has_ghost_reads: bool,
}

impl<'a> Encoder<'a> {
    /// Walks `region`.
    pub fn walk(
        kernel: Kernel<'a>,
        pool: &'a mut TermPool,
        thread: &'a ThreadTerms,
        region: &'a Region,
        sharing: &'a Sharing<'a>,
        invariants: &'a Invariants,
        start: Start<'a>,
    ) -> Walk {
        let encoder = Encoder::new(kernel, pool, thread, region, sharing, invariants);
        Encoder { start, ..encoder }.run()
    }

    /// Walks `region` from the entry, with visits of headers that are not cut treated
    /// as said.
    pub fn walk_visits(
        kernel: Kernel<'a>,
        pool: &'a mut TermPool,
        thread: &'a ThreadTerms,
        region: &'a Region,
        sharing: &'a Sharing<'a>,
        invariants: &'a Invariants,
        visits_are: Visits,
    ) -> Walk {
        let encoder = Encoder::new(kernel, pool, thread, region, sharing, invariants);
        Encoder { visits_are, ..encoder }.run()
    }

    fn new(
        kernel: Kernel<'a>,
        pool: &'a mut TermPool,
        thread: &'a ThreadTerms,
        region: &'a Region,
        sharing: &'a Sharing<'a>,
        invariants: &'a Invariants,
    ) -> Encoder<'a> {
        Encoder {
            kernel,
            pool,
            thread,
            region,
            sharing,
            invariants,
            start: Start { before: None },
            walk: Walk::default(),
            edges: HashMap::new(),
            tainted: HashMap::new(),
            node: region.root(),
            moment: 0,
            visits_on_edge: None,
            visits_are: Visits::Ignored,
            entered_with: HashMap::new(),
            cells: HashMap::new(),
            has_ghost_reads: ghosts::has_ghost_reads(kernel.func),
        }
    }

    fn run(mut self) -> Walk {
        for &node in &self.region.order {
            self.node = node;
            self.note_ancestors(node);
            self.enter(node);
            self.instructions(node);
            self.leave(node);
        }
        self.close_headers();
        self.walk
    }

    fn note_ancestors(&mut self, node: Node) {
        let mut all = vec![false; self.region.nodes.len()];
        for (from, _) in &self.region.nodes[node].predecessors {
            if let Some(before) = self.walk.ancestors.get(from) {
                all.iter_mut().zip(before).for_each(|(all, before)| *all |= before);
                all[from.index()] = true;
            }
        }
        self.walk.ancestors.insert(node, all);
    }

    /// Here and now.
    fn point(&mut self) -> Point {
        self.moment += 1;
        Point { node: self.node, moment: self.moment }
    }

    /// The end of a node.
    fn end_of(node: Node) -> Point {
        Point { node, moment: u32::MAX }
    }

    /// States a fact that holds from here on.
    fn assume(&mut self, holds: TermId) {
        self.note_fact(holds, false, None);
    }

    /// The same for an invariant of a loop, by its position.
    fn assume_invariant(&mut self, holds: TermId, id: Loop, position: usize) {
        self.note_fact(holds, false, Some((id, position)));
    }

    /// The same, where the source states it.
    fn assume_as_stated(&mut self, holds: TermId) {
        self.note_fact(holds, true, None);
    }

    fn note_fact(&mut self, holds: TermId, stated: bool, invariant: Option<(Loop, usize)>) {
        let reach = self.walk.reach[&self.node];
        let fact = self.pool.implies(reach, holds);
        let at = self.point();
        self.walk.assumptions.push(Assumption { at, fact, stated, invariant });
    }

    fn context(&self) -> Context {
        self.region.nodes[self.node].context
    }

    // ---- Values ---------------------------------------------------------

    /// The term of a value as seen from the current node.
    pub fn term(&mut self, value: Value) -> TermId {
        let func = self.kernel.func;
        let ty = func.type_of(value);
        match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => ops::constant(self.pool, bits, ty),
            ValueDef::Const(Const::Null) => self.pool.bv(32, 0),
            ValueDef::Const(Const::Array(array)) => self.pool.bv(32, array_number(array)),
            ValueDef::FunctionParam(_) => self.param(value, ty),
            ValueDef::Result(..) | ValueDef::BlockParam(..) => self.look_up(value),
        }
    }

    /// A scalar parameter: the same for all threads of a launch.
    fn param(&mut self, value: Value, ty: Type) -> TermId {
        let name = crate::launch::argument_name(self.kernel.func, value);
        let term = self.pool.constant(&name, ops::sort_of(ty));
        self.note(term, Origin::Argument(value), true)
    }

    fn look_up(&mut self, value: Value) -> TermId {
        let mut at = Some(self.context());
        while let Some(context) = at {
            if let Some(&term) = self.walk.values.get(&(context, value)) {
                return term;
            }
            at = self.region.parents[context];
        }
        // The way to the start has every loop cut, hence one pass only.
        let only = <Context as duet_ir::EntityRef>::new(0);
        let before = self.start.before.and_then(|walk| walk.values.get(&(only, value)));
        match before.copied() {
            Some(term) => term,
            None => self.unknown_value(value),
        }
    }

    fn define(&mut self, value: Value, term: TermId) {
        let context = self.context();
        self.walk.values.insert((context, value), term);
    }

    /// A symbol for a value of which nothing is known; one for both threads where
    /// they agree on it.
    fn unknown_value(&mut self, value: Value) -> TermId {
        let shared = (self.sharing.value)(value);
        let name = self.symbol(&format!("{value}"), shared);
        let sort = ops::sort_of(self.kernel.func.type_of(value));
        let term = self.pool.constant(&name, sort);
        self.note(term, Origin::Value(value), shared)
    }

    /// Takes note of what a symbol stands for, and whether the threads share it.
    fn note(&mut self, term: TermId, origin: Origin, shared: bool) -> TermId {
        let side = (!shared).then_some(self.thread.side);
        self.walk.symbols.push((term, Symbol { origin, side }));
        term
    }

    /// A name for something at the current node.
    fn symbol(&self, what: &str, shared: bool) -> String {
        let who = if shared { "" } else { self.thread.name.as_str() };
        format!("{what}@{}.{}{who}", self.sharing.tag, self.node)
    }
}

/// The number that stands for an array in terms of sort `ref`.
fn array_number(array: Array) -> u128 {
    use duet_ir::EntityRef;
    array.index() as u128 + 1
}

impl Walk {
    /// The memory at the end that the walk was pruned to.
    pub fn final_memory(&self) -> Option<&Memory> {
        self.ends.last().and_then(|end| self.memory.get(&end.at.node))
    }
}
