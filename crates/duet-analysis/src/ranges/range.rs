//! A set of machine integers between bounds, read both ways: unsigned and signed.
//! Operations are sound over-approximations of the operations of the IR, wrap-around
//! included: a bound is computed in exact arithmetic, and if results on both sides
//! of a wrap are possible, nothing is known.

use std::fmt;

use duet_ir::{BinaryOp, CastOp, IntCc, UnaryOp};

use crate::bits::{mask, signed};

/// The widest integers that ranges are kept for. Bounds then fit 128 bits, and so
/// do products of two.
pub(crate) const MAX_WIDTH: u8 = 64;

/// Integers of one width whose unsigned reading is between two bounds and whose
/// signed reading is between two others. All bounds are attained or loose; the
/// empty range has one form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    width: u8,
    unsigned: (i128, i128),
    signed: (i128, i128),
}

impl Range {
    /// All integers of a width, at most 64.
    pub fn full(width: u8) -> Range {
        assert!((1..=MAX_WIDTH).contains(&width), "ranges are kept for 1 to 64 bits");
        let (low, high) = (smin(width), smax(width));
        Range { width, unsigned: (0, umax(width)), signed: (low, high) }
    }

    /// None.
    pub fn empty(width: u8) -> Range {
        Range { width, unsigned: (1, 0), signed: (1, 0) }
    }

    /// One integer.
    pub fn single(bits: u128, width: u8) -> Range {
        let bits = bits & mask(width);
        Range::of_unsigned(bits as i128, bits as i128, width)
    }

    /// The integers whose unsigned reading is between bounds, which need not fit
    /// the width: they are cut.
    pub fn of_unsigned(low: i128, high: i128, width: u8) -> Range {
        Range { unsigned: (low.max(0), high.min(umax(width))), ..Range::full(width) }.reduced()
    }

    /// The integers whose signed reading is between bounds.
    pub fn of_signed(low: i128, high: i128, width: u8) -> Range {
        let signed = (low.max(smin(width)), high.min(smax(width)));
        Range { signed, ..Range::full(width) }.reduced()
    }

    /// The width in bits.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Least and greatest unsigned reading.
    pub fn unsigned(&self) -> (u128, u128) {
        (self.unsigned.0 as u128, self.unsigned.1 as u128)
    }

    /// Least and greatest signed reading.
    pub fn signed(&self) -> (i128, i128) {
        self.signed
    }

    /// Does it hold no integer: is the place never reached?
    pub fn is_empty(&self) -> bool {
        self.unsigned.0 > self.unsigned.1
    }

    /// Does it hold every integer of the width?
    pub fn is_full(&self) -> bool {
        *self == Range::full(self.width)
    }

