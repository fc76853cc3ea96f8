//! A thread of a block on its walk through an interval, and further threads of the block.
//!
//! All of them start the interval together, so they share what the two threads of a pair
//! share there. Of a further thread nothing is assumed but that it takes part: a user of
//! its walk may ask what it does where its guards hold, and must not assert that they do
//! (kernels/claims/52-owner-that-left).

use duet_product::{Family, Interval, Row};
use duet_smt::TermId;

use super::Walker;
use super::pair::PairSharing;
use crate::symbols::Side;
use crate::{ThreadTerms, Walk};

/// The walks of several threads of a block.
pub struct Group {
    /// The thread itself.
    pub walk: Walk,
    /// The further threads.
    pub guests: Vec<(ThreadTerms, Walk)>,
    /// What is known at the start, of all of them.
    pub facts: Vec<TermId>,
}

/// Walks a thread, and so many further threads of its block, through an interval. Any two
/// of them may be the same.
pub fn walk_group(
    walker: &mut Walker<'_>,
    (row, aligned): (&Row, &Family),
    interval: &Interval,
    guests: u32,
) -> Group {
    let unaligned = walker.facts.unaligned_loops(row, aligned);
    let sharing = PairSharing::new(walker.facts, row, aligned, interval, unaligned);
    let first = walker.thread(Side::First, None);
    let mut facts = walker.geometry.facts.clone();
    facts.extend(&first.facts);
    let (walk, before) = walker.walk_one(&first, interval, &sharing);
    facts.extend(before.facts);
    let mut group = Group { walk, guests: vec![], facts };
    for number in 0..guests {
        let thread = walker.thread(Side::Further(number), Some(&first));
        let (walk, before) = walker.walk_one(&thread, interval, &sharing);
        group.facts.extend(thread.facts.iter().chain(&before.facts));
        group.guests.push((thread, walk));
    }
    group
}
