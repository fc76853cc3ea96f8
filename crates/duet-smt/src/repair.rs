//! Models by repair: small questions that have a model, answered without a solver.
//!
//! Most conjunctions that are asked for a model (a launch and its preconditions, two
//! different threads of a block, a state that breaks a guessed invariant) are met by small
//! numbers. So one starts from zeros and mends one false literal at a time, by giving one
//! symbol the value that makes it true, until all hold or a few steps have gone by. This is
//! a search: it may miss a model, and says nothing then.
//!
//! SOUNDNESS: what is returned was evaluated, like the model of a solver (test
//! `what_repair_finds_is_a_model`).

use crate::eval::eval_all;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{FuncId, TermId, mask, to_signed};
use crate::value::{Model, Value};
use rustc_hash::FxHashMap;

/// Literals mended at most.
const STEPS: usize = 16;
/// Terms of the largest question that is tried.
const TERMS: usize = 300;

/// A model of the conjunction, if a few repairs of zeros lead to one.
pub fn repaired_model(pool: &TermPool, literals: &[TermId]) -> Option<Model> {
    if pool.reachable(literals).len() > TERMS {
        return None;
    }
    let mut model = Model::new();
    for step in 0..STEPS {
        let values = eval_all(pool, &model, literals).ok()?;
        let is_false = |t: &&TermId| values[*t] != Value::Bool(true);
        let Some(&broken) = literals.iter().find(is_false) else { return Some(model) };
        let change = Repair { pool, values: &values, step }.towards(broken, true)?;
        model.set_at(change.symbol, change.at, change.value);
    }
    None
}

/// One change of one symbol, at some arguments.
struct Change {
    symbol: FuncId,
    at: Vec<Value>,
    value: Value,
}

/// A state to be mended.
struct Repair<'a> {
    pool: &'a TermPool,
    values: &'a FxHashMap<TermId, Value>,
    /// Which of several ways is taken: another one each time, or two literals could undo
    /// each other's repair for ever.
    step: usize,
}

impl Repair<'_> {
    /// A change after which a formula is likely to have this truth value.
    fn towards(&self, formula: TermId, wanted: bool) -> Option<Change> {
        let args = self.pool.args(formula);
        match (self.pool.op(formula), wanted) {
            (Op::Apply(symbol), _) => Some(self.change(symbol, args, Value::Bool(wanted))),
            (Op::Not, _) => self.towards(args[0], !wanted),
            (Op::And, true) | (Op::Or, false) => {
                let wrong = args.iter().find(|t| self.values[t] != Value::Bool(wanted))?;
                self.towards(*wrong, wanted)
            }
            (Op::And, false) | (Op::Or, true) => self.first(args, |t| self.towards(t, wanted)),
            (Op::Eq, true) => self.between(args, |other| other),
            (Op::Eq, false) => self.between(args, |other| other ^ 1),
            (Op::Ult, true) | (Op::Ule, false) => self.below(args, wanted, false, true),
            (Op::Ule, true) | (Op::Ult, false) => self.below(args, wanted, false, false),
            (Op::Slt, true) | (Op::Sle, false) => self.below(args, wanted, true, true),
            (Op::Sle, true) | (Op::Slt, false) => self.below(args, wanted, true, false),
            _ => None,
        }
    }

    /// The first change among those for these terms, beginning with another one each time.
    fn first(&self, terms: &[TermId], change: impl Fn(TermId) -> Option<Change>) -> Option<Change> {
        (0..terms.len()).find_map(|i| change(terms[(i + self.step) % terms.len()]))
    }

    /// One side takes a value made from the other's.
    fn between(&self, sides: &[TermId], value: impl Fn(u128) -> u128) -> Option<Change> {
        let (a, b) = (self.bits(sides[0])?, self.bits(sides[1])?);
        let left = || self.aim(sides[0], value(b));
        let right = || self.aim(sides[1], value(a));
        if self.step.is_multiple_of(2) { left().or_else(right) } else { right().or_else(left) }
    }

    /// One side is moved, so that the first (the second, if they are not wanted in this
    /// order) is below the other.
    fn below(
        &self,
        sides: &[TermId],
        in_order: bool,
        signed: bool,
        strict: bool,
    ) -> Option<Change> {
        let (low, high) = if in_order { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
        let width = self.pool.sort(low).width()?;
        let (least, most) = match signed {
            true => (1 << (width - 1), mask(width) >> 1),
            false => (0, mask(width)),
        };
        let step = u128::from(strict);
        let raise = || {
            let floor = self.bits(low)?;
            (!strict || floor != most).then(|| self.aim(high, floor.wrapping_add(step)))?
        };
        let lower = || {
            let ceiling = self.bits(high)?;
            (!strict || ceiling != least).then(|| self.aim(low, ceiling.wrapping_sub(step)))?
        };
        if self.step % 3 == 2 { lower().or_else(raise) } else { raise().or_else(lower) }
    }

    /// A change after which a bit-vector is likely to have these bits.
    fn aim(&self, term: TermId, bits: u128) -> Option<Change> {
        let width = self.pool.sort(term).width()?;
        let (bits, args) = (bits & mask(width), self.pool.args(term));
        match self.pool.op(term) {
            Op::Apply(symbol) => Some(self.change(symbol, args, Value::bv(width, bits))),
            Op::ZeroExtend(_) | Op::SignExtend(_) => self.aim(args[0], bits),
            Op::Extract { lo: 0, .. } => self.aim(args[0], bits),
            Op::BvNot => self.aim(args[0], !bits),
            Op::BvAdd => self.first(args, |arg| {
                let rest = self.bits(term)?.wrapping_sub(self.bits(arg)?);
                self.aim(arg, bits.wrapping_sub(rest))
            }),
            Op::BvMul if args.len() == 2 => self.first(args, |arg| {
                let other = if arg == args[0] { args[1] } else { args[0] };
                let (signed, factor) =
                    (to_signed(bits, width), to_signed(self.bits(other)?, width));
                if factor == 0 {
                    return None;
                }
                // Rounded away from zero: a bound from below is met.
                let up = i128::from(signed % factor != 0) * signed.signum() * factor.signum();
                self.aim(arg, (signed / factor + up) as u128)
            }),
            Op::Ite => match &self.values[&args[0]] {
                Value::Bool(true) => self.aim(args[1], bits),
                _ => self.aim(args[2], bits),
            },
            _ => None,
        }
    }

    fn change(&self, symbol: FuncId, args: &[TermId], value: Value) -> Change {
        let at = args.iter().map(|arg| self.values[arg].clone()).collect();
        Change { symbol, at, value }
    }

    fn bits(&self, term: TermId) -> Option<u128> {
        self.values[&term].bits()
    }
}