    /// The only integer in it.
    pub fn as_single(&self) -> Option<u128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0 as u128)
    }

    /// Does it hold the integer with these bits?
    pub fn contains(&self, bits: u128) -> bool {
        let reading = signed(bits, self.width);
        let bits = bits as i128;
        self.unsigned.0 <= bits
            && bits <= self.unsigned.1
            && self.signed.0 <= reading
            && reading <= self.signed.1
    }

    /// Everything in either.
    pub fn join(self, other: Range) -> Range {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Range {
                width: self.width,
                unsigned: hull(self.unsigned, other.unsigned),
                signed: hull(self.signed, other.signed),
            },
        }
    }

    /// Everything in both, and perhaps more.
    pub fn meet(self, other: Range) -> Range {
        let cut = |a: (i128, i128), b: (i128, i128)| (a.0.max(b.0), a.1.min(b.1));
        Range {
            width: self.width,
            unsigned: cut(self.unsigned, other.unsigned),
            signed: cut(self.signed, other.signed),
        }
        .reduced()
    }

    /// Grows each bound that `new` passes to the next threshold beyond it, or to
    /// the end of the type.
    pub(crate) fn widened(self, new: Range, thresholds: &[i128]) -> Range {
        if self.is_empty() || new.is_empty() {
            return self.join(new);
        }
        let full = Range::full(self.width);
        let grow = |old: (i128, i128), new: (i128, i128), limit: (i128, i128)| {
            let below = thresholds.iter().rev().find(|&&t| t <= new.0 && t >= limit.0);
            let above = thresholds.iter().find(|&&t| t >= new.1 && t <= limit.1);
            (
                if new.0 < old.0 { *below.unwrap_or(&limit.0) } else { old.0 },
                if new.1 > old.1 { *above.unwrap_or(&limit.1) } else { old.1 },
            )
        };
        Range {
            width: self.width,
            unsigned: grow(self.unsigned, new.unsigned, full.unsigned),
            signed: grow(self.signed, new.signed, full.signed),
        }
        .reduced()
    }

    /// Each reading bounds the other where the sign is known.
    fn reduced(mut self) -> Range {
        let modulus = umax(self.width) + 1;
        for _ in 0..2 {
            if self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1 {
                return Range::empty(self.width);
            }
            let cut = |a: (i128, i128), b: (i128, i128)| (a.0.max(b.0), a.1.min(b.1));
            let (low, high) = self.signed;
            if low >= 0 {
                self.unsigned = cut(self.unsigned, (low, high));
            } else if high < 0 {
                self.unsigned = cut(self.unsigned, (low + modulus, high + modulus));
            }
            let (low, high) = self.unsigned;
            if high <= smax(self.width) {
                self.signed = cut(self.signed, (low, high));
            } else if low > smax(self.width) {
                self.signed = cut(self.signed, (low - modulus, high - modulus));
            }
        }
        if self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1 {
            return Range::empty(self.width);
        }
        self
    }

    /// The result of a binary integer operation.
    pub fn binary(op: BinaryOp, a: Range, b: Range) -> Range {
        use BinaryOp::*;
        let width = a.width;
        if a.is_empty() || b.is_empty() {
            return Range::empty(width);
        }
        match op {
            Add => wrapped(width, add(a.unsigned, b.unsigned), add(a.signed, b.signed)),
            Sub => wrapped(width, sub(a.unsigned, b.unsigned), sub(a.signed, b.signed)),
            Mul => mul(a, b),
            // Division by zero is unspecified.
            UDiv | URem | SDiv | SRem if b.contains(0) => Range::full(width),
            UDiv => {
                let (low, high) = (a.unsigned.0 / b.unsigned.1, a.unsigned.1 / b.unsigned.0.max(1));
                Range::of_unsigned(low, high, width)
            }
            URem if a.unsigned.1 < b.unsigned.0 => a,
            URem => Range::of_unsigned(0, a.unsigned.1.min(b.unsigned.1 - 1), width),
            SDiv => sdiv(a, b),
            SRem => srem(a, b),
            Shl => shl(a, b),
            LShr => {
                let by = |bits: i128| bits.min(127) as u32;
                let low = a.unsigned.0 >> by(b.unsigned.1);
                Range::of_unsigned(low, a.unsigned.1 >> by(b.unsigned.0), width)
            }
            AShr => {
                let by = |bits: i128| bits.min(127) as u32;
                let corners = [
                    a.signed.0 >> by(b.unsigned.0),
                    a.signed.0 >> by(b.unsigned.1),
                    a.signed.1 >> by(b.unsigned.0),
                    a.signed.1 >> by(b.unsigned.1),
                ];
                let (low, high) = extremes(&corners);
                Range::of_signed(low, high, width)
            }
            And => Range::of_unsigned(0, a.unsigned.1.min(b.unsigned.1), width),
            Or => {
                let low = a.unsigned.0.max(b.unsigned.0);
                Range::of_unsigned(low, ones_over(a.unsigned.1 | b.unsigned.1), width)
            }
            Xor => Range::of_unsigned(0, ones_over(a.unsigned.1 | b.unsigned.1), width),
            FAdd | FSub | FMul | FDiv | FRem => Range::full(width),
        }
    }

    /// The result of an operation on one integer.
    pub fn unary(op: UnaryOp, a: Range) -> Range {
        let width = a.width;
        if a.is_empty() {
            return a;
        }
        let bits = |value: i128| i128::from(128 - value.leading_zeros());
        let all = i128::from(width);
        match op {
            UnaryOp::CountLeadingZeros => {
                Range::of_unsigned(all - bits(a.unsigned.1), all - bits(a.unsigned.0), width)
            }
            UnaryOp::CountTrailingZeros | UnaryOp::PopCount => Range::of_unsigned(0, all, width),
            UnaryOp::ReverseBits | UnaryOp::SwapBytes | UnaryOp::FNeg => Range::full(width),
        }
    }

    /// The result of a conversion between integers.
    pub fn cast(op: CastOp, a: Range, to: u8) -> Range {
        if a.is_empty() {
            return Range::empty(to);
        }
        match op {
            CastOp::ZExt => Range::of_unsigned(a.unsigned.0, a.unsigned.1, to),
            CastOp::SExt => Range::of_signed(a.signed.0, a.signed.1, to),
            CastOp::Trunc => wrapped(to, a.unsigned, a.signed),
            CastOp::Bitcast if a.width == to => a,
            CastOp::FToU
            | CastOp::FToUSat
            | CastOp::FToSSat
            | CastOp::FToS
            | CastOp::UToF
            | CastOp::SToF
            | CastOp::FTrunc
            | CastOp::FExt
            | CastOp::Bitcast => Range::full(to),
        }
    }

    /// Whether a comparison holds, where the ranges decide it.
    pub fn compare(cc: IntCc, a: Range, b: Range) -> Option<bool> {
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let apart = |x: (i128, i128), y: (i128, i128)| {
            if x.1 < y.0 {
                Some(true)
            } else if x.0 >= y.1 {
                Some(false)
            } else {
                None
            }
        };
        let (ua, ub, sa, sb) = (a.unsigned, b.unsigned, a.signed, b.signed);
        match cc {
            IntCc::Ult => apart(ua, ub),
            IntCc::Uge => apart(ua, ub).map(|less| !less),
            IntCc::Ugt => apart(ub, ua),
            IntCc::Ule => apart(ub, ua).map(|less| !less),
            IntCc::Slt => apart(sa, sb),
            IntCc::Sge => apart(sa, sb).map(|less| !less),
            IntCc::Sgt => apart(sb, sa),
            IntCc::Sle => apart(sb, sa).map(|less| !less),
            IntCc::Eq if a.meet(b).is_empty() => Some(false),
            IntCc::Eq => {
                (a.as_single().is_some() && a.as_single() == b.as_single()).then_some(true)
            }
            IntCc::Ne => Range::compare(IntCc::Eq, a, b).map(|equal| !equal),
        }
    }

    /// The integers `x` of which `x cc y` may hold for some `y` in `other`.
    pub fn satisfying(cc: IntCc, other: Range) -> Range {
        let width = other.width;
        if other.is_empty() {
            return other;
        }
        let ((ulow, uhigh), (slow, shigh)) = (other.unsigned, other.signed);
        match cc {
            IntCc::Eq => other,
            IntCc::Ne => match other.as_single() {
                Some(0) => Range::of_unsigned(1, umax(width), width),
                Some(bits) if bits as i128 == umax(width) => {
                    Range::of_unsigned(0, umax(width) - 1, width)
                }
                _ => Range::full(width),
            },
            IntCc::Ult => Range::of_unsigned(0, uhigh - 1, width),
            IntCc::Ule => Range::of_unsigned(0, uhigh, width),
            IntCc::Ugt => Range::of_unsigned(ulow + 1, umax(width), width),
            IntCc::Uge => Range::of_unsigned(ulow, umax(width), width),
            IntCc::Slt => Range::of_signed(smin(width), shigh - 1, width),
            IntCc::Sle => Range::of_signed(smin(width), shigh, width),
            IntCc::Sgt => Range::of_signed(slow + 1, smax(width), width),
            IntCc::Sge => Range::of_signed(slow, smax(width), width),
        }
    }

    /// Removes a bound that the integer excluded by `x != y` is at.
    pub(crate) fn excluding(self, other: Range) -> Range {
        let Some(bits) = other.as_single().filter(|_| !self.is_empty()) else {
            return self;
        };
        let (mut unsigned, mut both) = (self.unsigned, self.signed);
        let (bits, reading) = (bits as i128, signed(bits, self.width));
        unsigned.0 += i128::from(unsigned.0 == bits);
        unsigned.1 -= i128::from(unsigned.1 == bits);
        both.0 += i128::from(both.0 == reading);
        both.1 -= i128::from(both.1 == reading);
        Range { unsigned, signed: both, ..self }.reduced()
    }

    /// Can `a + b` (or `a - b`) leave the unsigned range of the width?
    pub(crate) fn may_wrap(op: BinaryOp, a: Range, b: Range) -> bool {
        use BinaryOp::*;
        if a.is_empty() || b.is_empty() {
            return false;
        }
        match op {
            Add => a.unsigned.1 + b.unsigned.1 > umax(a.width),
            Sub => a.unsigned.0 < b.unsigned.1,
            Mul => a.unsigned().1 * b.unsigned().1 > umax(a.width) as u128,
            UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub | FMul
            | FDiv | FRem => true,
        }
    }
}

