//! Bounds on the value of every integer, for one thread of a launch.
//!
//! *What is claimed.* [`Ranges::of`] holds every value that a definition yields in
//! any run, up to its first defect, of a launch of the given shape with the given
//! arguments and with preconditions that hold. [`Ranges::at`] holds every value
//! that the definition has at visits of a block: it adds the conditions of the
//! branches that must have been taken to get there. Empty means that no run gets
//! there. Integers of more than 64 bits have no range.
//!
//! *Why it is sound.* An over-approximation: the fixed point of sound transfer
//! functions over the definitions, from below with widening (to literals of the
//! function, then to the ends of the type), then a few rounds from above, each of
//! which keeps every reachable value. Wrap-around: see `range`; `nsw` is never
//! used. A condition on an edge that is the only way into a block holds in all
//! blocks that the block dominates, because the operands are defined before the
//! branch and cannot be defined anew on the way without passing it again. A false
//! assertion is a defect and ends nothing: assertions are no facts here.
//! Preconditions (`requires`) in the entry block hold everywhere, assumptions in
//! the blocks that they dominate; the verdict lists both. (So the condition of a
//! precondition is itself `true` here. That is no reason to drop the precondition:
//! it may relate values in ways that ranges cannot.)
//!
//! Launch sizes: DESIGN's meaning 2. The limit on threads along a dimension is used
//! for `block_id * block_dim`, `block_id * block_dim + thread_id` and `block_dim *
//! grid_dim` where a size is free.
//!
//! Cost: a few passes over the function, each with the constraints of each operand.

mod facts;
mod range;
mod transfer;

use std::collections::BTreeMap;
use std::fmt;

use duet_ir::{Block, CastOp, Function, IntCc, SecondaryMap, Terminator, Type, Value, ValueDef};

use facts::{Fact, Holds, Other};
pub use range::Range;

use crate::bits::signed;
use crate::graph::incoming;
use crate::{Dominators, EdgeId, LaunchSpec, Loops};

/// Updates of a block parameter before it is widened.
const PATIENCE: u32 = 3;
/// Updates before widening goes to the end of the type at once.
const THRESHOLD_STEPS: u32 = 40;
/// Rounds from above.
const NARROWING: u32 = 3;

/// The range of every integer value.
#[derive(Clone, Debug)]
pub struct Ranges {
    ranges: SecondaryMap<Value, Option<Range>>,
    facts: SecondaryMap<Value, Vec<(Fact, Holds)>>,
    dominators: Dominators,
    layout: Vec<Block>,
    defs: SecondaryMap<Block, Vec<Value>>,
}

impl Ranges {
    /// Of a well-formed function, on a launch, with some scalar arguments known.
    pub fn new(
        func: &Function,
        dominators: &Dominators,
        loops: &Loops,
        launch: &LaunchSpec,
        arguments: &BTreeMap<Value, u128>,
    ) -> Ranges {
        let mut result = Ranges {
            ranges: SecondaryMap::new(),
            facts: SecondaryMap::new(),
            dominators: dominators.clone(),
            layout: func.layout.clone(),
            defs: SecondaryMap::new(),
        };
        result.bind(func, arguments);
        for (fact, holds) in facts::collect(func) {
            result.facts[fact.about].push((fact, holds));
        }
        Solver::new(func, loops, launch, &mut result).solve();
        result
    }

    /// Every value that the definition yields. None for what is no integer of at
    /// most 64 bits.
    pub fn of(&self, value: Value) -> Option<Range> {
        self.ranges[value]
    }

    /// Every value that the definition has at visits of the block.
    pub fn at(&self, value: Value, block: Block) -> Option<Range> {
        let mut range = self.ranges[value]?;
        for (fact, holds) in &self.facts[value] {
            let holds = match *holds {
                Holds::From(from) => self.dominators.dominates(from, block),
                Holds::After(from) => self.dominators.strictly_dominates(from, block),
            };
            if holds {
                range = self.apply(range, fact);
            }
        }
        Some(range)
    }

