//! Offsets and ids as terms: which are equal, which overlap, and digits that are put together
//! again.

use duet_smt::{Op, TermId, TermPool};

/// An offset as a multiple of a number that an extended index has: what is extended, and the
/// number, where the product does not overflow.
pub(super) fn element(pool: &TermPool, offset: TermId) -> Option<(TermId, u128)> {
    let (index, by) = match (pool.op(offset), pool.args(offset)) {
        (Op::BvMul, &[x, y]) => match (pool.as_bv(x), pool.as_bv(y)) {
            (Some(by), None) => (y, by),
            (None, Some(by)) => (x, by),
            _ => return None,
        },
        _ => (offset, 1),
    };
    let (Op::SignExtend(_) | Op::ZeroExtend(_)) = pool.op(index) else { return None };
    let index = pool.args(index)[0];
    let bits = 128 - by.leading_zeros();
    (by > 0 && pool.width(index) + bits < pool.width(offset)).then_some((index, by))
}

/// Are two offsets equal? Equal multiples of extended indices are multiples of equal indices,
/// and what a kernel computes in 32 bits is compared there, where it need not be known not to
/// overflow.
///
/// SOUNDNESS: the two are extended in the same way, and neither product overflows (test
/// `indices_that_are_extended_differently`).
pub(super) fn same_offset(pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
    let (whole, (a, of_a), (b, of_b)) = ([a, b], shifted(pool, a), shifted(pool, b));
    if of_a == of_b
        && let (Some((x, by)), Some((y, other))) = (element(pool, a), element(pool, b))
        && by == other
        && pool.sort(x) == pool.sort(y)
        && is_signed(pool, a) == is_signed(pool, b)
    {
        return pool.eq(x, y);
    }
    pool.eq(whole[0], whole[1])
}

/// An offset without the number that is added to it, and that number.
pub(super) fn shifted(pool: &TermPool, offset: TermId) -> (TermId, u128) {
    match (pool.op(offset), pool.args(offset)) {
        (Op::BvAdd, &[x, y]) => match (pool.as_bv(x), pool.as_bv(y)) {
            (Some(number), None) => (y, number),
            (None, Some(number)) => (x, number),
            _ => (offset, 0),
        },
        _ => (offset, 0),
    }
}

/// Is it a multiple of what is extended with its sign?
pub(super) fn is_signed(pool: &TermPool, offset: TermId) -> bool {
    let is_one = |term: &TermId| matches!(pool.op(*term), Op::SignExtend(_));
    is_one(&offset) || pool.args(offset).iter().any(is_one)
}

/// Do two accesses share a byte?
pub(super) fn overlap(
    pool: &mut TermPool,
    (a, of_a): (TermId, duet_ir::Type),
    (b, of_b): (TermId, duet_ir::Type),
) -> TermId {
    let width = pool.width(a);
    let bytes = |ty: duet_ir::Type| u128::from(ty.bits().map_or(8, |bits| bits.div_ceil(8)));
    if let (Some((x, by)), Some((y, other))) = (element(pool, a), element(pool, b))
        && by == other
        && pool.sort(x) == pool.sort(y)
        && is_signed(pool, a) == is_signed(pool, b)
        && bytes(of_a).max(bytes(of_b)) <= by
    {
        return same_offset(pool, a, b);
    }
    let (up, down) = (pool.bits().sub(b, a), pool.bits().sub(a, b));
    let (size_a, size_b) = (pool.bv(width, bytes(of_a)), pool.bv(width, bytes(of_b)));
    let (first, second) = (pool.compare().ult(up, size_a), pool.compare().ult(down, size_b));
    pool.or2(first, second)
}

