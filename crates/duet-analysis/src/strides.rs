//! Residues: every integer's value modulo some number.
//!
//! *What is claimed.* The unsigned reading of a value is congruent to `residue`
//! modulo `modulus`, in every run for which [`Ranges`] holds; the modulus is 0
//! where the value is `residue` itself. A modulus that 2^k divides means that the
//! low `k` bits are known. Integers of more than 64 bits have none.
//!
//! *Why it is sound.* The least fixed point of sound transfer functions; joins take
//! the greatest common divisor, so chains are short and nothing is widened. An
//! operation that may wrap subtracts a multiple of 2^w, so only what divides 2^w
//! as well survives; whether it may is asked of the ranges at the block.
//!
//! Strides that are values (`i += blockDim.x`) are beyond this: see rule r10.
//!
//! Cost: a few passes over the function.

use std::fmt;

use duet_ir::{
    BinaryOp, Block, CastOp, Function, Inst, Operation, SecondaryMap, Type, Value, ValueDef,
};

use crate::bits::{gcd, mask};
use crate::graph::incoming;
use crate::{EdgeId, Loops, Range, Ranges};

/// The integers congruent to `residue` modulo `modulus`, unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stride {
    /// 0 for a single integer, 1 for all of them.
    pub modulus: u128,
    /// Below the modulus, unless that is 0.
    pub residue: u128,
}

impl Stride {
    /// All integers.
    pub const ANY: Stride = Stride { modulus: 1, residue: 0 };

    /// The integers congruent to a number.
    pub fn new(modulus: u128, residue: u128) -> Stride {
        let residue = if modulus == 0 { residue } else { residue % modulus };
        Stride { modulus, residue }
    }

    /// One integer.
    pub fn single(bits: u128) -> Stride {
        Stride { modulus: 0, residue: bits }
    }

    /// Does it hold the integer?
    pub fn contains(self, bits: u128) -> bool {
        match self.modulus {
            0 => bits == self.residue,
            modulus => bits % modulus == self.residue,
        }
    }

    /// How many low bits are known.
    pub fn known_low_bits(self) -> u32 {
        self.modulus.trailing_zeros()
    }

    /// How many low bits are known to be zero; 128 for the number 0.
    pub fn zero_low_bits(self) -> u32 {
        self.known_low_bits().min(self.residue.trailing_zeros())
    }

    /// Everything in either.
    pub fn join(self, other: Stride) -> Stride {
        let difference = self.residue.abs_diff(other.residue);
        Stride::new(gcd(gcd(self.modulus, other.modulus), difference), self.residue)
    }

    /// What is left modulo a power of two, after a possible wrap.
    fn cut(self, width: u8) -> Stride {
        let modulus = 1u128 << width;
        match self.modulus {
            0 => Stride::single(self.residue & mask(width)),
            own => Stride::new(gcd(own, modulus), self.residue),
        }
    }

    fn add(self, other: Stride) -> Stride {
        Stride::new(gcd(self.modulus, other.modulus), self.residue + other.residue)
    }

    /// `self - other`, plus a multiple of 2^w that keeps it from going below 0;
    /// exact modulo everything that divides both the moduli and 2^w, or, where
    /// nothing wraps, the moduli.
    fn sub(self, other: Stride, wraps: bool, width: u8) -> Stride {
        let modulus = gcd(self.modulus, other.modulus);
        match (modulus, wraps) {
            (0, _) => Stride::single(self.residue.wrapping_sub(other.residue) & mask(width)),
            (_, true) => {
                let modulus = gcd(modulus, 1 << width);
                Stride::new(modulus, self.residue + modulus - other.residue % modulus)
            }
            (_, false) => Stride::new(modulus, self.residue + modulus - other.residue % modulus),
        }
    }

    /// `(m a + r)(n b + s) = mn ab + ms a + nr b + rs`.
    fn mul(self, other: Stride) -> Option<Stride> {
        let parts = [
            self.modulus.checked_mul(other.modulus)?,
            self.modulus.checked_mul(other.residue)?,
            other.modulus.checked_mul(self.residue)?,
        ];
        let modulus = parts.into_iter().fold(0, gcd);
        Some(Stride::new(modulus, self.residue.checked_mul(other.residue)?))
    }

