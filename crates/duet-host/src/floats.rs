//! Sizes that are computed with floating-point numbers: `ceil(n / 256.0)` and the like.
//!
//! A floating-point value is followed as long as it is a whole number that its type holds
//! exactly, or the quotient of two such numbers that is rounded at once. Where that depends
//! on values, the result is the whole number under a condition, and an unknown otherwise.
//!
//! **Quotients.** Let `a >= 0` and `b >= 1` be whole numbers, `q = a / b`, and `q'` what the
//! machine makes of it in a type whose significands have `p` bits, rounding either way. If
//! `b` divides `a` and `a < 2^(p-1)`, then `q' = q`. Otherwise `q` is at least `1 / b` away
//! from every whole number, and `|q' - q| <= q * 2^-(p-1) = a * 2^-(p-1) / b`, which is less
//! than `1 / b` if `a < 2^(p-1)`: no whole number lies between `q` and `q'`, nor is `q'` one.
//! So `ceil` and `floor` of `q'` are those of `q`.
//!
//! SOUNDNESS: above `2^24` a `float` is not exact (trap 14 of the test `traps`), and what a
//! conversion of a number that does not fit yields is unknown (trap 37).

use duet_frontend::llvm::Val;
use duet_ir::{BinaryOp, CastOp, IntCc, Type};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};

use crate::calls;
use crate::evaluate::{Evaluator, Key};
use crate::memory::callee_name;
use crate::relation::{Origin, Term, Terms};

/// The deepest that floating-point values are followed.
const MAX_DEPTH: usize = 12;
/// Products and sums of numbers up to this fit 64 bits.
const LARGEST_FACTOR: i128 = 1 << 31;

/// A whole number: its term of 64 bits (signed), its range, and what must hold for the
/// value to be that number.
#[derive(Clone)]
struct Whole {
    term: Term,
    range: (i128, i128),
    conditions: Vec<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Up,
    Down,
}

