//! Values that are powers of two, and loop variables that probably are.
//!
//! Two different answers:
//!
//! * [`PowersOfTwo::is_power_or_zero`] is a *must* fact: in every run, the unsigned
//!   reading is 0 or a power of two. It is the greatest fixed point of rules that
//!   keep the property: literals, `1 << x`, shifts of such values, products and
//!   quotients of two, masks, extensions.
//! * [`PowersOfTwo::candidates`] are loop variables that are doubled or halved on
//!   every iteration. That they are powers of two is a guess: the rules r14, r15 and
//!   r17 of candidate-invariants (appendix A.13, A.15) start from it. Two in one
//!   loop that move in opposite directions are [`PowersOfTwo::opposite_pairs`].
//!
//! Cost: a few passes over the function.

use std::fmt;

use duet_ir::{BinaryOp, Block, CastOp, Function, Operation, SecondaryMap, Type, Value, ValueDef};

use crate::graph::incoming;
use crate::{ClosedForm, ClosedForms, EdgeId, Loop, Loops, Ranges};

/// Which way a loop variable goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Doubled, or more.
    Up,
    /// Halved, or more.
    Down,
}

/// A loop variable that is doubled or halved on every iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    /// The loop.
    pub id: Loop,
    /// The parameter of its header.
    pub param: Value,
    /// Which way.
    pub direction: Direction,
    /// Bits per iteration.
    pub by: u32,
}

/// The powers of two of a function.
#[derive(Clone, Debug)]
pub struct PowersOfTwo {
    holds: SecondaryMap<Value, bool>,
    candidates: Vec<Candidate>,
    layout: Vec<Block>,
    defs: SecondaryMap<Block, Vec<Value>>,
}

impl PowersOfTwo {
    /// Of a well-formed function with its closed forms; sizes and arguments that
    /// the ranges know count as literals.
    pub fn new(func: &Function, loops: &Loops, forms: &ClosedForms, ranges: &Ranges) -> Self {
        let mut result = PowersOfTwo {
            holds: SecondaryMap::new(),
            candidates: candidates(func, loops, forms),
            layout: func.layout.clone(),
            defs: SecondaryMap::new(),
        };
        result.solve(func, loops, ranges);
        result
    }

    /// Is the value always 0 or a power of two, unsigned?
    pub fn is_power_or_zero(&self, value: Value) -> bool {
        self.holds[value]
    }

    /// The loop variables that are doubled or halved.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Pairs in one loop, one doubled and one halved by the same number of bits.
    pub fn opposite_pairs(&self) -> Vec<(Candidate, Candidate)> {
        let of = |direction| self.candidates.iter().filter(move |c| c.direction == direction);
        of(Direction::Up)
            .flat_map(|&up| of(Direction::Down).map(move |&down| (up, down)))
            .filter(|(up, down)| up.id == down.id && up.by == down.by)
            .collect()
    }

    /// From "all are" down to what the rules keep.
    fn solve(&mut self, func: &Function, loops: &Loops, ranges: &Ranges) {
        for (value, def) in func.values.iter() {
            let int = matches!(func.type_of(value), Type::Int(_));
            self.holds[value] = match def {
                ValueDef::Const(_) | ValueDef::FunctionParam(_) => {
                    let bits = func.const_bits(value).or_else(|| ranges.known(value));
                    int && bits.is_some_and(is_power_or_zero)
                }
                ValueDef::Result(..) | ValueDef::BlockParam(..) => int,
            };
        }
        for &block in &func.layout {
            let data = &func.blocks[block];
            let results = data.insts.iter().flat_map(|&inst| &func.results_of[inst]);
            self.defs[block] = data.params.iter().chain(results).copied().collect();
        }
        let values: Vec<Value> =
            loops.order().iter().flat_map(|&block| self.defs[block].clone()).collect();
        let incoming = incoming(func, loops.order());
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &value in &values {
                if self.holds[value] && !self.keeps(func, &incoming, ranges, value) {
                    self.holds[value] = false;
                    changed = true;
                }
            }
        }
    }

    /// Does the rule for the definition hold?
    fn keeps(
        &self,
        func: &Function,
        incoming: &SecondaryMap<Block, Vec<EdgeId>>,
        ranges: &Ranges,
        value: Value,
    ) -> bool {
        use BinaryOp::*;
        if let Some(bits) = ranges.known(value) {
            return is_power_or_zero(bits);
        }
        let is = |value: Value| self.holds[value];
        match func.values[value] {
            ValueDef::BlockParam(block, index) => {
                incoming[block].iter().all(|edge| is(edge.argument(func, index as usize)))
            }
            ValueDef::Result(inst, _) => match func.insts[inst].operation() {
                Some(Operation::Binary { op, args: [a, b], .. }) => match op {
                    Shl | LShr => is(a),
                    Mul => is(a) && is(b),
                    // By zero it is unspecified.
                    UDiv => is(a) && is(b) && ranges.of(b).is_some_and(|range| !range.contains(0)),
                    And => is(a) || is(b),
                    Add | Sub | SDiv | URem | SRem | AShr | Or | Xor | FAdd | FSub | FMul
                    | FDiv | FRem => func.type_of(value) == Type::BOOL,
                },
                Some(Operation::Cast { op: CastOp::ZExt | CastOp::Trunc, arg, .. }) => is(arg),
                Some(Operation::Select { args: [a, b], .. }) => is(a) && is(b),
                Some(
                    Operation::Cast { .. }
                    | Operation::Unary { .. }
                    | Operation::IntCompare { .. }
                    | Operation::FloatCompare { .. }
                    | Operation::Geometry(_),
                )
                | None => func.type_of(value) == Type::BOOL,
            },
            ValueDef::FunctionParam(_) | ValueDef::Const(_) => self.holds[value],
        }
    }
}

fn is_power_or_zero(bits: u128) -> bool {
    bits == 0 || bits.is_power_of_two()
}

fn candidates(func: &Function, loops: &Loops, forms: &ClosedForms) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (id, data) in loops.iter() {
        for &param in &func.blocks[data.header].params {
            let (direction, by) = match forms.get(param) {
                Some(ClosedForm::ShiftLeft { by }) => (Direction::Up, *by),
                Some(ClosedForm::ShiftRight { by, .. }) => (Direction::Down, *by),
                _ => continue,
            };
            found.push(Candidate { id, param, direction, by });
        }
    }
    found
}

impl fmt::Display for PowersOfTwo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &value in self.layout.iter().flat_map(|&block| &self.defs[block]) {
            if self.holds[value] {
                writeln!(f, "{value}: power of two or zero")?;
            }
        }
        for Candidate { id, param, direction, by } in &self.candidates {
            let way = if *direction == Direction::Up { "doubled" } else { "halved" };
            writeln!(f, "{id}: {param} {way}, {by} bits an iteration")?;
        }
        for (up, down) in self.opposite_pairs() {
            writeln!(f, "{}: {} up, {} down", up.id, up.param, down.param)?;
        }
        Ok(())
    }
}