    /// The literal that the value is, by its range.
    pub fn known(&self, value: Value) -> Option<u128> {
        self.ranges[value]?.as_single()
    }

    /// A range cut by a fact.
    fn apply(&self, range: Range, fact: &Fact) -> Range {
        let other = match fact.other {
            Other::Value(value) => self.ranges[value],
            Other::Bits(bits, width) => Some(Range::single(bits, width)),
        };
        let Some(other) = other else {
            return range;
        };
        let (op, width) = match fact.through {
            None => {
                let cut = range.meet(Range::satisfying(fact.cc, other));
                return if fact.cc == IntCc::Ne { cut.excluding(other) } else { cut };
            }
            Some(through) => through,
        };
        let wide = Range::cast(op, range, width).meet(Range::satisfying(fact.cc, other));
        let cut = if op == CastOp::ZExt {
            let (low, high) = wide.unsigned();
            Range::of_unsigned(low as i128, high as i128, range.width())
        } else {
            let (low, high) = wide.signed();
            Range::of_signed(low, high, range.width())
        };
        if wide.is_empty() { Range::empty(range.width()) } else { range.meet(cut) }
    }

    /// Ranges of parameters and constants, and nothing yet for the rest.
    fn bind(&mut self, func: &Function, arguments: &BTreeMap<Value, u128>) {
        for (value, def) in func.values.iter() {
            let Some(width) = width_of(func, value) else {
                continue;
            };
            self.ranges[value] = Some(match def {
                ValueDef::Const(_) => {
                    func.const_bits(value).map_or(Range::full(width), |b| Range::single(b, width))
                }
                ValueDef::FunctionParam(_) => match arguments.get(&value) {
                    Some(&bits) => Range::single(bits, width),
                    None => Range::full(width),
                },
                ValueDef::Result(..) | ValueDef::BlockParam(..) => Range::empty(width),
            });
        }
        for &block in &func.layout {
            let data = &func.blocks[block];
            let results = data.insts.iter().flat_map(|&inst| &func.results_of[inst]);
            self.defs[block] = data.params.iter().chain(results).copied().collect();
        }
    }
}

/// The width of an integer that ranges are kept for.
fn width_of(func: &Function, value: Value) -> Option<u8> {
    match func.type_of(value) {
        Type::Int(width) if width <= range::MAX_WIDTH => Some(width),
        Type::Int(_) | Type::Float(_) | Type::Ref => None,
    }
}

/// The iteration.
struct Solver<'a> {
    func: &'a Function,
    loops: &'a Loops,
    launch: &'a LaunchSpec,
    result: &'a mut Ranges,
    thresholds: Vec<i128>,
    incoming: SecondaryMap<Block, Vec<EdgeId>>,
    edge_facts: BTreeMap<EdgeId, Vec<Fact>>,
    updates: SecondaryMap<Value, u32>,
    changed: bool,
}

