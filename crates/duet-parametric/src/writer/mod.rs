//! Who wrote a place: inverts the index of an access.
//!
//! Given the byte offset of a place and the offset of a site as terms, [`inverses`] proposes
//! values of the site's coordinates (thread id, block id, counts of loops) at which the two
//! are equal. Offsets are read as polynomials, `Σ weight · unknown + rest`, and the place is
//! taken apart digit by digit:
//!
//! * a weight is a *radix*: what of the place it divides goes to the unknowns whose weights it
//!   divides too, the rest to the others, and so on within each part;
//! * first with every rest taken for smaller than its radix (no division is needed then:
//!   transposes, tiles, same launches), then with quotients and remainders where bounds do not
//!   say so (another block size, a grid-stride loop, a place that is one symbol), at last by
//!   numbers only (rows of 32 against rows of 16);
//! * where a guard fixes an unknown (`if (threadIdx.x == 0) s[y][0] = …`), the rest that no
//!   unknown is left for is dropped: that it is zero is a condition on the place;
//! * a falling weight (`n - 1 - t`) is turned round; `(u + c) % g`, `u % 2^k` and `u ^ m` are
//!   solved for first and then undone.
//!
//! SOUNDNESS: nothing here is proved, and arithmetic is read as if it did not wrap. The user
//! of a proposal has to show that it is a thread of the launch that gets to the site and
//! that the offset there is the place (`proposals_may_be_wrong`).

mod poly;
mod solve;
mod undo;

use std::collections::BTreeMap;

use duet_smt::{TermId, TermPool};

use self::poly::{Lifts, Poly};
use self::solve::{Boldness, Solver};

/// Proposals for one site.
pub const MOST_PROPOSALS: usize = 8;

/// A symbol that counts from zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    /// The symbol.
    pub symbol: TermId,
    /// What it is below, if anything is known.
    pub below: Option<TermId>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    /// The byte offset of the place.
    pub place: TermId,
    /// The byte offset of the site, over the unknowns.
    pub offset: TermId,
    /// The coordinates of the site.
    pub unknowns: &'a [Digit],
    /// Unknowns whose value the guard of the site says: `threadIdx.x == 0`.
    pub fixed: &'a [(TermId, TermId)],
    /// Bounds of the symbols of the place.
    pub known: &'a [Digit],
}

/// Values of the coordinates of a site, in the order of the unknowns, each of its symbol's
/// width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inverse {
    /// Each unknown with its value.
    pub values: Vec<(TermId, TermId)>,
}

impl Inverse {
    /// A term over the site's coordinates, at these values.
    pub fn apply(&self, pool: &mut TermPool, term: TermId) -> TermId {
        self.apply_all(pool, &[term])[0]
    }

    /// The same for several terms.
    pub fn apply_all(&self, pool: &mut TermPool, terms: &[TermId]) -> Vec<TermId> {
        let values: BTreeMap<TermId, TermId> = self.values.iter().copied().collect();
        pool.rebuild(terms, |_, term, _| values.get(&term).copied())
    }
}

/// Proposals for the coordinates at which a site touches a place, the simplest first. The
/// place must not mention the unknowns: coordinates of two events are different symbols.
pub fn inverses(pool: &mut TermPool, sought: &Sought<'_>) -> Vec<Inverse> {
    let mut list = vec![];
    for boldness in [Boldness::Bold, Boldness::Timid, Boldness::Numbers] {
        let Some((found, is_loose)) = proposals(pool, sought, boldness) else { break };
        for inverse in found {
            if !list.contains(&inverse) && list.len() < MOST_PROPOSALS {
                list.push(inverse);
            }
        }
        // Quotients would be of the place with the rest, which is zero if the guard holds.
        if is_loose && !list.is_empty() {
            break;
        }
    }
    list
}

/// The proposals, and whether a rest was left over for a guard to exclude.
fn proposals(
    pool: &mut TermPool,
    sought: &Sought<'_>,
    boldness: Boldness,
) -> Option<(Vec<Inverse>, bool)> {
    let mut lifts = Lifts::default();
    let mut place = Poly::read(pool, sought.place, &mut lifts)?;
    let mut offset = Poly::read(pool, sought.offset, &mut lifts)?;
    for &(symbol, value) in sought.fixed {
        offset = offset.substitute(symbol, &Poly::read(pool, value, &mut lifts)?)?;
    }
    let width = pool.width(sought.place);
    let mut bounds = BTreeMap::new();
    for digit in sought.unknowns.iter().chain(sought.known) {
        if let Some(below) = digit.below {
            bounds.insert(digit.symbol, Poly::read(pool, below, &mut lifts)?);
        }
    }
    let is_guarded = !sought.fixed.is_empty();
    let mut solver = Solver { pool, lifts, bounds, width, boldness, is_guarded, is_loose: false };
    let symbols: Vec<TermId> = sought.unknowns.iter().map(|digit| digit.symbol).collect();
    let hidden = solver.hidden(&offset, &symbols);
    let all: Vec<TermId> = symbols.iter().chain(&hidden).copied().collect();
    let (weights, rest) = offset.split(&all)?;
    place = place.sub(&rest)?;
    let group = all.iter().copied().zip(weights).filter(|(_, weight)| !weight.is_zero());
    let solutions = solver.solve(place, group.collect());
    let is_loose = solver.is_loose;
    let finished = solutions.into_iter().filter_map(|found| solver.finish(sought, &hidden, found));
    Some((finished.collect(), is_loose))
}

#[cfg(test)]
mod tests;
