//! Sums of values with constant factors, modulo a power of two, and how a value
//! inside a loop is read as one over the loop's header parameters and values that
//! do not change in the loop.
//!
//! Reading is exact: truncation is a homomorphism for `add`, `sub`, `mul` and
//! `shl`, and an extension does not change the low bits. So `trunc(sext(i) + 1)`,
//! the compiler's form of `i++` on a `short`, is `i + 1` modulo 2^16.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use duet_ir::{
    BinaryOp, Block, CastOp, Function, InstData, Operation, SecondaryMap, Type, Value, ValueDef,
};

use crate::bits::{mask, signed};
use crate::{ArrayUses, EdgeId, Homes, Loop, Loops};

/// A sum of values times constants, modulo two to the `width`. A value that is
/// wider counts with its low bits. The width is 0 for a `ref` or a float that
/// stands for itself: then there is one term, with factor 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// Width in bits.
    pub width: u8,
    /// The constant part.
    pub constant: u128,
    /// The factor of each value; never 0.
    pub terms: BTreeMap<Value, u128>,
}

impl Linear {
    /// A constant.
    pub fn constant(width: u8, bits: u128) -> Linear {
        Linear { width, constant: bits & mask(width), terms: BTreeMap::new() }
    }

    /// A value.
    pub fn value(width: u8, value: Value) -> Linear {
        Linear { width, constant: 0, terms: BTreeMap::from([(value, 1)]) }
    }

    /// The constant that it is, if it has no other part.
    pub fn as_constant(&self) -> Option<u128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        self.as_constant() == Some(0)
    }

    /// The value that it is, if it is one as it stands.
    pub fn as_value(&self) -> Option<Value> {
        let (&value, &factor) = self.terms.first_key_value()?;
        (self.terms.len() == 1 && factor == 1 && self.constant == 0).then_some(value)
    }

    /// The factor of a value, 0 if it does not occur.
    pub fn factor(&self, value: Value) -> u128 {
        self.terms.get(&value).copied().unwrap_or(0)
    }

    /// The same without a value.
    pub fn without(&self, value: Value) -> Linear {
        let mut rest = self.clone();
        rest.terms.remove(&value);
        rest
    }

    /// What it comes to, given the bits of the values in it.
    pub fn evaluate(&self, mut bits: impl FnMut(Value) -> u128) -> u128 {
        if let (0, Some(value)) = (self.width, self.as_value()) {
            return bits(value);
        }
        let products = self.terms.iter().map(|(&value, factor)| bits(value).wrapping_mul(*factor));
        products.fold(self.constant, u128::wrapping_add) & mask(self.width)
    }

    /// `self + factor * other`.
    pub(crate) fn plus(mut self, factor: u128, other: &Linear) -> Linear {
        let mask = mask(self.width);
        self.constant = self.constant.wrapping_add(factor.wrapping_mul(other.constant)) & mask;
        for (&value, &times) in &other.terms {
            let sum = self.factor(value).wrapping_add(factor.wrapping_mul(times)) & mask;
            if sum == 0 {
                self.terms.remove(&value);
            } else {
                self.terms.insert(value, sum);
            }
        }
        self
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width == 0 {
            return self.as_value().map_or(Ok(()), |value| write!(f, "{value}"));
        }
        let mut first = true;
        for (value, &factor) in &self.terms {
            let sign = if first { "" } else { " + " };
            match signed(factor, self.width) {
                1 => write!(f, "{sign}{value}")?,
                factor => write!(f, "{sign}{factor}*{value}")?,
            }
            first = false;
        }
        match signed(self.constant, self.width) {
            constant if first => write!(f, "{constant}"),
            0 => Ok(()),
            constant => write!(f, " + {constant}"),
        }
    }
}

/// Reads values inside one loop.
pub(crate) struct Reader<'a> {
    pub(crate) func: &'a Function,
    pub(crate) loops: &'a Loops,
    pub(crate) arrays: &'a ArrayUses,
    pub(crate) homes: &'a Homes,
    pub(crate) incoming: &'a SecondaryMap<Block, Vec<EdgeId>>,
    pub(crate) id: Loop,
    /// Header parameters that keep their entry value.
    pub(crate) unchanged: BTreeSet<Value>,
    /// Answers to [`Reader::is_invariant`], false while one is being found.
    pub(crate) invariant: BTreeMap<Value, bool>,
    /// Block parameters that are being read.
    pub(crate) open: BTreeSet<Value>,
}

