//! Bit-vectors as integers.
//!
//! Every bit-vector term becomes an integer term for its *unsigned value*. A
//! sum of products is the ideal one where the index algebra proves, from the
//! literals themselves, that it stays in `[0, 2^w)`; elsewhere it is the ideal
//! one minus `2^w·k` with an explicit quotient `k` and the range as an
//! assertion. Shifts, masks, extracts and divisions by constants become `div`
//! and `mod`; a signed comparison compares signed views. Other bit operations
//! become uninterpreted functions of their operands, with bounds.
//!
//! *Soundness.* A bit-vector model of the literals gives an integer model of the
//! translation: take unsigned values, the quotients that occur, and the bit
//! operations themselves for the functions. So `unsat` of the translation is
//! `unsat` of the literals. This holds although the literals are used to prove
//! their own operations free of wrapping: that proof speaks of their models
//! only. In the other direction, every range that was relied on is an assertion
//! too, so without uninterpreted bit operations (`exact`) an integer
//! model is a bit-vector model. Callers check models anyway.
//!
//! *Cost.* One quotient and two inequalities per operation that may wrap.

use crate::algebra::{Ranges, SumOfProducts};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{FuncId, Sort, TermId, mask, to_signed};
use crate::value::{Model, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Widths above this have powers of two that don't fit our integers.
const MAX_TRANSLATED_WIDTH: u32 = 100;

/// What the translation cannot express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot be translated to integers: {0}")]
pub struct Untranslatable(&'static str);

/// Integer assertions that stand for bit-vector literals.
#[derive(Clone, Debug, Default)]
pub struct IntTranslation {
    /// One per literal, then the side conditions.
    pub assertions: Vec<TermId>,
    /// Whether an integer model is a model of the literals; if not, only
    /// `unsat` says something.
    pub exact: bool,
    /// Sums and products not shown free of wrapping, modelled with a quotient.
    pub may_wrap: Vec<TermId>,
    /// Bit-vector symbols and the integer symbols that stand for them.
    pub(crate) functions: BTreeMap<FuncId, FuncId>,
}

/// Translates a conjunction of array-free literals.
pub fn translate_to_int(
    pool: &mut TermPool,
    literals: &[TermId],
) -> Result<IntTranslation, Untranslatable> {
    let order = pool.reachable(literals);
    for &t in &order {
        match pool.sort(t) {
            Sort::Array { .. } => return Err(Untranslatable("arrays")),
            Sort::BitVec(w) if w > MAX_TRANSLATED_WIDTH => {
                return Err(Untranslatable("bit-vectors of more than 100 bits"));
            }
            _ => {}
        }
    }
    let mut translator = Translator {
        ranges: Ranges::new(pool, literals),
        done: FxHashMap::default(),
        asserted: FxHashSet::default(),
        out: IntTranslation { exact: true, ..IntTranslation::default() },
    };
    for t in order {
        if translator.pool().work.is_late() {
            return Err(Untranslatable("the time limit was reached"));
        }
        let translated = translator.term(t);
        translator.done.insert(t, translated);
    }
    let mut out = translator.out;
    let main: Vec<TermId> = literals.iter().map(|t| translator.done[t]).collect();
    out.assertions.splice(0..0, main);
    Ok(out)
}

impl IntTranslation {
    /// A model of the assertions as a model of the literals.
    pub fn restore(&self, pool: &TermPool, ints: &Model) -> Model {
        let mut model = Model::new();
        let replaced: Vec<FuncId> = self.functions.values().copied().collect();
        for (f, table) in ints.funcs().filter(|(f, _)| !replaced.contains(f)) {
            model.set_table(f, table.clone());
        }
        for (&f, &g) in &self.functions {
            let (data, table) = (pool.func_data(f), ints.table(g));
            for (args, value) in table.iter().flat_map(|t| &t.entries) {
                let args = data.args.iter().zip(args).map(|(&s, v)| as_sort(s, v)).collect();
                model.set_at(f, args, as_sort(data.result, value));
            }
        }
        model
    }
}

fn as_sort(sort: Sort, value: &Value) -> Value {
    match (sort, value) {
        (Sort::BitVec(width), Value::Int(n)) => Value::bv(width, *n as u128),
        _ => value.clone(),
    }
}

struct Translator<'a> {
    ranges: Ranges<'a>,
    done: FxHashMap<TermId, TermId>,
    /// The ranges that are assertions already.
    asserted: FxHashSet<TermId>,
    out: IntTranslation,
}

impl Translator<'_> {
    fn pool(&mut self) -> &mut TermPool {
        self.ranges.pool()
    }

    fn int(&mut self, n: i128) -> TermId {
        self.pool().int(n)
    }

    fn width(&mut self, t: TermId) -> u32 {
        self.pool().width(t)
    }

    /// Whether the unsigned value of `t` is surely in the range. Then the range
    /// becomes an assertion: the literal that says so may be the very one whose
    /// translation relies on it.
    fn surely(&mut self, t: TermId, lo: i128, hi: i128) -> bool {
        let sure = self.ranges.within(&vec![(1, vec![t])], lo, hi);
        if sure {
            self.assert_between(self.done[&t], lo, hi);
        }
        sure
    }

    fn term(&mut self, t: TermId) -> TermId {
        let data = self.pool().data(t).clone();
        let args: Vec<TermId> = data.args.iter().map(|a| self.done[a]).collect();
        match data.op {
            Op::BvConst { bits, .. } => self.int(bits as i128),
            Op::Apply(f) => self.apply(f, &args),
            Op::BvAdd | Op::BvMul => self.sum(t),
            Op::BvNot => {
                let top = self.int(mask(data.sort.width().expect("bits")) as i128);
                self.pool().ints().sub(top, args[0])
            }
            Op::Ult => self.pool().ints().lt(args[0], args[1]),
            Op::Ule => self.pool().ints().le(args[0], args[1]),
            Op::Slt | Op::Sle => {
                let (a, b) = (self.signed(data.args[0]), self.signed(data.args[1]));
                if data.op == Op::Slt {
                    self.pool().ints().lt(a, b)
                } else {
                    self.pool().ints().le(a, b)
                }
            }
            Op::Concat => {
                let power = 1 << self.width(data.args[1]);
                let power = self.int(power);
                let high = self.pool().ints().mul(args[0], power);
                self.pool().ints().add(high, args[1])
            }
            Op::ZeroExtend(_) => args[0],
            Op::SignExtend(_) => {
                let width = self.width(t);
                let signed = self.signed(data.args[0]);
                self.unsigned(signed, data.args[0], width)
            }
            Op::Extract { hi, lo } => self.extract(data.args[0], hi, lo),
            Op::BvUdiv | Op::BvUrem => self.unsigned_division(data.op, &data.args),
            Op::BvSdiv | Op::BvSrem => self.signed_division(data.op, &data.args),
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvShl | Op::BvLshr | Op::BvAshr | Op::BvSmod => {
                self.opaque(t, &args)
            }
            _ => self.pool().mk(data.op, &args),
        }
    }

    /// A symbol or application; bit-vector arguments and results become
    /// integers of their range.
    fn apply(&mut self, f: FuncId, args: &[TermId]) -> TermId {
        let data = self.pool().func_data(f).clone();
        let as_int = |s: &Sort| if s.width().is_some() { Sort::Int } else { *s };
        let sorts: Vec<Sort> = data.args.iter().map(as_int).collect();
        let result = as_int(&data.result);
        if sorts == data.args && result == data.result {
            return self.pool().apply(f, args);
        }
        let name = format!("{}@int", data.name);
        let g = self.pool().func(&name, &sorts, result);
        self.out.functions.insert(f, g);
        let t = self.pool().apply(g, args);
        if let Some(width) = data.result.width() {
            self.assert_range(t, width);
        }
        t
    }

    /// Asserts `0 ≤ t < 2^w`.
    fn assert_range(&mut self, t: TermId, width: u32) {
        self.assert_between(t, 0, mask(width) as i128);
    }

    fn assert_between(&mut self, t: TermId, lo: i128, hi: i128) {
        let (lo, hi) = (self.int(lo), self.int(hi));
        let (low, high) = (self.pool().ints().le(lo, t), self.pool().ints().le(t, hi));
        for side in [low, high] {
            if self.pool().as_bool(side) != Some(true) && self.asserted.insert(side) {
                self.out.assertions.push(side);
            }
        }
    }

    /// The ideal sum of products if it cannot wrap, else the ideal one minus a
    /// multiple of 2^w. Constants above 2^(w−1) count as negative.
    fn sum(&mut self, t: TermId) -> TermId {
        let width = self.width(t);
        let sum = self.sum_of_products(t);
        let ideal = self.ideal(&sum);
        let fits = self.ranges.within(&sum, 0, mask(width) as i128);
        let value = if fits {
            ideal
        } else {
            self.out.may_wrap.push(t);
            let quotient = self.pool().fresh("k", Sort::Int);
            let power = self.int(-(1 << width));
            let multiple = self.pool().ints().mul(power, quotient);
            self.pool().ints().add(ideal, multiple)
        };
        self.assert_range(value, width);
        value
    }

    fn sum_of_products(&mut self, t: TermId) -> SumOfProducts {
        let (width, data) = (self.width(t), self.pool().data(t).clone());
        let parts = if data.op == Op::BvAdd { data.args.to_vec() } else { vec![t] };
        parts.into_iter().map(|part| self.product(part, width)).collect()
    }

    fn product(&mut self, t: TermId, width: u32) -> (i128, Vec<TermId>) {
        let data = self.pool().data(t).clone();
        let factors = if data.op == Op::BvMul { data.args.to_vec() } else { vec![t] };
        let (mut constant, mut rest) = (1, Vec::new());
        for f in factors {
            match self.pool().as_bv(f) {
                // At most one per product of the simplifier's; more are left as
                // factors, which is right too.
                Some(bits) if constant == 1 => constant = to_signed(bits, width),
                _ => rest.push(f),
            }
        }
        (constant, rest)
    }

    fn ideal(&mut self, sum: &SumOfProducts) -> TermId {
        let mut parts = Vec::new();
        for (c, factors) in sum {
            let mut all = vec![self.int(*c)];
            all.extend(factors.iter().map(|f| self.done[f]));
            parts.push(if all.len() == 1 { all[0] } else { self.pool().ints().product(&all) });
        }
        self.pool().ints().sum(&parts)
    }

    /// The signed value of a term.
    fn signed(&mut self, t: TermId) -> TermId {
        let (width, value) = (self.width(t), self.done[&t]);
        let half = 1i128 << (width - 1);
        if self.surely(t, 0, half - 1) {
            return value;
        }
        let (half, power) = (self.int(half), self.int(1 << width));
        let natural = self.pool().ints().lt(value, half);
        let shifted = self.pool().ints().sub(value, power);
        self.pool().ite(natural, value, shifted)
    }

    /// A signed integer in the range of `width` as an unsigned one. `of` is the
    /// term it came from, which may be known not to be negative.
    fn unsigned(&mut self, signed: TermId, of: TermId, width: u32) -> TermId {
        let half = 1i128 << (self.width(of) - 1);
        if self.surely(of, 0, half - 1) {
            return signed;
        }
        self.wrap_negative(signed, width)
    }

    fn wrap_negative(&mut self, signed: TermId, width: u32) -> TermId {
        let (zero, power) = (self.int(0), self.int(1 << width));
        let natural = self.pool().ints().le(zero, signed);
        let shifted = self.pool().ints().add(signed, power);
        self.pool().ite(natural, signed, shifted)
    }

    fn extract(&mut self, inner: TermId, hi: u32, lo: u32) -> TermId {
        let (width, value) = (self.width(inner), self.done[&inner]);
        let shifted = if lo == 0 {
            value
        } else {
            let power = self.int(1 << lo);
            self.pool().ints().div(value, power)
        };
        if hi + 1 == width || self.surely(inner, 0, mask(hi + 1) as i128) {
            return shifted;
        }
        let power = self.int(1 << (hi - lo + 1));
        self.pool().ints().modulo(shifted, power)
    }

    fn unsigned_division(&mut self, op: Op, args: &[TermId]) -> TermId {
        let width = self.width(args[0]);
        let (a, b) = (self.done[&args[0]], self.done[&args[1]]);
        let (plain, by_zero) = if op == Op::BvUdiv {
            (self.pool().ints().div(a, b), self.int(mask(width) as i128))
        } else {
            (self.pool().ints().modulo(a, b), a)
        };
        if self.surely(args[1], 1, mask(width) as i128) {
            return plain;
        }
        let zero = self.int(0);
        let is_zero = self.pool().eq(b, zero);
        self.pool().ite(is_zero, by_zero, plain)
    }

    /// Truncated division by absolute values and signs.
    fn signed_division(&mut self, op: Op, args: &[TermId]) -> TermId {
        let width = self.width(args[0]);
        let half = 1i128 << (width - 1);
        if self.surely(args[0], 0, half - 1) && self.surely(args[1], 1, half - 1) {
            let unsigned = if op == Op::BvSdiv { Op::BvUdiv } else { Op::BvUrem };
            return self.unsigned_division(unsigned, args);
        }
        let (a, b) = (self.signed(args[0]), self.signed(args[1]));
        let (size_a, size_b) = (self.absolute(a), self.absolute(b));
        let zero = self.int(0);
        let (neg_a, neg_b) = (self.pool().ints().lt(a, zero), self.pool().ints().lt(b, zero));
        let (size, negative, by_zero) = if op == Op::BvSdiv {
            let differ = self.pool().eq(neg_a, neg_b);
            let (one, ones) = (self.int(1), self.int(mask(width) as i128));
            let by_zero = self.pool().ite(neg_a, one, ones);
            (self.pool().ints().div(size_a, size_b), self.pool().not(differ), by_zero)
        } else {
            (self.pool().ints().modulo(size_a, size_b), neg_a, self.done[&args[0]])
        };
        let opposite = self.pool().ints().sub(zero, size);
        let result = self.pool().ite(negative, opposite, size);
        let result = self.wrap_negative(result, width);
        let is_zero = self.pool().eq(b, zero);
        self.pool().ite(is_zero, by_zero, result)
    }

    fn absolute(&mut self, signed: TermId) -> TermId {
        let zero = self.int(0);
        let negative = self.pool().ints().lt(signed, zero);
        let opposite = self.pool().ints().sub(zero, signed);
        self.pool().ite(negative, opposite, signed)
    }

    /// A bit operation as an uninterpreted function with bounds.
    fn opaque(&mut self, t: TermId, args: &[TermId]) -> TermId {
        if let Some(exact) = self.high_mask(t) {
            return exact;
        }
        self.out.exact = false;
        let (op, width) = (self.pool().op(t), self.width(t));
        let name = format!("{}@{width}@{}", op.name(), args.len());
        let f = self.pool().func(&name, &vec![Sort::Int; args.len()], Sort::Int);
        let value = self.pool().apply(f, args);
        self.assert_range(value, width);
        let bounds = self.bit_bounds(op, value, args);
        self.out.assertions.extend(bounds);
        value
    }

    /// `x & ~(2^k − 1)` is `x − x mod 2^k`.
    fn high_mask(&mut self, t: TermId) -> Option<TermId> {
        let data = self.pool().data(t).clone();
        let [c, x] = data.args[..] else { return None };
        let (bits, width) = (self.pool().as_bv(c)?, self.width(t));
        let low = !bits & mask(width);
        if data.op != Op::BvAnd || !(low + 1).is_power_of_two() {
            return None;
        }
        let power = self.int(low as i128 + 1);
        let value = self.done[&x];
        let rest = self.pool().ints().modulo(value, power);
        Some(self.pool().ints().sub(value, rest))
    }

    fn bit_bounds(&mut self, op: Op, value: TermId, args: &[TermId]) -> Vec<TermId> {
        let sum = self.pool().ints().sum(args);
        match op {
            Op::BvAnd => args.iter().map(|&a| self.pool().ints().le(value, a)).collect(),
            Op::BvOr => {
                let mut all: Vec<TermId> =
                    args.iter().map(|&a| self.pool().ints().le(a, value)).collect();
                all.push(self.pool().ints().le(value, sum));
                all
            }
            Op::BvXor => vec![self.pool().ints().le(value, sum)],
            Op::BvLshr => vec![self.pool().ints().le(value, args[0])],
            _ => Vec::new(),
        }
    }
}
