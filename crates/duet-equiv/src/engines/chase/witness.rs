//! Threads that may have written a place, and what must hold for one to be a witness.

use duet_parametric::writer::{Digit, Sought, inverses};
use duet_smt::{Op, TermId, TermPool};

use super::offsets::{is_below, narrowed};
use super::{Chase, IDS, Witness, is_number};
use crate::pair::request::Side;

/// Threads for which a term of an event may be one of the other's.
pub(super) fn witnesses_of(
    chase: &mut Chase<'_>,
    side: Side,
    (site, offset): (usize, TermId),
    place: TermId,
    same: &[TermId],
    given: Option<(&[TermId], &[TermId])>,
) -> Vec<Witness> {
    let own = chase.own(side, site);
    let event = chase.event(side, site);
    let sizes = chase.sizes(side);
    let mut list = vec![];
    if same.len() >= own.len() {
        list.push(same[..own.len()].to_vec());
    }
    // Two loops that are exchanged.
    if let (None, [x, y], true) = (given, own.get(IDS..).unwrap_or(&[]), same.len() == own.len())
        && x != y
    {
        let mut turned = same.to_vec();
        turned.swap(IDS, IDS + 1);
        list.push(turned);
    }
    let counts_given = given.map_or(0, |(_, counts)| counts.len());
    let is_open = |number: usize| {
        let is_given = match given {
            None => false,
            Some(_) => (3..IDS + counts_given).contains(&number),
        };
        !is_number(&chase.pool, own[number]) && !is_given
    };
    let open: Vec<usize> = (0..own.len()).filter(|&n| is_open(n)).collect();
    let unknowns: Vec<Digit> = open
        .iter()
        .map(|&number| {
            let below = match number < IDS {
                true => Some(sizes[number]),
                false => below(chase, side, own[number]),
            };
            Digit { symbol: own[number], below }
        })
        .collect();
    // The place is one of the other side, whose ids have bounds of their own.
    let known: Vec<Digit> = same
        .iter()
        .zip(chase.sizes(side.other()))
        .filter(|(id, _)| !is_number(&chase.pool, **id))
        .map(|(&symbol, size)| Digit { symbol, below: Some(size) })
        .collect();
    // What is given is no unknown of the offset.
    let mut start = own.clone();
    if let Some((block, counts)) = given {
        start[3..IDS].copy_from_slice(block);
        start[IDS..IDS + counts.len()].copy_from_slice(counts);
    }
    let offset = chase.put(&own, &start, offset);
    let fixed = fixed(&chase.pool, event.guard, &unknowns);
    let sought = Sought { place, offset, unknowns: &unknowns, fixed: &fixed, known: &known };
    let mut wide = vec![];
    for inverse in inverses(&mut chase.pool, &sought) {
        let mut ids = start.clone();
        let mut narrow = ids.clone();
        for ((_, value), &number) in inverse.values.iter().zip(&open) {
            ids[number] = *value;
            narrow[number] = narrowed(&mut chase.pool, *value);
        }
        if narrow != ids {
            wide.push(ids);
        }
        list.push(narrow);
    }
    // Most are the same where nothing overflows, and then one is enough.
    list.extend(wide);
    list.into_iter().map(|ids| Witness { site, ids }).collect()
}

/// What a count is below, if that is the same for all threads.
fn below(chase: &Chase<'_>, side: Side, count: TermId) -> Option<TermId> {
    let own = &chase.sides[side.index()];
    let ids = own.ids();
    let trips = own.rounds.iter().find(|open| open.round.count == count)?.round.trips;
    let mentioned = chase.pool.reachable(&[trips]);
    let is_free = |id: &TermId| is_number(&chase.pool, *id) || !mentioned.contains(id);
    ids.iter().all(is_free).then_some(trips)
}

/// What must hold for the witness to be a thread that gets to its event, and something
/// else.
pub(super) fn wanted_if(
    chase: &mut Chase<'_>,
    side: Side,
    witness: &Witness,
    also: TermId,
) -> Vec<TermId> {
    let event = chase.event(side, witness.site);
    let mut wanted = vec![also];
    let sizes = chase.sizes(side);
    for (&id, &size) in witness.ids.iter().zip(&sizes) {
        wanted.push(is_below(&mut chase.pool, id, size));
    }
    let guard = chase.at(side, witness.site, &witness.ids, event.guard);
    match chase.pool.op(guard) {
        Op::And => wanted.extend(chase.pool.args(guard).to_vec()),
        _ => wanted.push(guard),
    }
    wanted
}

/// Unknowns that a condition says the value of.
fn fixed(pool: &TermPool, guard: TermId, unknowns: &[Digit]) -> Vec<(TermId, TermId)> {
    let parts = match pool.op(guard) {
        Op::And => pool.args(guard).to_vec(),
        _ => vec![guard],
    };
    let mut list = vec![];
    for part in parts.into_iter().filter(|&part| pool.op(part) == Op::Eq) {
        let (a, b) = (pool.args(part)[0], pool.args(part)[1]);
        for (symbol, value) in [(a, b), (b, a)] {
            let is_unknown = unknowns.iter().any(|digit| digit.symbol == symbol);
            if is_unknown && is_number(pool, value) {
                list.push((symbol, value));
            }
        }
    }
    list
}