impl Reader<'_> {
    /// Has the value the same bits throughout a run of the loop, for one thread?
    /// Values that are computed in the loop from such values count; division does
    /// where its result is specified.
    pub(crate) fn is_invariant(&mut self, value: Value) -> bool {
        if !self.is_inside(value) {
            return true;
        }
        if let Some(&known) = self.invariant.get(&value) {
            return known;
        }
        self.invariant.insert(value, false);
        let answer = match self.func.values[value] {
            ValueDef::Result(inst, _) => self.is_invariant_result(&self.func.insts[inst].clone()),
            ValueDef::BlockParam(..) => {
                self.unchanged.contains(&value)
                    || self.same_argument(value).is_some_and(|arg| self.is_invariant(arg))
            }
            ValueDef::FunctionParam(_) | ValueDef::Const(_) => true,
        };
        self.invariant.insert(value, answer);
        answer
    }

    fn is_invariant_result(&mut self, data: &InstData) -> bool {
        use InstData::*;
        let fixed = match data {
            Binary { op, args, .. } => {
                !op.may_fail() || self.func.const_bits(args[1]).is_some_and(|bits| bits != 0)
            }
            Load { access, .. } => !access.volatile && self.arrays.is_never_written(access.array),
            Unary { .. }
            | Cast { .. }
            | IntCompare { .. }
            | FloatCompare { .. }
            | Select { .. }
            | Pure { .. }
            | Geometry(_)
            | PtrToInt { .. }
            | IntToPtr { .. } => true,
            Fresh { .. }
            | Ghost { .. }
            | Store { .. }
            | Atomic { .. }
            | Barrier { .. }
            | BarrierReduce { .. }
            | Fence { .. }
            | Exchange { .. }
            | AsyncCopy { .. }
            | WaitEvents { .. }
            | Assert { .. }
            | Annotation { .. }
            | Call { .. }
            | CallUnknown { .. } => false,
        };
        fixed && data.values().into_iter().all(|value| self.is_invariant(value))
    }

    /// Is the value defined in the loop?
    fn is_inside(&self, value: Value) -> bool {
        self.homes.of(value).is_some_and(|block| self.loops.contains(self.id, block))
    }

    /// The one value that all edges bring to a block parameter, itself aside.
    /// None for the loop's own header, whose edges are taken at different iterations.
    pub(crate) fn same_argument(&self, param: Value) -> Option<Value> {
        let ValueDef::BlockParam(block, index) = self.func.values[param] else {
            return None;
        };
        if block == self.loops.data(self.id).header {
            return None;
        }
        let mut args = self.arguments(block, index as usize).filter(|&arg| arg != param);
        let first = args.next()?;
        args.all(|arg| arg == first).then_some(first)
    }

    /// What the edges bring to a parameter.
    fn arguments(&self, block: Block, index: usize) -> impl Iterator<Item = Value> + '_ {
        self.incoming[block].iter().map(move |edge| edge.argument(self.func, index))
    }

    /// The value as a sum over header parameters and invariant values.
    pub(crate) fn linear(&mut self, value: Value, width: u8) -> Option<Linear> {
        if let Some(bits) = self.func.const_bits(value) {
            return Some(Linear::constant(width, bits));
        }
        let Type::Int(own) = self.func.type_of(value) else {
            return None;
        };
        if let Some(arg) = self.same_argument(value).filter(|_| self.is_inside(value)) {
            return self.linear(arg, width);
        }
        let is_header = |block| block == self.loops.data(self.id).header;
        let header_param =
            matches!(self.func.values[value], ValueDef::BlockParam(block, _) if is_header(block));
        if own >= width && (header_param || self.is_invariant(value)) {
            return Some(Linear::value(width, value));
        }
        match self.func.values[value] {
            ValueDef::Result(inst, _) => {
                let data = self.func.insts[inst].clone();
                self.linear_result(&data, width)
            }
            ValueDef::BlockParam(block, index) if !header_param => {
                self.linear_param(value, block, index as usize, width)
            }
            ValueDef::BlockParam(..) | ValueDef::FunctionParam(_) | ValueDef::Const(_) => None,
        }
    }

    fn linear_result(&mut self, data: &InstData, width: u8) -> Option<Linear> {
        match data.operation()? {
            Operation::Binary { op, args: [a, b], .. } => self.linear_binary(op, a, b, width),
            Operation::Cast { op: CastOp::Trunc, arg, .. } => self.linear(arg, width),
            Operation::Cast { op: CastOp::ZExt | CastOp::SExt, arg, .. } => {
                let own = self.func.type_of(arg).bits()?;
                (own >= u32::from(width)).then(|| self.linear(arg, width)).flatten()
            }
            Operation::Select { args: [a, b], .. } => {
                let first = self.linear(a, width)?;
                (self.linear(b, width)? == first).then_some(first)
            }
            Operation::Cast { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Geometry(_) => None,
        }
    }

    fn linear_binary(&mut self, op: BinaryOp, a: Value, b: Value, width: u8) -> Option<Linear> {
        use BinaryOp::*;
        let minus_one = u128::MAX;
        match op {
            Add => Some(self.linear(a, width)?.plus(1, &self.linear(b, width)?)),
            Sub => Some(self.linear(a, width)?.plus(minus_one, &self.linear(b, width)?)),
            Mul => {
                let (a, b) = (self.linear(a, width)?, self.linear(b, width)?);
                let (factor, other) = match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => (factor, b),
                    (_, Some(factor)) => (factor, a),
                    (None, None) => return None,
                };
                Some(Linear::constant(width, 0).plus(factor, &other))
            }
            Shl => {
                let by = self.func.const_bits(b)?;
                let own = u128::from(self.func.type_of(a).bits()?);
                let factor = if by >= own { 0 } else { 1u128 << by };
                Some(Linear::constant(width, 0).plus(factor, &self.linear(a, width)?))
            }
            // x ^ ~0 = -x - 1
            Xor => {
                let own = u8::try_from(self.func.type_of(a).bits()?).ok()?;
                let ones = |value| self.func.const_bits(value) == Some(mask(own));
                let other = if ones(b) {
                    a
                } else if ones(a) {
                    b
                } else {
                    return None;
                };
                let minus = Linear::constant(width, minus_one);
                Some(minus.plus(minus_one, &self.linear(other, width)?))
            }
            UDiv | SDiv | URem | SRem | LShr | AShr | And | Or | FAdd | FSub | FMul | FDiv
            | FRem => None,
        }
    }

    /// A block parameter inside the loop: all edges must bring the same sum.
    fn linear_param(
        &mut self,
        param: Value,
        block: Block,
        index: usize,
        width: u8,
    ) -> Option<Linear> {
        if !self.open.insert(param) {
            return None;
        }
        let args: Vec<Value> = self.arguments(block, index).filter(|&arg| arg != param).collect();
        let mut sums = args.into_iter().map(|arg| self.linear(arg, width));
        let first = sums.next().flatten();
        let same = first.is_some() && sums.all(|sum| sum == first);
        self.open.remove(&param);
        first.filter(|_| same)
    }
}
