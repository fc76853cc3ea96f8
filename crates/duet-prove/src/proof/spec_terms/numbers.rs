//! Arithmetic of contracts: integers as bit-vectors that hold every value, floats as the
//! code has them, conversions between them.

use duet_ir::{BinaryOp as IrOp, CastOp, FloatCc, FloatType, ScalarType, Type as IrType};
use duet_smt::{TermId, TermPool};
use duet_spec::BinaryOp;
use duet_vc::{binary_term, cast_term, float_compare_term};

use super::{Result, SpecTerm, Terms};

/// The least width that holds the values.
pub(super) fn width_for((low, high): (i128, i128)) -> Result<u32> {
    let fits = |bits: u32| low >= -(1i128 << (bits - 1)) && high < 1i128 << (bits - 1);
    match () {
        () if fits(64) => Ok(64),
        () if fits(126) => Ok(128),
        () => Err("a number of the contract may be larger than 126 bits".to_string()),
    }
}

/// A term at a width that holds it.
pub(super) fn at_width(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    pool.bits().sext_or_trunc(term, width)
}

pub(super) fn float_type(ty: FloatType) -> IrType {
    IrType::Float(ty)
}

impl Terms<'_, '_> {
    pub(super) fn floats(
        &mut self,
        op: BinaryOp,
        a: SpecTerm,
        b: SpecTerm,
        ty: ScalarType,
    ) -> Result<SpecTerm> {
        let (SpecTerm::Float(x, own), SpecTerm::Float(y, _)) =
            (self.cast(a, ty)?, self.cast(b, ty)?)
        else {
            return Err("a float is expected".into());
        };
        let pool = &mut self.walker.pool;
        let mut compared = |cc| Ok(SpecTerm::Bool(float_compare_term(pool, cc, x, y)));
        let op = match op {
            BinaryOp::Add => IrOp::FAdd,
            BinaryOp::Sub => IrOp::FSub,
            BinaryOp::Mul => IrOp::FMul,
            BinaryOp::Div => IrOp::FDiv,
            BinaryOp::Lt => return compared(FloatCc::Olt),
            BinaryOp::Le => return compared(FloatCc::Ole),
            BinaryOp::Gt => return compared(FloatCc::Ogt),
            BinaryOp::Ge => return compared(FloatCc::Oge),
            // SOUNDNESS: equality of bits is equality of terms only where it is to be shown;
            // as a hypothesis any NaN equals any NaN (test `floats_are_equal_only_as_goals`).
            BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Implies => {
                return Err("equality of floats is covered only as what is ensured".into());
            }
        };
        Ok(SpecTerm::Float(binary_term(pool, op, x, y, float_type(own)), own))
    }