/// Greatest unsigned integer of a width.
fn umax(width: u8) -> i128 {
    mask(width) as i128
}

/// Greatest signed integer of a width.
fn smax(width: u8) -> i128 {
    umax(width) >> 1
}

/// Least signed integer of a width.
fn smin(width: u8) -> i128 {
    -smax(width) - 1
}

fn hull(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn add(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0 + b.0, a.1 + b.1)
}

fn sub(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0 - b.1, a.1 - b.0)
}

fn extremes(values: &[i128]) -> (i128, i128) {
    let low = values.iter().min().expect("corners");
    let high = values.iter().max().expect("corners");
    (*low, *high)
}

/// The least number of the form 2^k - 1 that is not below.
fn ones_over(value: i128) -> i128 {
    match value {
        0 => 0,
        _ => (1i128 << (128 - value.leading_zeros())) - 1,
    }
}

/// Exact results between bounds (one pair from each reading), reduced to the
/// width. Bounds that wrap differently say nothing.
fn wrapped(width: u8, exact: (i128, i128), exact_signed: (i128, i128)) -> Range {
    let modulus = umax(width) + 1;
    let reduce = |(low, high): (i128, i128), base: i128| {
        let turns = (low - base).div_euclid(modulus);
        let same = (high - base).div_euclid(modulus) == turns;
        same.then(|| (low - turns * modulus, high - turns * modulus))
    };
    let full = Range::full(width);
    let from_unsigned = reduce(exact, 0).map_or(full, |(l, h)| Range::of_unsigned(l, h, width));
    let from_signed =
        reduce(exact_signed, smin(width)).map_or(full, |(l, h)| Range::of_signed(l, h, width));
    from_unsigned.meet(from_signed)
}