impl Evaluator<'_> {
    /// The integer that a floating-point value is converted to.
    pub fn float_to_int(&mut self, inst: Val, ty: Type) -> Term {
        let is_signed = inst.opcode() == LLVMOpcode::LLVMFPToSI;
        let key = Key::Value(inst);
        let whole = self.rounded(inst.operand(0), Rounding::Down, 0);
        let (Some(mut whole), Some(width)) = (whole, ty.bits().filter(|&width| width <= 64)) else {
            return self.unknown(key, self.names.of(inst), Origin::Float, ty);
        };
        let limits = match is_signed {
            true => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
            false => (0, (1_i128 << width.min(63)) - 1),
        };
        self.require(&mut whole, limits);
        let exact = match width {
            64 => whole.term,
            _ => self.terms.cast(CastOp::Trunc, whole.term, ty),
        };
        let Some(condition) = all_of(&mut self.terms, &whole.conditions) else { return exact };
        let other = self.unknown(Key::Undefined(inst), "a rounded value".into(), Origin::Float, ty);
        self.terms.select(condition, exact, other)
    }

    /// Adds the conditions that a number is in this range, as far as it is not known.
    fn require(&mut self, whole: &mut Whole, (least, most): (i128, i128)) {
        for (is_known, cc, limit) in
            [(whole.range.0 >= least, IntCc::Sge, least), (whole.range.1 <= most, IntCc::Sle, most)]
        {
            if !is_known {
                let limit = self.terms.constant(limit as u128, Type::I64);
                let condition = self.terms.compare(cc, whole.term, limit);
                whole.conditions.push(condition);
            }
        }
        whole.range = (whole.range.0.max(least), whole.range.1.min(most));
    }

    /// The whole number that a floating-point value is.
    fn whole(&mut self, value: Val, depth: usize) -> Option<Whole> {
        let precision = precision(value)?;
        if depth > MAX_DEPTH {
            return None;
        }
        let mut found = match duet_frontend::llvm::float_bits(value) {
            Some(bits) => whole_constant(&mut self.terms, bits, precision)?,
            None => self.whole_instruction(value, depth)?,
        };
        // The type holds these exactly.
        let most = (1_i128 << precision) - 1;
        self.require(&mut found, (-most, most));
        Some(found)
    }

    fn whole_instruction(&mut self, value: Val, depth: usize) -> Option<Whole> {
        value.is_instruction().then_some(())?;
        match value.opcode() {
            LLVMOpcode::LLVMSIToFP | LLVMOpcode::LLVMUIToFP => self.whole_integer(value),
            LLVMOpcode::LLVMFPExt | LLVMOpcode::LLVMFPTrunc => {
                self.whole(value.operand(0), depth + 1)
            }
            LLVMOpcode::LLVMFAdd => self.whole_sum(BinaryOp::Add, value, depth),
            LLVMOpcode::LLVMFSub => self.whole_sum(BinaryOp::Sub, value, depth),
            LLVMOpcode::LLVMFMul => self.whole_sum(BinaryOp::Mul, value, depth),
            LLVMOpcode::LLVMCall => {
                // A function of the program may have any name.
                value.callee().is_declaration().then_some(())?;
                let name = callee_name(value)?;
                let rounding = match calls::plain_function(&name)? {
                    "ceil" | "ceilf" | "llvm.ceil.f32" | "llvm.ceil.f64" => Rounding::Up,
                    "floor" | "floorf" | "llvm.floor.f32" | "llvm.floor.f64" => Rounding::Down,
                    _ => return None,
                };
                self.rounded(value.arguments()[0], rounding, depth + 1)
            }
            _ => None,
        }
    }

    fn whole_integer(&mut self, value: Val) -> Option<Whole> {
        let from = value.operand(0);
        (from.ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind).then_some(())?;
        let width = from.ty().int_width();
        let is_signed = value.opcode() == LLVMOpcode::LLVMSIToFP;
        // An unsigned number of 64 bits may be too large for a signed one.
        (width < 64 || width == 64 && is_signed).then_some(())?;
        let term = self.value(from);
        let (op, range) = match is_signed {
            true => (CastOp::SExt, (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1)),
            false => (CastOp::ZExt, (0, (1_i128 << width) - 1)),
        };
        let term = self.terms.cast(op, term, Type::I64);
        Some(Whole { term, range, conditions: vec![] })
    }

    /// Exact if the operands and the result are numbers that the type holds exactly.
    fn whole_sum(&mut self, op: BinaryOp, value: Val, depth: usize) -> Option<Whole> {
        let mut a = self.whole(value.operand(0), depth + 1)?;
        let mut b = self.whole(value.operand(1), depth + 1)?;
        let limits = (-LARGEST_FACTOR, LARGEST_FACTOR);
        self.require(&mut a, limits);
        self.require(&mut b, limits);
        let corners = [
            (a.range.0, b.range.0),
            (a.range.0, b.range.1),
            (a.range.1, b.range.0),
            (a.range.1, b.range.1),
        ];
        let results = corners.map(|(x, y)| match op {
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            _ => x + y,
        });
        let range = (*results.iter().min()?, *results.iter().max()?);
        let term = self.terms.binary(op, false, a.term, b.term);
        let conditions = a.conditions.into_iter().chain(b.conditions).collect();
        Some(Whole { term, range, conditions })
    }

    /// A value rounded to a whole number.
    fn rounded(&mut self, value: Val, rounding: Rounding, depth: usize) -> Option<Whole> {
        let is_division = value.is_instruction() && value.opcode() == LLVMOpcode::LLVMFDiv;
        if !is_division {
            return self.whole(value, depth);
        }
        let mut a = self.whole(value.operand(0), depth + 1)?;
        let mut b = self.whole(value.operand(1), depth + 1)?;
        let most = (1_i128 << (precision(value)? - 1)) - 1;
        self.require(&mut a, (0, most));
        self.require(&mut b, (1, most));
        let mut top = a.term;
        if rounding == Rounding::Up {
            let one = self.terms.constant(1, Type::I64);
            let less = self.terms.binary(BinaryOp::Sub, false, b.term, one);
            top = self.terms.binary(BinaryOp::Add, false, a.term, less);
        }
        let term = self.terms.binary(BinaryOp::UDiv, false, top, b.term);
        let round_up =
            |x: i128, y: i128| x / y + i128::from(rounding == Rounding::Up && x % y != 0);
        let least = b.range.0.max(1);
        let range = match a.range.1 < a.range.0 {
            true => (0, 0),
            false => (0, round_up(a.range.1, least)),
        };
        let conditions = a.conditions.into_iter().chain(b.conditions).collect();
        Some(Whole { term, range, conditions })
    }
}

/// The conjunction of conditions; `None` if there are none.
fn all_of(terms: &mut Terms, conditions: &[Term]) -> Option<Term> {
    let mut all: Option<Term> = None;
    for &condition in conditions {
        if terms.bits(condition) == Some(1) {
            continue;
        }
        all = Some(match all {
            Some(before) => terms.binary(BinaryOp::And, false, before, condition),
            None => condition,
        });
    }
    all
}

/// A constant, if it is a whole number.
fn whole_constant(terms: &mut Terms, bits: u128, precision: u32) -> Option<Whole> {
    let value = match precision {
        24 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    };
    (value.fract() == 0.0 && value.abs() < (1_u64 << 53) as f64).then_some(())?;
    let number = value as i128;
    let term = terms.constant(number as u128, Type::I64);
    Some(Whole { term, range: (number, number), conditions: vec![] })
}

/// The bits of a significand.
fn precision(value: Val) -> Option<u32> {
    match value.ty().kind() {
        LLVMTypeKind::LLVMFloatTypeKind => Some(24),
        LLVMTypeKind::LLVMDoubleTypeKind => Some(53),
        _ => None,
    }
}
