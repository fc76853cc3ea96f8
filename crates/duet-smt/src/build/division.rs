//! Division and remainder of bit-vectors.

use super::BitVectors;
use crate::op::Op;
use crate::sort::{TermId, mask, to_signed};

impl BitVectors<'_> {
    /// Unsigned quotient; all ones when `b` is zero.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            (Some(x), Some(y)) => self.pool.bv(width, x.checked_div(y).unwrap_or(mask(width))),
            (None, Some(0)) => self.pool.bv(width, mask(width)),
            (None, Some(y)) if y.is_power_of_two() => {
                let by = self.pool.bv(width, u128::from(y.trailing_zeros()));
                self.lshr(a, by)
            }
            _ => self.pool.raw(Op::BvUdiv, &[a, b]),
        }
    }

    /// Unsigned remainder; `a` when `b` is zero.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.pool.width(a);
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            (Some(x), Some(y)) => self.pool.bv(width, x.checked_rem(y).unwrap_or(x)),
            (None, Some(0)) => a,
            (None, Some(y)) if y.is_power_of_two() => {
                let low = self.pool.bv(width, y - 1);
                self.and(a, low)
            }
            _ => self.pool.raw(Op::BvUrem, &[a, b]),
        }
    }

    /// Signed quotient, truncated.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        // For non-negative operands both quotients agree, by zero too: all ones.
        if self.pool.is_non_negative(a) && self.pool.is_non_negative(b) {
            return self.udiv(a, b);
        }
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            (Some(x), Some(y)) if y != 0 => {
                let width = self.pool.width(a);
                let quotient = to_signed(x, width).wrapping_div(to_signed(y, width));
                self.pool.bv(width, quotient as u128)
            }
            (None, Some(1)) => a,
            _ => self.pool.raw(Op::BvSdiv, &[a, b]),
        }
    }

    /// Signed remainder, with the sign of the dividend.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        if self.pool.is_non_negative(a) && self.pool.is_non_negative(b) {
            return self.urem(a, b);
        }
        match (self.pool.as_bv(a), self.pool.as_bv(b)) {
            (Some(x), Some(y)) if y != 0 => {
                let width = self.pool.width(a);
                let remainder = to_signed(x, width).wrapping_rem(to_signed(y, width));
                self.pool.bv(width, remainder as u128)
            }
            (None, Some(1)) => self.pool.bv(self.pool.width(a), 0),
            _ => self.pool.raw(Op::BvSrem, &[a, b]),
        }
    }

    /// Signed remainder, with the sign of the divisor.
    pub fn smod(&mut self, a: TermId, b: TermId) -> TermId {
        if self.pool.is_non_negative(a) && self.pool.is_non_negative(b) {
            return self.urem(a, b);
        }
        self.pool.raw(Op::BvSmod, &[a, b])
    }
}