    pub(super) fn integers(
        &mut self,
        op: BinaryOp,
        mut left: (TermId, (i128, i128)),
        mut right: (TermId, (i128, i128)),
    ) -> Result<SpecTerm> {
        let is_wide = |range| !matches!(width_for(range), Ok(64));
        if self.in_index
            && op == BinaryOp::Mul
            && integer_range(op, left.1, right.1).is_none_or(is_wide)
        {
            (left, right) = (self.kept_small(left), self.kept_small(right));
        }
        let ((a, (a_low, a_high)), (b, (b_low, b_high))) = (left, right);
        let range = integer_range(op, (a_low, a_high), (b_low, b_high))
            .ok_or("a number of the contract may be too large")?;
        let width = [range, (a_low, a_high), (b_low, b_high)]
            .into_iter()
            .map(width_for)
            .collect::<Result<Vec<u32>>>()?
            .into_iter()
            .max()
            .unwrap_or(64);
        let pool = &mut self.walker.pool;
        let (a, b) = (at_width(pool, a, width), at_width(pool, b, width));
        let term = match op {
            BinaryOp::Add => pool.bits().add(a, b),
            BinaryOp::Sub => pool.bits().sub(a, b),
            BinaryOp::Mul => pool.bits().mul(a, b),
            BinaryOp::BitAnd => pool.bits().and(a, b),
            BinaryOp::BitOr => pool.bits().or(a, b),
            BinaryOp::BitXor => pool.bits().xor(a, b),
            BinaryOp::Div | BinaryOp::Rem => {
                let quotient = match op {
                    BinaryOp::Div => pool.bits().sdiv(a, b),
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::Rem
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Implies => pool.bits().srem(a, b),
                };
                // SOUNDNESS: spec and code get unrelated values for a division by zero
                // (test `division_by_zero_is_unknown`).
                let zero = pool.bv(width, 0);
                let unknown = pool.fresh("spec.undefined", duet_smt::Sort::BitVec(width));
                let is_zero = pool.eq(b, zero);
                pool.ite(is_zero, unknown, quotient)
            }
            BinaryOp::Shr => pool.bits().ashr(a, b),
            BinaryOp::Shl => pool.bits().shl(a, b),
            BinaryOp::Eq => return Ok(SpecTerm::Bool(pool.eq(a, b))),
            BinaryOp::Ne => return Ok(SpecTerm::Bool(pool.ne(a, b))),
            BinaryOp::Lt => return Ok(SpecTerm::Bool(pool.compare().slt(a, b))),
            BinaryOp::Le => return Ok(SpecTerm::Bool(pool.compare().sle(a, b))),
            BinaryOp::Gt => return Ok(SpecTerm::Bool(pool.compare().slt(b, a))),
            BinaryOp::Ge => return Ok(SpecTerm::Bool(pool.compare().sle(b, a))),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                return Err("a condition is no number".into());
            }
        };
        Ok(SpecTerm::Int(term, range))
    }

    /// A factor as a number that an `int` holds, which has to be shown if it is not known.
    ///
    /// The algebra reads 64 bits, so the product of three sizes would be left to solvers, for
    /// which it is too hard.
    // SOUNDNESS: products of such factors fit 64 bits (test `factors_of_indices_are_small`).
    fn kept_small(
        &mut self,
        (term, (low, high)): (TermId, (i128, i128)),
    ) -> (TermId, (i128, i128)) {
        let (least, most) = (i128::from(i32::MIN), i128::from(i32::MAX));
        if low >= least && high <= most {
            return (term, (low, high));
        }
        let pool = &mut self.walker.pool;
        let width = pool.width(term);
        let (first, last) = (pool.bv(width, least as u128), pool.bv(width, most as u128));
        self.sides.extend([pool.compare().sle(first, term), pool.compare().sle(term, last)]);
        (term, (low.max(least), high.min(most)))
    }

    pub(super) fn choose(&mut self, cond: TermId, a: SpecTerm, b: SpecTerm) -> Result<SpecTerm> {
        let pool = &mut self.walker.pool;
        match (a, b) {
            (SpecTerm::Bool(a), SpecTerm::Bool(b)) => Ok(SpecTerm::Bool(pool.ite(cond, a, b))),
            (SpecTerm::Float(_, x), _) | (_, SpecTerm::Float(_, x)) => {
                let double = matches!(a, SpecTerm::Float(_, FloatType::F64))
                    || matches!(b, SpecTerm::Float(_, FloatType::F64));
                let ty = if double { ScalarType::Double } else { ScalarType::Float };
                match (self.cast(a, ty)?, self.cast(b, ty)?) {
                    (SpecTerm::Float(a, own), SpecTerm::Float(b, _)) => {
                        Ok(SpecTerm::Float(self.walker.pool.ite(cond, a, b), own))
                    }
                    _ => Err(format!("a float {x:?} is expected")),
                }
            }
            _ => {
                let ((a, x), (b, y)) = (self.as_int(a), self.as_int(b));
                let range = (x.0.min(y.0), x.1.max(y.1));
                let width = width_for(range)?;
                let pool = &mut self.walker.pool;
                let (a, b) = (at_width(pool, a, width), at_width(pool, b, width));
                Ok(SpecTerm::Int(pool.ite(cond, a, b), range))
            }
        }
    }

    /// A float that is a number.
    pub(super) fn float_number(&mut self, number: f64, ty: FloatType) -> SpecTerm {
        let pool = &mut self.walker.pool;
        let (width, bits) = match ty {
            FloatType::F64 => (64, u128::from(number.to_bits())),
            FloatType::F32 | FloatType::F16 | FloatType::BF16 => {
                (32, u128::from((number as f32).to_bits()))
            }
        };
        SpecTerm::Float(pool.bv(width, bits), ty)
    }

    /// A conversion of C.
    pub(super) fn cast(&mut self, value: SpecTerm, to: ScalarType) -> Result<SpecTerm> {
        let target = match to {
            ScalarType::Float => FloatType::F32,
            ScalarType::Double => FloatType::F64,
            ScalarType::Half | ScalarType::Bool => {
                return Err("this conversion is not covered".into());
            }
            ScalarType::Char
            | ScalarType::UChar
            | ScalarType::Short
            | ScalarType::UShort
            | ScalarType::Int
            | ScalarType::UInt
            | ScalarType::Long
            | ScalarType::ULong => {
                let pool = &mut self.walker.pool;
                let width = 8 * to.bytes();
                let bits = match value {
                    SpecTerm::Int(term, _) => pool.bits().sext_or_trunc(term, width),
                    SpecTerm::Bool(term) => {
                        let (one, zero) = (pool.bv(width, 1), pool.bv(width, 0));
                        pool.ite(term, one, zero)
                    }
                    // The code's own conversion, of which nothing more is known.
                    SpecTerm::Float(term, own) => {
                        let op = if to.is_signed() { CastOp::FToS } else { CastOp::FToU };
                        let ty = IrType::Int(width as u8);
                        cast_term(pool, op, term, float_type(own), ty)
                    }
                    SpecTerm::Array(..) => return Err("this conversion is not covered".into()),
                };
                return self.of_bits(bits, to);
            }
        };
        match value {
            SpecTerm::Float(term, own) if own == target => Ok(SpecTerm::Float(term, own)),
            SpecTerm::Float(term, own) => {
                // Compilers convert numbers of the source, rounding to the nearest.
                if let Some(bits) = self.walker.pool.as_bv(term) {
                    let number = match own {
                        FloatType::F32 => f64::from(f32::from_bits(bits as u32)),
                        FloatType::F64 => f64::from_bits(bits as u64),
                        FloatType::F16 | FloatType::BF16 => {
                            return Err("half is not supported".into());
                        }
                    };
                    return Ok(self.float_number(number, target));
                }
                let op = if target == FloatType::F64 { CastOp::FExt } else { CastOp::FTrunc };
                let (from, to) = (float_type(own), float_type(target));
                let term = cast_term(&mut self.walker.pool, op, term, from, to);
                Ok(SpecTerm::Float(term, target))
            }
            SpecTerm::Int(_, (low, high)) if low == high => {
                let pool = &mut self.walker.pool;
                let bits = match target {
                    FloatType::F32 | FloatType::F16 | FloatType::BF16 => {
                        u128::from((low as f32).to_bits())
                    }
                    FloatType::F64 => u128::from((low as f64).to_bits()),
                };
                let width = if target == FloatType::F64 { 64 } else { 32 };
                Ok(SpecTerm::Float(pool.bv(width, bits), target))
            }
            SpecTerm::Int(term, (low, high)) => {
                let Some((op, width)) = conversion_from((low, high)) else {
                    return Err("a conversion of this integer to float is not covered yet".into());
                };
                let pool = &mut self.walker.pool;
                let narrow = pool.bits().sext_or_trunc(term, width);
                let (from, to) = (IrType::Int(width as u8), float_type(target));
                let term = cast_term(pool, op, narrow, from, to);
                Ok(SpecTerm::Float(term, target))
            }
            SpecTerm::Bool(_) | SpecTerm::Array(..) => Err("this conversion is not covered".into()),
        }
    }
}