fn mul(a: Range, b: Range) -> Range {
    let width = a.width;
    let full = Range::full(width);
    let from_unsigned = if Range::may_wrap(BinaryOp::Mul, a, b) {
        full
    } else {
        Range::of_unsigned(a.unsigned.0 * b.unsigned.0, a.unsigned.1 * b.unsigned.1, width)
    };
    let corners = [
        a.signed.0 * b.signed.0,
        a.signed.0 * b.signed.1,
        a.signed.1 * b.signed.0,
        a.signed.1 * b.signed.1,
    ];
    let (low, high) = extremes(&corners);
    let fits = low >= smin(width) && high <= smax(width);
    let from_signed = if fits { Range::of_signed(low, high, width) } else { full };
    from_unsigned.meet(from_signed)
}

/// Signed division by something that is not zero, rounding to zero. Extremes are
/// at the corners of the parts of the divisor with one sign.
fn sdiv(a: Range, b: Range) -> Range {
    let width = a.width;
    let wraps = a.signed.0 == smin(width) && b.contains(mask(width));
    if wraps {
        return Range::full(width);
    }
    let mut corners = Vec::new();
    for (low, high) in [(b.signed.0, b.signed.1.min(-1)), (b.signed.0.max(1), b.signed.1)] {
        if low <= high {
            let divisors = [low, high];
            corners.extend(divisors.iter().flat_map(|d| [a.signed.0 / d, a.signed.1 / d]));
        }
    }
    if corners.is_empty() {
        return Range::full(width);
    }
    let (low, high) = extremes(&corners);
    Range::of_signed(low, high, width)
}

/// Signed remainder: the sign of the dividend, smaller than the divisor.
fn srem(a: Range, b: Range) -> Range {
    let most = (-b.signed.0).max(b.signed.1) - 1;
    let low = if a.signed.0 < 0 { (-most).max(a.signed.0) } else { 0 };
    let high = if a.signed.1 > 0 { most.min(a.signed.1) } else { 0 };
    Range::of_signed(low, high, a.width)
}