impl<'a> Solver<'a> {
    fn new(
        func: &'a Function,
        loops: &'a Loops,
        launch: &'a LaunchSpec,
        result: &'a mut Ranges,
    ) -> Solver<'a> {
        let thresholds = thresholds(func, launch);
        let updates = SecondaryMap::new();
        let incoming = incoming(func, loops.order());
        let edges = loops.order().iter().flat_map(|&block| &incoming[block]);
        let edge_facts = edges.map(|&edge| (edge, facts::of_edge(func, edge))).collect();
        Solver {
            func,
            loops,
            launch,
            result,
            thresholds,
            incoming,
            edge_facts,
            updates,
            changed: true,
        }
    }

    /// Up to a fixed point, then down a few rounds.
    fn solve(mut self) {
        while std::mem::take(&mut self.changed) {
            for &block in self.loops.order() {
                self.visit(block, true);
            }
        }
        for _ in 0..NARROWING {
            for &block in self.loops.order() {
                self.visit(block, false);
            }
        }
    }

    fn visit(&mut self, block: Block, rising: bool) {
        let func = self.func;
        for (index, &param) in func.blocks[block].params.iter().enumerate() {
            if let Some(old) = self.result.ranges[param] {
                let new = self.incoming(block, index, old.width());
                self.set(param, new, rising, true);
            }
        }
        for &inst in &func.blocks[block].insts {
            for &value in &func.results_of[inst] {
                if let Some(old) = self.result.ranges[value] {
                    let new = self.transfer(block, inst, old.width());
                    self.set(value, new, rising, false);
                }
            }
        }
    }

    /// Gives a value a new range: joined and widened on the way up, replaced on
    /// the way down.
    fn set(&mut self, value: Value, new: Range, rising: bool, widen: bool) {
        let old = self.result.ranges[value].unwrap_or(new);
        let mut next = if rising { old.join(new) } else { new };
        if rising && next != old {
            self.changed = true;
            self.updates[value] += 1;
            let updates = self.updates[value];
            if updates > THRESHOLD_STEPS {
                next = old.widened(next, &[]);
            } else if widen && updates > PATIENCE {
                next = old.widened(next, &self.thresholds);
            }
        }
        self.result.ranges[value] = Some(next);
    }

    /// What the edges bring to a parameter.
    fn incoming(&self, block: Block, index: usize, width: u8) -> Range {
        let mut range = Range::empty(width);
        for &edge in &self.incoming[block] {
            if let Some(found) = self.on_edge(edge.argument(self.func, index), edge) {
                range = range.join(found);
            }
        }
        range
    }

    /// The range of a value when an edge is taken.
    fn on_edge(&self, value: Value, edge: EdgeId) -> Option<Range> {
        let EdgeId { from, index } = edge;
        let range = self.result.at(value, from)?;
        let Terminator::Branch { cond, .. } = self.func.blocks[from].terminator else {
            return Some(self.refined(range, value, &self.edge_facts[&edge]));
        };
        match self.result.at(cond, from).and_then(|cond| cond.as_single()) {
            Some(known) if (known != 0) != (index == 0) => Some(Range::empty(range.width())),
            _ => Some(self.refined(range, value, &self.edge_facts[&edge])),
        }
    }

    /// A range cut by what facts say about the value.
    fn refined(&self, range: Range, value: Value, facts: &[Fact]) -> Range {
        let about = facts.iter().filter(|fact| fact.about == value);
        about.fold(range, |range, fact| self.result.apply(range, fact))
    }
}

/// Literals of the function and sizes of the launch, with their neighbours: the
/// places where widening stops.
fn thresholds(func: &Function, launch: &LaunchSpec) -> Vec<i128> {
    let mut found = vec![-1, 0, 1];
    for (value, _) in func.values.iter() {
        if let (Some(bits), Type::Int(width)) = (func.const_bits(value), func.type_of(value))
            && width <= range::MAX_WIDTH
        {
            let readings = [bits as i128, signed(bits, width)];
            found.extend(readings.iter().flat_map(|n| [n - 1, *n, n + 1]));
        }
    }
    for dim in duet_ir::Dim::ALL {
        let sizes = [launch.block_dim(dim).1, launch.grid_dim(dim).1];
        found.extend(sizes.iter().flat_map(|&n| [i128::from(n) - 1, i128::from(n)]));
    }
    found.extend([i128::from(i32::MAX), i128::from(u32::MAX), i128::from(i64::MAX)]);
    found.sort_unstable();
    found.dedup();
    found
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &block in &self.layout {
            writeln!(f, "{block}:")?;
            for &value in &self.defs[block] {
                if let Some(range) = self.ranges[value] {
                    writeln!(f, "  {value}: {range}")?;
                }
            }
            for (value, facts) in self.facts.iter() {
                let starts = facts.iter().any(|(_, holds)| *holds == Holds::From(block));
                let (of, at) = (self.of(value), self.at(value, block));
                if let Some(at) = at.filter(|_| starts && of != at) {
                    writeln!(f, "  here {value}: {at}")?;
                }
            }
        }
        Ok(())
    }
}