/// Is an id below a size? A quotient is if the dividend is below the product, which is what
/// relations between launches speak of; a divisor of zero yields none that is.
pub(super) fn is_below(pool: &mut TermPool, id: TermId, size: TermId) -> TermId {
    if pool.op(id) != Op::BvUdiv {
        return pool.compare().ult(id, size);
    }
    let (x, d) = (pool.args(id)[0], pool.args(id)[1]);
    let width = 2 * pool.width(x);
    let [x, d, size] = [x, d, size].map(|term| pool.bits().zext_or_trunc(term, width));
    // SOUNDNESS: the product has all its bits, and is zero if the divisor is (test
    // `a_grid_that_is_too_small_for_vectors`).
    let product = pool.bits().mul(d, size);
    pool.compare().ult(x, product)
}

/// A proposal of 32 bits, computed in 32 bits if it is the low part of something wider. That
/// is a guess like the proposal itself.
pub(super) fn narrowed(pool: &mut TermPool, value: TermId) -> TermId {
    match pool.op(value) {
        Op::Extract { hi: 31, lo: 0 } => {
            let inner = pool.args(value)[0];
            low_part(pool, inner).unwrap_or(value)
        }
        _ => value,
    }
}

pub(super) fn low_part(pool: &mut TermPool, term: TermId) -> Option<TermId> {
    let args = pool.args(term).to_vec();
    match pool.op(term) {
        Op::BvConst { bits, width } => {
            let number = duet_smt::to_signed(bits, width);
            (i128::from(i32::MIN)..1 << 32)
                .contains(&number)
                .then(|| pool.bv(32, bits & 0xffff_ffff))
        }
        Op::SignExtend(_) | Op::ZeroExtend(_) if pool.width(args[0]) == 32 => Some(args[0]),
        // A quotient by a power of two.
        Op::ZeroExtend(by) => match (pool.op(args[0]), pool.args(args[0])) {
            (Op::Extract { lo, .. }, &[inner]) if lo == by && by < 31 => {
                let inner = low_part(pool, inner)?;
                let divisor = pool.bv(32, 1 << by);
                Some(pool.bits().udiv(inner, divisor))
            }
            _ => None,
        },
        op @ (Op::BvAdd | Op::BvMul | Op::BvUdiv | Op::BvUrem) => {
            let parts: Option<Vec<TermId>> =
                args.into_iter().map(|arg| low_part(pool, arg)).collect();
            let parts = parts?;
            Some(match op {
                Op::BvAdd => pool.bits().sum(&parts),
                Op::BvMul => pool.bits().product(&parts),
                Op::BvUdiv => pool.bits().udiv(parts[0], parts[1]),
                _ => pool.bits().urem(parts[0], parts[1]),
            })
        }
        _ => None,
    }
}

/// A term in which `x % d + d * (x / d)` is x, as it is in machine arithmetic, division by zero
/// included. Witnesses are such digits, and an index puts them together again.
pub(super) fn rejoined(pool: &mut TermPool, term: TermId) -> TermId {
    pool.rebuild(&[term], |pool, term, args| {
        if pool.op(term) != Op::BvAdd {
            return None;
        }
        let rests = args.iter().filter(|&&arg| pool.op(arg) == Op::BvUrem);
        let mut found = rests.filter_map(|&rest| {
            let (x, d) = (pool.args(rest)[0], pool.args(rest)[1]);
            let is_quotient = |one: TermId| {
                pool.op(one) == Op::BvUdiv && pool.args(one)[0] == x && pool.args(one)[1] == d
            };
            let is_product = |one: TermId| match (pool.op(one), pool.args(one)) {
                (Op::BvMul, &[a, b]) => a == d && is_quotient(b) || b == d && is_quotient(a),
                _ => false,
            };
            let product = args.iter().copied().find(|&arg| is_product(arg))?;
            Some((rest, product, x))
        });
        let (rest, product, x) = found.next()?;
        let others = args.iter().copied().filter(|&arg| arg != rest && arg != product);
        let parts: Vec<TermId> = others.chain([x]).collect();
        Some(pool.bits().sum(&parts))
    })[0]
}