    /// A bitwise operation, from the lowest bit up while the result's bit is
    /// known.
    fn bitwise(op: BinaryOp, a: Stride, b: Stride, width: u8) -> Stride {
        let bit = |stride: Stride, n: u32| {
            (n < stride.known_low_bits()).then_some((stride.residue >> n) & 1)
        };
        let mut residue = 0;
        for n in 0..u32::from(width) {
            let known = match (op, bit(a, n), bit(b, n)) {
                (BinaryOp::And, Some(0), _) | (BinaryOp::And, _, Some(0)) => Some(0),
                (BinaryOp::Or, Some(1), _) | (BinaryOp::Or, _, Some(1)) => Some(1),
                (BinaryOp::And, Some(x), Some(y)) => Some(x & y),
                (BinaryOp::Or, Some(x), Some(y)) => Some(x | y),
                (BinaryOp::Xor, Some(x), Some(y)) => Some(x ^ y),
                _ => None,
            };
            match known {
                Some(bit) => residue |= bit << n,
                None => return Stride::new(1 << n, residue),
            }
        }
        Stride::single(residue)
    }
}

impl fmt::Display for Stride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.modulus {
            0 => write!(f, "{}", self.residue),
            1 => f.write_str("any"),
            modulus => write!(f, "{} mod {modulus}", self.residue),
        }
    }
}

/// The stride of every integer value.
#[derive(Clone, Debug)]
pub struct Strides {
    /// `None` until the definition is reached.
    strides: SecondaryMap<Value, Option<Stride>>,
    layout: Vec<Block>,
    defs: SecondaryMap<Block, Vec<Value>>,
}

impl Strides {
    /// Of a well-formed function, on the launch that the ranges are for.
    pub fn new(func: &Function, loops: &Loops, ranges: &Ranges) -> Strides {
        let mut result = Strides {
            strides: SecondaryMap::new(),
            layout: func.layout.clone(),
            defs: SecondaryMap::new(),
        };
        result.bind(func, ranges);
        let incoming = incoming(func, loops.order());
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in loops.order() {
                changed |= result.visit(func, &incoming, ranges, block);
            }
        }
        result
    }

    /// The stride of a value; [`Stride::ANY`] of what has none.
    pub fn of(&self, value: Value) -> Stride {
        self.strides[value].unwrap_or(Stride::ANY)
    }

    fn bind(&mut self, func: &Function, ranges: &Ranges) {
        for (value, def) in func.values.iter() {
            let bound = match def {
                ValueDef::Const(_) => func.const_bits(value).map(Stride::single),
                ValueDef::FunctionParam(_) => ranges.known(value).map(Stride::single),
                ValueDef::Result(..) | ValueDef::BlockParam(..) => continue,
            };
            self.strides[value] = Some(bound.unwrap_or(Stride::ANY));
        }
        for &block in &func.layout {
            let data = &func.blocks[block];
            let results = data.insts.iter().flat_map(|&inst| &func.results_of[inst]);
            self.defs[block] = data.params.iter().chain(results).copied().collect();
        }
    }

    /// Brings one block up to date; says if anything changed.
    fn visit(
        &mut self,
        func: &Function,
        incoming: &SecondaryMap<Block, Vec<EdgeId>>,
        ranges: &Ranges,
        block: Block,
    ) -> bool {
        let mut changed = false;
        for (index, &param) in func.blocks[block].params.iter().enumerate() {
            let edges = incoming[block].iter();
            let known = edges.filter_map(|edge| self.strides[edge.argument(func, index)]);
            if let Some(new) = known.reduce(Stride::join) {
                changed |= self.set(param, new);
            }
        }
        for &inst in &func.blocks[block].insts {
            for &value in &func.results_of[inst] {
                if let Some(new) = self.transfer(func, ranges, block, inst, value) {
                    changed |= self.set(value, new);
                }
            }
        }
        changed
    }

    fn set(&mut self, value: Value, new: Stride) -> bool {
        let next = self.strides[value].map_or(new, |old| old.join(new));
        self.strides[value].replace(next) != Some(next)
    }

    /// The stride of a result; none while an operand has none.
    fn transfer(
        &self,
        func: &Function,
        ranges: &Ranges,
        block: Block,
        inst: Inst,
        value: Value,
    ) -> Option<Stride> {
        let Type::Int(width @ 1..=64) = func.type_of(value) else {
            return Some(Stride::ANY);
        };
        if let Some(bits) = ranges.known(value) {
            return Some(Stride::single(bits));
        }
        match func.insts[inst].operation() {
            Some(Operation::Binary { op, args, .. }) => {
                let operands = (self.strides[args[0]]?, self.strides[args[1]]?);
                let bounds = (ranges.at(args[0], block)?, ranges.at(args[1], block)?);
                Some(binary(op, operands, bounds, width))
            }
            Some(Operation::Cast { op, arg, .. }) => {
                let Type::Int(own @ 1..=64) = func.type_of(arg) else {
                    return Some(Stride::ANY);
                };
                let stride = self.strides[arg]?;
                Some(cast(op, stride, ranges.at(arg, block)?, own, width))
            }
            Some(Operation::Select { args: [a, b], .. }) => {
                Some(self.strides[a]?.join(self.strides[b]?))
            }
            Some(
                Operation::Unary { .. }
                | Operation::IntCompare { .. }
                | Operation::FloatCompare { .. }
                | Operation::Geometry(_),
            )
            | None => Some(Stride::ANY),
        }
    }
}