fn shl(a: Range, b: Range) -> Range {
    let width = a.width;
    let (least, most) = b.unsigned;
    if least >= i128::from(width) {
        return Range::single(0, width);
    }
    if most >= i128::from(width) || a.unsigned.1.leading_zeros() <= most as u32 + 1 {
        return Range::full(width);
    }
    let high = a.unsigned.1 << most;
    if high > umax(width) {
        return Range::full(width);
    }
    Range::of_unsigned(a.unsigned.0 << least, high, width)
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("never");
        }
        if let Some(bits) = self.as_single() {
            if self.width == 1 {
                return write!(f, "{}", bits == 1);
            }
            return write!(f, "{}", signed(bits, self.width));
        }
        let (low, high) = self.unsigned;
        if self.signed == self.unsigned {
            return write!(f, "[{low}, {high}]");
        }
        let full = Range::full(self.width);
        match (self.unsigned == full.unsigned, self.signed == full.signed) {
            (true, true) => f.write_str("any"),
            (false, true) => write!(f, "[{low}, {high}] unsigned"),
            (true, false) => write!(f, "[{}, {}] signed", self.signed.0, self.signed.1),
            (false, false) => {
                let (slow, shigh) = self.signed;
                write!(f, "[{low}, {high}] unsigned, [{slow}, {shigh}] signed")
            }
        }
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{} {self}", self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::compare;

    const WIDTH: u8 = 3;
    const COUNT: i128 = 1 << WIDTH;
    const OPS: [BinaryOp; 13] = {
        use BinaryOp::*;
        [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor]
    };

    /// The operation of the IR on three bits, written out once more; `None` where
    /// the result is unspecified.
    fn exact(op: BinaryOp, x: u128, y: u128) -> Option<u128> {
        use BinaryOp::*;
        let (sx, sy) = (signed(x, WIDTH), signed(y, WIDTH));
        let far = y >= u128::from(WIDTH);
        let result = match op {
            Add => x + y,
            Sub => x.wrapping_sub(y),
            Mul => x * y,
            UDiv => x.checked_div(y)?,
            URem => x.checked_rem(y)?,
            SDiv => sx.checked_div(sy)? as u128,
            SRem => sx.checked_rem(sy)? as u128,
            Shl => {
                if far {
                    0
                } else {
                    x << y
                }
            }
            LShr => {
                if far {
                    0
                } else {
                    x >> y
                }
            }
            AShr => (sx >> y.min(2)) as u128,
            And => x & y,
            Or => x | y,
            Xor => x ^ y,
            FAdd | FSub | FMul | FDiv | FRem => unreachable!("integer operations only"),
        };
        Some(result & mask(WIDTH))
    }

    /// Every range of three bits, by unsigned and by signed bounds.
    fn all_ranges() -> Vec<Range> {
        let mut ranges = Vec::new();
        for low in 0..COUNT {
            for high in low..COUNT {
                ranges.push(Range::of_unsigned(low, high, WIDTH));
                ranges.push(Range::of_signed(low - COUNT / 2, high - COUNT / 2, WIDTH));
            }
        }
        ranges.sort_by_key(|range| (range.unsigned, range.signed));
        ranges.dedup();
        ranges
    }

    fn members(range: Range) -> impl Iterator<Item = u128> {
        (0..COUNT as u128).filter(move |&bits| range.contains(bits))
    }

    #[test]
    fn operations_contain_every_result() {
        let ranges = all_ranges();
        for &a in &ranges {
            for &b in &ranges {
                for op in OPS {
                    let result = Range::binary(op, a, b);
                    for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
                        let ok = exact(op, x, y).is_none_or(|bits| result.contains(bits));
                        assert!(ok, "{x} {op} {y} is not in {a:?} {op} {b:?} = {result:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_and_refinements_lose_nothing() {
        let ranges = all_ranges();
        for &a in &ranges {
            for &b in &ranges {
                for &cc in IntCc::ALL {
                    let decided = Range::compare(cc, a, b);
                    let refined = a.meet(Range::satisfying(cc, b));
                    let excluded = if cc == IntCc::Ne { refined.excluding(b) } else { refined };
                    for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
                        let holds = compare(cc, x, y, WIDTH);
                        assert!(decided.is_none_or(|decided| decided == holds));
                        assert!(!holds || excluded.contains(x), "{x} {cc} {y}: {a:?} {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn meets_joins_and_casts_lose_nothing() {
        let ranges = all_ranges();
        for &a in &ranges {
            for x in members(a) {
                let wide = Range::cast(CastOp::SExt, a, 8);
                assert!(wide.contains(signed(x, WIDTH) as u128 & 0xff));
                assert!(Range::cast(CastOp::ZExt, a, 8).contains(x));
                assert!(Range::cast(CastOp::Trunc, a, 2).contains(x & 3));
                let zeros = u128::from(x.leading_zeros()) - 125;
                assert!(Range::unary(UnaryOp::CountLeadingZeros, a).contains(zeros));
            }
            for &b in &ranges {
                let (meet, join) = (a.meet(b), a.join(b));
                let widened = a.widened(join, &[-3, 0, 2, 5]);
                for x in 0..COUNT as u128 {
                    assert!(!(a.contains(x) && b.contains(x)) || meet.contains(x));
                    assert!(!(a.contains(x) || b.contains(x)) || join.contains(x));
                    assert!(!join.contains(x) || widened.contains(x), "{a:?} {join:?} {widened:?}");
                }
            }
        }
    }

    #[test]
    fn precision_where_nothing_wraps() {
        let range = |low, high| Range::of_unsigned(low, high, 32);
        let add = Range::binary(BinaryOp::Add, range(0, 1023), range(5, 5));
        assert_eq!(add, range(5, 1028));
        let minus = Range::single(u128::MAX, 32);
        assert_eq!(Range::binary(BinaryOp::Add, range(1, 9), minus), range(0, 8));
        assert!(Range::binary(BinaryOp::Add, range(0, 1), Range::full(32)).is_full());
    }
}
