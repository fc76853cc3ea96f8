//! A thread of the block that is not known yet: symbols for its ids, and guesses of which
//! thread a place belongs to. What follows for such a thread is always under the premise
//! that it is one of the block.

use duet_parametric::writer::{Digit, Inverse, Sought, inverses};
use duet_smt::{Op, TermId, TermPool};

/// Solutions for one load that are used, at most.
const MAX_SOLUTIONS: usize = 2;

/// Ids of an unknown thread: symbols, but 0 where the block has one thread only. The
/// symbols come with the sizes.
pub(crate) fn ids_of_any(
    pool: &mut TermPool,
    sizes: [TermId; 3],
    symbols: [TermId; 3],
) -> ([TermId; 3], Vec<(TermId, TermId)>) {
    let (mut ids, mut unknowns) = (symbols, vec![]);
    for dim in 0..3 {
        match pool.as_bv(sizes[dim]) {
            Some(1) => ids[dim] = pool.bv(32, 0),
            _ => unknowns.push((symbols[dim], sizes[dim])),
        }
    }
    (ids, unknowns)
}

/// The fact under the premise that the ids are those of a thread of the block.
pub(crate) fn if_in_block(pool: &mut TermPool, ids: &[(TermId, TermId)], holds: TermId) -> TermId {
    let in_block: Vec<TermId> =
        ids.iter().map(|&(id, size)| pool.compare().ult(id, size)).collect();
    let in_block = pool.and(&in_block);
    pool.implies(in_block, holds)
}

/// Which thread's place in a claim is the place that is loaded? Guesses.
pub(crate) fn solve(
    pool: &mut TermPool,
    ids: &[(TermId, TermId)],
    own: &[(TermId, TermId)],
    offset: TermId,
    place: TermId,
) -> Vec<Inverse> {
    let digit = |&(symbol, below): &(TermId, TermId)| Digit { symbol, below: Some(below) };
    let known: Vec<Digit> = own.iter().map(digit).collect();
    let mut unknowns: Vec<Digit> = ids.iter().map(digit).collect();
    let mut offset = offset;
    let mut split = vec![];
    for &(id, size) in ids {
        if let Some(parts) = Parts::of(pool, id, offset) {
            offset = parts.in_place(pool, offset);
            unknowns.retain(|unknown| unknown.symbol != id);
            unknowns.extend(parts.digits(pool, size));
            split.push(parts);
        }
    }
    let sought = Sought { place, offset, unknowns: &unknowns, fixed: &[], known: &known };
    let mut found = inverses(pool, &sought);
    found.truncate(MAX_SOLUTIONS);
    for inverse in &mut found {
        for parts in &split {
            inverse.values.extend(parts.whole(pool, &inverse.values));
        }
    }
    found
}

/// An id that an offset uses by quotient and remainder: a tile in a block of one dimension.
struct Parts {
    id: TermId,
    divisor: u128,
    /// The terms that stand for the two.
    quotients: Vec<TermId>,
    remainders: Vec<TermId>,
    /// Symbols for the two, as wide as the id.
    quotient: TermId,
    remainder: TermId,
}

impl Parts {
    /// If both occur, with one divisor.
    fn of(pool: &mut TermPool, id: TermId, offset: TermId) -> Option<Parts> {
        let (mut quotients, mut remainders, mut divisor) = (vec![], vec![], None);
        for term in pool.reachable(&[offset]) {
            let Some((is_quotient, by)) = part_of(pool, id, term) else { continue };
            if *divisor.get_or_insert(by) != by {
                return None;
            }
            let list = if is_quotient { &mut quotients } else { &mut remainders };
            list.push(term);
        }
        let width = pool.width(id);
        let [quotient, remainder] =
            ["quotient", "remainder"].map(|what| pool.bv_var(&format!("{what}:{id}"), width));
        let divisor = divisor.filter(|_| !quotients.is_empty() && !remainders.is_empty())?;
        Some(Parts { id, divisor, quotients, remainders, quotient, remainder })
    }

    /// The term with symbols in place of the parts.
    fn in_place(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let replace = |pool: &mut TermPool, part: TermId, _: &[TermId]| {
            let symbol = match (self.quotients.contains(&part), self.remainders.contains(&part)) {
                (true, _) => self.quotient,
                (false, true) => self.remainder,
                (false, false) => return None,
            };
            let width = pool.width(part);
            Some(pool.bits().zext_or_trunc(symbol, width))
        };
        pool.rebuild(&[term], replace)[0]
    }

    fn digits(&self, pool: &mut TermPool, size: TermId) -> [Digit; 2] {
        let divisor = pool.bv(pool.width(self.id), self.divisor);
        let quotients = pool.as_bv(size).map(|size| {
            let most = size.div_ceil(self.divisor);
            pool.bv(32, most)
        });
        [
            Digit { symbol: self.quotient, below: quotients },
            Digit { symbol: self.remainder, below: Some(divisor) },
        ]
    }

    /// The id of its two parts.
    fn whole(&self, pool: &mut TermPool, values: &[(TermId, TermId)]) -> Option<(TermId, TermId)> {
        let value = |symbol| values.iter().find(|(known, _)| *known == symbol).map(|one| one.1);
        let (quotient, remainder) = (value(self.quotient)?, value(self.remainder)?);
        let divisor = pool.bv(pool.width(self.id), self.divisor);
        let product = pool.bits().mul(quotient, divisor);
        Some((self.id, pool.bits().add(product, remainder)))
    }
}

/// Is the term the quotient of an id by a constant, or the remainder, and by which?
fn part_of(pool: &TermPool, id: TermId, term: TermId) -> Option<(bool, u128)> {
    let args = pool.args(term);
    if args.first() != Some(&id) {
        return None;
    }
    let constant = args.get(1).and_then(|&arg| pool.as_bv(arg));
    let last = pool.width(id) - 1;
    match (pool.op(term), constant) {
        (Op::BvUdiv, Some(by)) if by > 1 => Some((true, by)),
        (Op::BvUrem, Some(by)) if by > 1 => Some((false, by)),
        (Op::BvLshr, Some(by)) if (1..32).contains(&by) => Some((true, 1 << by)),
        (Op::BvAnd, Some(mask)) if (mask + 1).is_power_of_two() => Some((false, mask + 1)),
        (Op::Extract { hi, lo: 0 }, _) if hi < last => Some((false, 1 << (hi + 1))),
        (Op::Extract { hi, lo }, _) if hi == last && lo > 0 => Some((true, 1 << lo)),
        _ => None,
    }
}
