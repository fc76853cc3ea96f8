//! A thread of the block that is not known yet: symbols for its ids, and guesses of which
//! thread a place belongs to. What follows for such a thread is always under the premise
//! that it is one of the block.

use duet_parametric::writer::{Digit, Inverse, Sought, inverses};
use duet_smt::{TermId, TermPool};

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
    let unknowns: Vec<Digit> = ids.iter().map(digit).collect();
    let known: Vec<Digit> = own.iter().map(digit).collect();
    let sought = Sought { place, offset, unknowns: &unknowns, fixed: &[], known: &known };
    let mut found = inverses(pool, &sought);
    found.truncate(MAX_SOLUTIONS);
    found
}
