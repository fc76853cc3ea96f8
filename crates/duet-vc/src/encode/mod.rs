//! Walks a region for one thread and makes terms.
//!
//! The [`Encoder`] goes from node to node ([`nodes`]) and through their instructions
//! ([`instructions`]). Three parts know what is so far: terms of values, symbols and
//! facts ([`values`]); memory as the thread sees it ([`accesses`]), with the cells
//! that others cannot have changed ([`known`]); and headers of loops ([`loops`]) with what is stated about
//! them ([`statements`]) and what doubling and halving makes known ([`shifts`]). Claims about memory at barriers are in [`claims`],
//! those about every element of an array in [`cells`].

mod accesses;
mod cells;
mod claims;
mod instances;
mod instructions;
mod known;
mod loops;
mod nodes;
mod shifts;
mod statements;
mod values;

use std::collections::HashMap;
use std::ops::Deref;

use duet_analysis::Loop;
use duet_ir::{Array, EntityRef, Inst, Value};
use duet_product::{KernelFacts, Node, Region};
use duet_smt::{TermId, TermPool};

use self::accesses::MemoryView;
use self::loops::Headers;
use self::values::Values;
use crate::launch::{Geometry, ThreadTerms};
use crate::memory::Memory;
use crate::overflow::InRange;
use crate::statement::Invariants;
use crate::walk::Walk;

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
    /// Do both threads see the same contents of the array after they pass the barrier?
    pub after_barrier: &'a dyn Fn(Inst, Array) -> bool,
    /// Tells the symbols of this walk from those of others.
    pub tag: &'a str,
}

impl Sharing<'_> {
    /// The thread is alone.
    pub fn nothing() -> Self {
        Sharing {
            value: &|_| false,
            visit: &|_| false,
            contents: &|_| false,
            after_barrier: &|_, _| false,
            tag: "alone",
        }
    }
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

/// Conditions of the edges out of each node.
type Edges = HashMap<(Node, usize), TermId>;

/// Walks one region for one thread.
pub struct Encoder<'a> {
    values: Values<'a>,
    memory: MemoryView,
    headers: Headers<'a>,
    edges: Edges,
    /// Values that depend on what a single thread does not know.
    tainted: HashMap<Value, bool>,
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
        let mut encoder = Encoder::new(kernel, pool, thread, region, sharing, invariants);
        encoder.values.start = start;
        encoder.run()
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
        let mut encoder = Encoder::new(kernel, pool, thread, region, sharing, invariants);
        encoder.headers.visits_are = visits_are;
        encoder.run()
    }

    fn new(
        kernel: Kernel<'a>,
        pool: &'a mut TermPool,
        thread: &'a ThreadTerms,
        region: &'a Region,
        sharing: &'a Sharing<'a>,
        invariants: &'a Invariants,
    ) -> Encoder<'a> {
        let values = Values {
            kernel,
            pool,
            thread,
            region,
            sharing,
            start: Start { before: None },
            walk: Walk::default(),
            node: region.root(),
            moment: 0,
        };
        Encoder {
            values,
            memory: MemoryView::new(kernel),
            headers: Headers::new(invariants),
            edges: HashMap::new(),
            tainted: HashMap::new(),
        }
    }

    fn run(mut self) -> Walk {
        for &node in &self.values.region.order {
            self.values.node = node;
            self.note_ancestors(node);
            self.enter(node);
            self.instructions(node);
            self.leave(node);
        }
        self.headers.close_headers(&mut self.values, &self.edges);
        if let Some(end) = self.values.walk.ends.last() {
            let known = self.memory.cells.carried(&self.values, end.at.node);
            self.values.walk.known_at_end = known;
        }
        Walk { memory: self.memory.memory, sites: self.memory.sites, ..self.values.walk }
    }

    fn note_ancestors(&mut self, node: Node) {
        let mut all = vec![false; self.values.region.nodes.len()];
        for (from, _) in &self.values.region.nodes[node].predecessors {
            if let Some(before) = self.values.walk.ancestors.get(from) {
                all.iter_mut().zip(before).for_each(|(all, before)| *all |= before);
                all[from.index()] = true;
            }
        }
        self.values.walk.ancestors.insert(node, all);
    }

    // ---- Values ---------------------------------------------------------
}

impl Walk {
    /// The memory at the end that the walk was pruned to.
    pub fn final_memory(&self) -> Option<&Memory> {
        self.ends.last().and_then(|end| self.memory.get(&end.at.node))
    }
}
