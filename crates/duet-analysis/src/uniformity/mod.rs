//! Which values are the same for all threads of a scope, and which blocks all of
//! them visit.
//!
//! # What is claimed
//!
//! Fix a scope (warp, block, grid) and two threads of one instance of it. A
//! *visit* is a block with the iteration counts of the loops around it (see
//! [`crate::Loops`]). Then, in every run up to its first defect:
//!
//! * a **uniform value** is the same in both threads at the same visit of the
//!   block that defines it, if both make that visit;
//! * a value that is **uniform at** a block is, at the same visit of *that* block,
//!   the same in both threads. Inside the loops of its definition that is the
//!   same thing. Outside of them it is not: in `while (1) { i++; if (i > tid)
//!   break; } use(i)` the counter is uniform, yet the threads leave with
//!   different values ("temporal divergence");
//! * a **uniform branch** goes the same way in both threads at the same visit;
//! * a **uniform block** is visited by both threads or by neither, at every
//!   visit, if both return. Threads that fail (`halt`) or never end are left out.
//!
//! Nothing is claimed about two *different* visits: in `for (i = 0; i < n; i++)
//! a[tid + i] = tid` the counter is uniform, and the two threads may still be in
//! different iterations.
//!
//! # Why it is sound
//!
//! Everything starts uniform and is marked divergent for a reason; the least
//! fixed point of the reasons is the result. *Data*: thread ids differ in every
//! scope, block ids across the grid; unknowns, atomics, calls and private memory
//! differ; a load is uniform only from an array that the kernel never writes, that
//! has one instance for the scope, at a uniform address, and is not volatile; a
//! division whose divisor may be zero is unspecified (see [`UniformityOptions`]). What only
//! depends on which warp of the block it is, is the same in the warp (`warps`).
//! Counting barriers and warp votes give one answer to all who take part; they
//! are uniform only in uniform blocks, in a scope where all threads take part.
//! *Control*: let two threads make the same visit of a block by different ways.
//! Take the last visit that they had in common before: its branch went different
//! ways, so it is divergent, and from there the ways were disjoint. `walk` finds
//! the blocks where disjoint ways from a divergent branch can meet again, the
//! exits by which threads may leave a loop at different iterations, and the blocks on
//! the way. A loop left at different iterations or exits is a branch among its exits in
//! the loop around it.
//!
//! The divergence of a scope includes that of the narrower ones. The claim about
//! counting barriers and votes rests on freedom from barrier divergence, like all
//! relations between threads (docs/soundness.md). Loads from written memory are
//! never uniform here; the pair program may know better.
//!
//! Irreducible graphs have no visits in this sense: every value that an
//! instruction or a block defines is then divergent, every branch and every block.
//!
//! Cost: each branch and each loop is walked a few times, so at worst branches
//! times edges; in practice a walk ends after a few blocks.

mod transfer;
mod walk;
mod warps;

use std::collections::BTreeSet;
use std::fmt;

use duet_ir::{
    BarrierScope, Block, EntityRef, Function, Module, SecondaryMap, Terminator, Value, ValueDef,
};

use crate::{ArrayUses, Loop, Loops};

/// A set of threads: a warp, a block or the grid.
pub type Scope = BarrierScope;

/// All scopes, narrow ones first.
pub const SCOPES: [Scope; 3] = [Scope::Warp, Scope::Block, Scope::Grid];

/// What the caller has made sure of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformityOptions {
    /// No division or remainder has a zero divisor: it is a function of its
    /// operands. Without this only divisors that cannot be zero by their form
    /// (literals, launch sizes) are trusted.
    pub divisions_are_defined: bool,
    /// The number of threads along x of every block, if that is a number and warps are made of
    /// 32 threads in the order of their ids.
    pub block_width: Option<u32>,
}

/// Which values, branches and blocks are uniform, for each scope.
#[derive(Clone, Debug)]
pub struct Uniformity {
    scopes: [Divergence; 3],
    loops: Loops,
    block_of: SecondaryMap<Value, Option<Block>>,
    layout: Vec<Block>,
    defs: SecondaryMap<Block, Vec<Value>>,
}

/// What may differ between the threads of one scope.
#[derive(Clone, Debug, Default)]
struct Divergence {
    values: SecondaryMap<Value, bool>,
    branches: SecondaryMap<Block, bool>,
    blocks: SecondaryMap<Block, bool>,
    /// For each loop: the blocks after it that threads reach after having left
    /// the loop at different iterations.
    left_apart: SecondaryMap<Loop, BTreeSet<Block>>,
    /// Blocks from which every path fails: nothing is claimed there.
    doomed: SecondaryMap<Block, bool>,
}