/// The code's own conversion to float of an integer with these values: of the type that has
/// exactly them, else of the smallest that holds them. All conversions of one value agree, so
/// which one is stated is a guess that costs only completeness.
fn conversion_from((low, high): (i128, i128)) -> Option<(CastOp, u32)> {
    let signed = |bits: u32| (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    let natural = |bits: u32| (0, (1i128 << bits) - 1);
    for bits in [8, 16] {
        if (low, high) == natural(bits) {
            return Some((CastOp::UToF, bits));
        }
        if (low, high) == signed(bits) {
            return Some((CastOp::SToF, bits));
        }
    }
    let within = |(least, most): (i128, i128)| low >= least && high <= most;
    for bits in [32, 64] {
        if within(signed(bits)) {
            return Some((CastOp::SToF, bits));
        }
        if within(natural(bits)) {
            return Some((CastOp::UToF, bits));
        }
    }
    None
}

fn integer_range(op: BinaryOp, (a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [f(a, c)?, f(a, d)?, f(b, c)?, f(b, d)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    let widest = a.abs().max(b.abs());
    match op {
        BinaryOp::Add => corners(i128::checked_add),
        BinaryOp::Sub => corners(i128::checked_sub),
        BinaryOp::Mul => corners(i128::checked_mul),
        BinaryOp::Div | BinaryOp::Rem => Some((-widest, widest)),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            let bound = widest.max(c.abs()).max(d.abs());
            let bits = 128 - bound.leading_zeros();
            (bits < 120).then(|| (-(1i128 << bits), (1i128 << bits) - 1))
        }
        BinaryOp::Shl => {
            (c >= 0 && d < 64 && widest < 1 << 60).then(|| (-(widest << d), widest << d))
        }
        BinaryOp::Shr => (c >= 0 && d < 64).then_some((a.min(0), b.max(0))),
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Implies => Some((0, 1)),
    }
}
