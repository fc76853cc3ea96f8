//! Numbers that are packed into a wider one and taken out again.
//!
//! The host passes a struct of two `int`s as one number of 64 bits: `y << 32 | x`, of which the
//! function that is called takes the lower half and the upper half. Followed as they stand, the
//! sizes of a `uint3` or of `struct Size` would be related to nothing. Each step here is an
//! equality of bit patterns, whatever the unknowns are (test `halves_are_taken_out_exactly`).

use duet_ir::{BinaryOp, CastOp, Type};

use super::{Term, TermData, Terms};

impl Terms {
    /// The lower bits of a term, if it is put together of parts and one of them fills these.
    pub(super) fn lower_part(&mut self, term: Term, to: Type) -> Option<Term> {
        let width = to.bits().filter(|_| to.is_int())?;
        match self.data(term) {
            TermData::Cast { op: op @ (CastOp::ZExt | CastOp::SExt), arg, .. } => {
                let own = self.ty(arg).bits().filter(|_| self.ty(arg).is_int())?;
                Some(match own > width {
                    true => self.cast(CastOp::Trunc, arg, to),
                    false => self.cast(op, arg, to),
                })
            }
            TermData::Cast { op: CastOp::Trunc, arg, .. } => {
                Some(self.cast(CastOp::Trunc, arg, to))
            }
            TermData::Binary { op: BinaryOp::Shl, args: [_, by], .. } => {
                let total = self.ty(term).bits()?;
                let is_above = self.bits(by)? >= u128::from(width);
                (is_above && self.bits(by)? < u128::from(total)).then(|| self.constant(0, to))
            }
            TermData::Binary { op: BinaryOp::And, args: [a, mask], .. } => {
                match self.bits(mask)? & ones(width) {
                    0 => Some(self.constant(0, to)),
                    low if low == ones(width) => Some(self.cast(CastOp::Trunc, a, to)),
                    _ => None,
                }
            }
            TermData::Binary { op: BinaryOp::Or, args: [a, b], .. } => {
                let parts = [a, b].map(|part| self.cast(CastOp::Trunc, part, to));
                self.the_other(parts)
            }
            TermData::Binary { .. }
            | TermData::Const { .. }
            | TermData::Unknown { .. }
            | TermData::Cast { .. }
            | TermData::Compare { .. }
            | TermData::Select { .. } => None,
        }
    }

    /// The term shifted to the right by a number, zeros coming in, if it is put together of
    /// parts and one of them fills what is left.
    pub(super) fn upper_part(&mut self, term: Term, by: Term) -> Option<Term> {
        let ty = self.ty(term);
        let (total, shift) = (u128::from(ty.bits()?), self.bits(by)?);
        if shift >= total {
            return None;
        }
        match self.data(term) {
            TermData::Cast { op: CastOp::ZExt, arg, .. } => {
                let own = u128::from(self.ty(arg).bits()?);
                (own <= shift).then(|| self.constant(0, ty))
            }
            TermData::Binary { op: BinaryOp::Shl, args: [a, back], .. } => {
                let TermData::Cast { op: CastOp::ZExt, arg, .. } = self.data(a) else {
                    return None;
                };
                let own = u128::from(self.ty(arg).bits()?);
                (self.bits(back)? == shift && own + shift <= total).then_some(a)
            }
            TermData::Binary { op: BinaryOp::And, args: [a, mask], .. } => {
                let left = self.bits(mask)? >> shift;
                match left {
                    0 => Some(self.constant(0, ty)),
                    left if left == ones((total - shift) as u32) => {
                        Some(self.binary(BinaryOp::LShr, false, a, by))
                    }
                    _ => None,
                }
            }
            TermData::Binary { op: BinaryOp::Or, args: [a, b], .. } => {
                let parts = [a, b].map(|part| self.binary(BinaryOp::LShr, false, part, by));
                self.the_other(parts)
            }
            TermData::Binary { .. }
            | TermData::Const { .. }
            | TermData::Unknown { .. }
            | TermData::Cast { .. }
            | TermData::Compare { .. }
            | TermData::Select { .. } => None,
        }
    }

    /// Of two terms, one of which is zero, the other.
    fn the_other(&self, parts: [Term; 2]) -> Option<Term> {
        match parts.map(|part| self.bits(part)) {
            [Some(0), _] => Some(parts[1]),
            [_, Some(0)] => Some(parts[0]),
            _ => None,
        }
    }
}

/// All ones of a width from 1 to 128.
fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::Unknown;

    const SHIFT: u32 = 32;

    /// `high << 32 | low`, as a compiler says it, or with the lower half of something put into
    /// what was there before.
    fn packed(terms: &mut Terms, into: bool) -> (Term, [Term; 2]) {
        let halves = [0, 1].map(|number| terms.unknown(Unknown(number), Type::I32));
        let [low, high] = halves.map(|half| terms.cast(CastOp::ZExt, half, Type::I64));
        let by = terms.constant(u128::from(SHIFT), Type::I64);
        let high = match into {
            false => terms.binary(BinaryOp::Shl, false, high, by),
            true => {
                let before = terms.unknown(Unknown(2), Type::I64);
                let mask = terms.constant(u128::from(!0u64 << SHIFT), Type::I64);
                terms.binary(BinaryOp::And, false, before, mask)
            }
        };
        (terms.binary(BinaryOp::Or, false, high, low), halves)
    }

    #[test]
    fn halves_are_found_again() {
        let mut terms = Terms::default();
        let (whole, [low, high]) = packed(&mut terms, false);
        assert_eq!(terms.cast(CastOp::Trunc, whole, Type::I32), low);
        let by = terms.constant(u128::from(SHIFT), Type::I64);
        let upper = terms.binary(BinaryOp::LShr, false, whole, by);
        assert_eq!(terms.cast(CastOp::Trunc, upper, Type::I32), high);
    }

    #[test]
    fn halves_are_taken_out_exactly() {
        let samples = [0u64, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1234_5678_9abc_def0, !0];
        for into in [false, true] {
            for by in [1u32, 16, 31, 32, 33, 48, 63] {
                for to in [Type::I8, Type::I16, Type::I32] {
                    let mut terms = Terms::default();
                    let (whole, _) = packed(&mut terms, into);
                    let amount = terms.constant(u128::from(by), Type::I64);
                    let upper = terms.binary(BinaryOp::LShr, false, whole, amount);
                    let lower = terms.cast(CastOp::Trunc, whole, to);
                    let both = terms.cast(CastOp::Trunc, upper, to);
                    for (x, y) in samples.iter().flat_map(|x| samples.map(|y| (*x, y))) {
                        let value = |unknown: Unknown| match unknown.0 {
                            0 => Some(u128::from(x as u32)),
                            1 => Some(u128::from(y as u32)),
                            _ => Some(u128::from(y)),
                        };
                        let above = if into { y >> SHIFT } else { u64::from(y as u32) };
                        let plain = u128::from(above << SHIFT | u64::from(x as u32));
                        let cut = ones(to.bits().expect("an integer"));
                        assert_eq!(terms.evaluate(whole, &value), Some(plain));
                        assert_eq!(terms.evaluate(upper, &value), Some(plain >> by));
                        assert_eq!(terms.evaluate(lower, &value), Some(plain & cut));
                        assert_eq!(terms.evaluate(both, &value), Some(plain >> by & cut));
                    }
                }
            }
        }
    }
}
