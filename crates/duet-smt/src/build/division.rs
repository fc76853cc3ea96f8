//! Division and remainder of bit-vectors.

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{TermId, mask, to_signed};

impl TermPool {
    /// Unsigned quotient; all ones when `b` is zero.
    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) => self.bv(width, x.checked_div(y).unwrap_or(mask(width))),
            (None, Some(0)) => self.bv(width, mask(width)),
            (None, Some(y)) if y.is_power_of_two() => {
                let by = self.bv(width, u128::from(y.trailing_zeros()));
                self.bv_lshr(a, by)
            }
            _ => self.raw(Op::BvUdiv, &[a, b]),
        }
    }

    /// Unsigned remainder; `a` when `b` is zero.
    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) => self.bv(width, x.checked_rem(y).unwrap_or(x)),
            (None, Some(0)) => a,
            (None, Some(y)) if y.is_power_of_two() => {
                let low = self.bv(width, y - 1);
                self.bv_and(a, low)
            }
            _ => self.raw(Op::BvUrem, &[a, b]),
        }
    }

    /// Signed quotient, truncated.
    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        // For non-negative operands both quotients agree, by zero too: all ones.
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.bv_udiv(a, b);
        }
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) if y != 0 => {
                let width = self.width(a);
                let quotient = to_signed(x, width).wrapping_div(to_signed(y, width));
                self.bv(width, quotient as u128)
            }
            (None, Some(1)) => a,
            _ => self.raw(Op::BvSdiv, &[a, b]),
        }
    }

    /// Signed remainder, with the sign of the dividend.
    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.bv_urem(a, b);
        }
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) if y != 0 => {
                let width = self.width(a);
                let remainder = to_signed(x, width).wrapping_rem(to_signed(y, width));
                self.bv(width, remainder as u128)
            }
            (None, Some(1)) => self.bv(self.width(a), 0),
            _ => self.raw(Op::BvSrem, &[a, b]),
        }
    }

    /// Signed remainder, with the sign of the divisor.
    pub fn bv_smod(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.bv_urem(a, b);
        }
        self.raw(Op::BvSmod, &[a, b])
    }

    /// Whether the sign bit is plainly zero.
    pub(crate) fn is_non_negative(&self, t: TermId) -> bool {
        match self.op(t) {
            Op::BvConst { width, bits } => to_signed(bits, width) >= 0,
            Op::ZeroExtend(_) => true,
            _ => false,
        }
    }
}
