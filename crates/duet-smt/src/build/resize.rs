//! Extract, concat and extensions.

use super::BitVectors;
use crate::op::Op;
use crate::sort::{TermId, mask, to_signed};

impl BitVectors<'_> {
    /// Bits `hi` down to `lo`.
    pub fn extract(&mut self, hi: u32, lo: u32, a: TermId) -> TermId {
        let width = self.pool.width(a);
        let size = hi - lo + 1;
        if size == width {
            return a;
        }
        let data = self.pool.data(a);
        let inner = data.args.first().copied();
        match (data.op, inner) {
            (Op::BvConst { bits, .. }, _) => self.pool.bv(size, (bits >> lo) & mask(size)),
            (Op::Extract { lo: base, .. }, Some(x)) => self.extract(hi + base, lo + base, x),
            (Op::Concat, Some(high)) => self.extract_concat(hi, lo, high, data.args[1]),
            (Op::ZeroExtend(_), Some(x)) => self.extract_zero_extend(hi, lo, x),
            (Op::SignExtend(_), Some(x)) if hi < self.pool.width(x) => self.extract(hi, lo, x),
            (Op::SignExtend(_), Some(x)) if lo < self.pool.width(x) => {
                let low = self.extract(self.pool.width(x) - 1, lo, x);
                self.sign_extend(size - self.pool.width(low), low)
            }
            (Op::BvAdd | Op::BvMul, _) if lo == 0 && self.narrows_well(a) => {
                let (op, args) = (data.op, data.args.to_vec());
                let low: Vec<TermId> = args.iter().map(|&x| self.extract(hi, 0, x)).collect();
                self.pool.mk(op, &low)
            }
            _ => self.pool.raw(Op::Extract { hi, lo }, &[a]),
        }
    }

    /// Whether every argument is an extension or constant, or a product of
    /// those: then the low bits of a sum or product are cheaper than the whole.
    fn narrows_well(&self, a: TermId) -> bool {
        self.pool.args(a).iter().all(|&x| match self.pool.op(x) {
            Op::BvConst { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) => true,
            Op::BvMul => self.narrows_well(x),
            _ => false,
        })
    }

    fn extract_concat(&mut self, hi: u32, lo: u32, high: TermId, low: TermId) -> TermId {
        let split = self.pool.width(low);
        if hi < split {
            return self.extract(hi, lo, low);
        }
        if lo >= split {
            return self.extract(hi - split, lo - split, high);
        }
        let upper = self.extract(hi - split, 0, high);
        let lower = self.extract(split - 1, lo, low);
        self.concat(upper, lower)
    }

    fn extract_zero_extend(&mut self, hi: u32, lo: u32, x: TermId) -> TermId {
        let inner = self.pool.width(x);
        if hi < inner {
            return self.extract(hi, lo, x);
        }
        if lo >= inner {
            return self.pool.bv(hi - lo + 1, 0);
        }
        let low = self.extract(inner - 1, lo, x);
        self.zero_extend(hi - lo + 1 - self.pool.width(low), low)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let (wh, wl) = (self.pool.width(high), self.pool.width(low));
        match (self.pool.as_bv(high), self.pool.as_bv(low)) {
            (Some(h), Some(l)) => return self.pool.bv(wh + wl, (h << wl) | l),
            (Some(0), None) => return self.zero_extend(wh, low),
            _ => {}
        }
        if let (Op::Extract { hi, lo }, Op::Extract { hi: hi2, lo: lo2 }) =
            (self.pool.op(high), self.pool.op(low))
            && self.pool.args(high) == self.pool.args(low)
            && lo == hi2 + 1
        {
            return self.extract(hi, lo2, self.pool.args(high)[0]);
        }
        self.pool.raw(Op::Concat, &[high, low])
    }

    /// The term with `by` zero bits above; `by` may be 0.
    pub fn zero_extend(&mut self, by: u32, a: TermId) -> TermId {
        if by == 0 {
            return a;
        }
        let width = self.pool.width(a);
        match self.pool.op(a) {
            Op::BvConst { bits, .. } => self.pool.bv(width + by, bits),
            Op::ZeroExtend(more) => self.zero_extend(by + more, self.pool.args(a)[0]),
            _ => self.pool.raw(Op::ZeroExtend(by), &[a]),
        }
    }

    /// The term with `by` copies of its sign bit above; `by` may be 0.
    pub fn sign_extend(&mut self, by: u32, a: TermId) -> TermId {
        if by == 0 {
            return a;
        }
        let width = self.pool.width(a);
        match self.pool.op(a) {
            Op::BvConst { bits, .. } => self.pool.bv(width + by, to_signed(bits, width) as u128),
            Op::SignExtend(more) => self.sign_extend(by + more, self.pool.args(a)[0]),
            Op::ZeroExtend(more) => self.zero_extend(by + more, self.pool.args(a)[0]),
            _ => self.pool.raw(Op::SignExtend(by), &[a]),
        }
    }

    /// The term as an unsigned number of another width.
    pub fn zext_or_trunc(&mut self, a: TermId, width: u32) -> TermId {
        let from = self.pool.width(a);
        if width < from { self.extract(width - 1, 0, a) } else { self.zero_extend(width - from, a) }
    }

    /// The term as a signed number of another width.
    pub fn sext_or_trunc(&mut self, a: TermId, width: u32) -> TermId {
        let from = self.pool.width(a);
        if width < from { self.extract(width - 1, 0, a) } else { self.sign_extend(width - from, a) }
    }
}
