//! *A counter that is used several times*: a barrier of the grid by hand that a kernel comes
//! to again, at other places, and each time waits for more.
//!
//! What is read off the instructions, besides what `counter` asks of a counter: there are
//! several additions of 1, all by the first thread of a block, none in a loop, each behind the
//! one before; nothing puts another number there. Asked of the solver: behind each addition
//! but the last and before the next, the first thread has read at least as many as all blocks
//! have added up to there.
//!
//! *Argument.* There are N blocks, and each makes the k-th addition at most once. Claim: at
//! each place of the coherence order that has a (k+1)-th addition of some block before it, all
//! N k-th additions come before it too. Take the first place where this fails: the block of
//! that (k+1)-th addition has read at least k*N before it. The additions before that read are
//! first to k-th ones, or there is a (k+1)-th one among them and the claim holds there; so all
//! N k-th ones are among them, and they come before, by coherence. Hence whoever reads at
//! least k*N has all k-th additions before it: else no later ones are among what was counted,
//! and the first to k-th ones are fewer than k*N. All writes are read-modify-writes, so what
//! was read is in the release sequence of each of them, as in `counter`.
//!
//! SOUNDNESS: kernels/order/gate-twice-low-bug (the second wait asks for too little),
//! gate-twice-no-wait-bug (nothing is waited for in between).

use duet_ir::{Array, Inst, Space};
use duet_smt::solver::SolverError;
use duet_vc::Reading;

use super::argument::{Argument, ThreadZero};
use super::counter::{Counter, Unit};
use super::words::{Does, words};

/// The most additions that are followed.
const MOST_PHASES: usize = 8;

/// The counter of each phase of an array that counts several times.
pub(super) fn phases(
    argument: &mut Argument<'_, '_, '_>,
    array: Array,
) -> Result<Vec<Counter>, SolverError> {
    let facts = argument.facts();
    let words = words(facts, array).unwrap_or_default();
    let place = words.first().and_then(|word| facts.func.const_bits(word.offset));
    let fits = |does: Does| matches!(does, Does::Add(1) | Does::Read);
    let is_counter = facts.module.arrays[array].space == Space::Global
        && place.is_some()
        && words.iter().all(|word| facts.func.const_bits(word.offset) == place && fits(word.does));
    let adds: Vec<Inst> =
        words.iter().filter(|word| word.does == Does::Add(1)).map(|word| word.inst).collect();
    if !is_counter || !(2..=MOST_PHASES).contains(&adds.len()) {
        return Ok(vec![]);
    }
    for &add in &adds {
        if argument.paths.may_repeat(add) || !argument.is_only_first(add)? {
            return Ok(vec![]);
        }
    }
    let (thread, given) = argument.one_thread();
    let zero = argument.thread_zero(&thread);
    let Some(adds) = in_order(&zero, adds) else { return Ok(vec![]) };
    let readers: Vec<Inst> = words.iter().map(|word| word.inst).collect();
    let counter = |(phase, &add): (u32, &Inst)| Counter {
        array,
        unit: Unit::Block,
        phase,
        add,
        readers: readers.clone(),
        adds: adds.clone(),
        resets: vec![],
    };
    let counters: Vec<Counter> = (1..).zip(&adds).map(counter).collect();
    for (now, next) in counters.iter().zip(adds.iter().skip(1)) {
        let mut has_waited = false;
        for &reader in readers.iter().filter(|&&reader| zero.paths.must_precede(reader, *next)) {
            let mut reading = Reading::of(&zero.thread, "phase");
            let goal = argument.conditions(&zero.paths, &mut reading, *next);
            has_waited |= argument.has_seen_all(now, reader, &mut reading, given.clone(), goal)?;
        }
        if !has_waited {
            return Ok(vec![]);
        }
    }
    Ok(counters)
}

/// The additions in the order in which the first thread comes to them, if it always comes
/// to one before the next.
fn in_order(zero: &ThreadZero<'_>, adds: Vec<Inst>) -> Option<Vec<Inst>> {
    let is_behind = |one: Inst, add: Inst| one != add && zero.paths.must_precede(one, add);
    let place = |add: Inst| adds.iter().filter(|&&one| is_behind(one, add)).count();
    let mut placed: Vec<(usize, Inst)> = adds.iter().map(|&add| (place(add), add)).collect();
    placed.sort_unstable();
    let is_next = |pair: &[(usize, Inst)]| is_behind(pair[0].1, pair[1].1);
    let is_ordered = placed.windows(2).all(is_next);
    is_ordered.then(|| placed.into_iter().map(|(_, add)| add).collect())
}