fn binary(op: BinaryOp, (a, b): (Stride, Stride), (x, y): (Range, Range), width: u8) -> Stride {
    let wraps = Range::may_wrap(op, x, y);
    let reduced = |stride: Stride| if wraps { stride.cut(width) } else { stride };
    let literal = (b.modulus == 0).then_some(b.residue);
    match (op, literal) {
        (BinaryOp::Add, _) => reduced(a.add(b)),
        (BinaryOp::Sub, _) => a.sub(b, wraps, width),
        (BinaryOp::Mul, _) => a.mul(b).map_or(Stride::ANY, reduced),
        (BinaryOp::Shl, Some(by)) if by < u128::from(width) => {
            let factor = Stride::single(1 << by);
            let wraps = Range::may_wrap(BinaryOp::Mul, x, Range::single(1 << by, width));
            let product = a.mul(factor).unwrap_or(Stride::ANY);
            if wraps { product.cut(width) } else { product }
        }
        (BinaryOp::Shl, Some(_)) => Stride::single(0),
        (BinaryOp::LShr, Some(by)) => divide(a, if by < 64 { 1 << by } else { 0 }),
        (BinaryOp::UDiv, Some(by)) => divide(a, by),
        (BinaryOp::URem, Some(by)) if by > 0 => match a.modulus {
            0 => Stride::single(a.residue % by),
            modulus => Stride::new(gcd(modulus, by), a.residue),
        },
        (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _) => Stride::bitwise(op, a, b, width),
        _ => Stride::ANY,
    }
}

/// `(m q + r) / d = (m / d) q + r / d`, rounded down, where `d` divides `m`.
fn divide(a: Stride, by: u128) -> Stride {
    match a.modulus {
        _ if by == 0 => Stride::ANY,
        0 => Stride::single(a.residue / by),
        modulus if modulus.is_multiple_of(by) => Stride::new(modulus / by, a.residue / by),
        _ => Stride::ANY,
    }
}

fn cast(op: CastOp, stride: Stride, range: Range, own: u8, width: u8) -> Stride {
    match op {
        CastOp::Trunc => stride.cut(width),
        CastOp::ZExt => stride,
        // A negative number gains a multiple of 2^own.
        CastOp::SExt if !range.is_empty() && range.signed().0 >= 0 => stride,
        CastOp::SExt if stride.modulus != 0 => stride.cut(own),
        CastOp::SExt
        | CastOp::FToU
        | CastOp::FToUSat
        | CastOp::FToSSat
        | CastOp::FToS
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt
        | CastOp::Bitcast => Stride::ANY,
    }
}

impl fmt::Display for Strides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &block in &self.layout {
            for &value in &self.defs[block] {
                if self.of(value) != Stride::ANY {
                    writeln!(f, "{value}: {}", self.of(value))?;
                }
            }
        }
        Ok(())
    }
}