impl Uniformity {
    /// Of a well-formed function with its loops and array uses.
    pub fn new(
        module: &Module,
        func: &Function,
        loops: &Loops,
        arrays: &ArrayUses,
        options: UniformityOptions,
    ) -> Uniformity {
        let block_of = blocks_of_values(func);
        let scopes = SCOPES.map(|scope| {
            let context = walk::Context { module, func, loops, arrays, options, scope };
            walk::solve(&context, &block_of)
        });
        let mut defs: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
        for (value, block) in block_of.iter() {
            if let Some(block) = block {
                defs[*block].push(value);
            }
        }
        Uniformity { scopes, loops: loops.clone(), block_of, layout: func.layout.clone(), defs }
    }

    /// May the value differ between two threads of the scope, at the same visit
    /// of its definition?
    pub fn may_be_divergent(&self, value: Value, scope: Scope) -> bool {
        self.scope(scope).values[value]
    }

    /// May the value differ between two threads of the scope, at the same visit
    /// of `block`?
    pub fn may_be_divergent_at(&self, value: Value, block: Block, scope: Scope) -> bool {
        self.scope(scope).value_at(&self.loops, self.block_of[value], value, block)
    }

    /// May the branch at the end of the block go different ways in two threads
    /// of the scope, at the same visit? False where there is no branch.
    pub fn may_be_divergent_branch(&self, block: Block, scope: Scope) -> bool {
        self.scope(scope).branches[block]
    }

    /// May one thread of the scope visit the block where another does not?
    pub fn may_be_divergent_block(&self, block: Block, scope: Scope) -> bool {
        self.scope(scope).blocks[block]
    }

    /// May two threads of the scope leave the loop at different iterations and still
    /// meet in the same visit of a block after it?
    pub fn may_be_left_apart(&self, id: Loop, scope: Scope) -> bool {
        !self.scope(scope).left_apart[id].is_empty()
    }

    /// The widest scope in which the value is uniform at its definition.
    pub fn widest(&self, value: Value) -> Option<Scope> {
        SCOPES.into_iter().rev().find(|&scope| !self.may_be_divergent(value, scope))
    }

    fn scope(&self, scope: Scope) -> &Divergence {
        &self.scopes[scope as usize]
    }
}

impl Divergence {
    /// May the value, defined in `def`, differ at the same visit of `block`?
    fn value_at(&self, loops: &Loops, def: Option<Block>, value: Value, block: Block) -> bool {
        let Some(def) = def else {
            return self.values[value];
        };
        let apart = |id: Loop| !loops.contains(id, block) && self.left_apart[id].contains(&block);
        self.values[value] || (self.doomed[block] && def != block) || loops.around(def).any(apart)
    }
}

/// The block that defines each value; none for parameters and constants.
fn blocks_of_values(func: &Function) -> SecondaryMap<Value, Option<Block>> {
    let mut result = SecondaryMap::new();
    for &block in &func.layout {
        let data = &func.blocks[block];
        let results = data.insts.iter().flat_map(|&inst| &func.results_of[inst]);
        for &value in data.params.iter().chain(results) {
            result[value] = Some(block);
        }
    }
    result
}

/// Is the value bound outside of every block?
fn is_global(func: &Function, value: Value) -> bool {
    matches!(func.values[value], ValueDef::Const(_) | ValueDef::FunctionParam(_))
}

/// The operand that a terminator decides by, if it has several ways to go.
fn decided_by(terminator: &Terminator) -> Option<Value> {
    match terminator {
        Terminator::Branch { cond: value, .. } | Terminator::Switch { arg: value, .. } => {
            Some(*value)
        }
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => None,
    }
}

impl fmt::Display for Uniformity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = |divergent: &dyn Fn(&Divergence) -> bool| {
            let found = SCOPES.into_iter().rev().find(|&scope| !divergent(self.scope(scope)));
            found.map_or("divergent".to_string(), |scope| format!("uniform in {scope}"))
        };
        for &block in &self.layout {
            writeln!(f, "{block}: {}", widest(&|d| d.blocks[block]))?;
            for &value in &self.defs[block] {
                writeln!(f, "  {value}: {}", widest(&|d| d.values[value]))?;
            }
            if self.scopes[2].branches[block] {
                writeln!(f, "  branch: {}", widest(&|d| d.branches[block]))?;
            }
        }
        for id in (0..self.loops.len()).map(Loop::new) {
            let Some(scope) = SCOPES.into_iter().find(|&scope| self.may_be_left_apart(id, scope))
            else {
                continue;
            };
            let blocks: Vec<Block> = self.scope(scope).left_apart[id].iter().copied().collect();
            writeln!(f, "{id}: left apart in {scope}, seen in{}", crate::loops::List(&blocks))?;
        }
        Ok(())
    }
}
