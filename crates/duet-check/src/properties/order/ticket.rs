//! *Ticket locks*: a thread draws a number from one counter and waits until another word, the
//! number that is served, has come to it; when it is done it adds 1 to that word.
//!
//! What is read off the instructions: every access to the served word is strong and to one
//! literal place; it adds 1 or leaves the word as it is. Every access to the one counter is
//! strong too and adds 1, at one literal place, or leaves it as it is. An access is *in turn*
//! if it is executed only behind a read of the served word, nothing on the way from there adds
//! to it, and fences come between the two and between the access and every addition.
//! Each addition is in turn as well, fences aside, and a thread that adds twice draws again in
//! between. Asked of the solver: behind the read, what was read is the number that was drawn.
//!
//! *Argument.* Both words are 0 at launch (a precondition, or an assumption that is printed),
//! and numbers that are drawn differ from each other (that the counter does not wrap around
//! is an assumption that is printed). Look at the additions to the served word in coherence
//! order. The addition that makes k + 1 of k is made by a thread that has read its own number
//! from the word, and not added since. What it read is not more than k, by coherence. It is
//! not less: the addition to that number was made by who drew it, by induction, which is this
//! thread, and it adds once for each number. So it is the one who drew k. Who drew k + 1
//! reads k + 1, which only that addition wrote. Both are strong and in each other's scope, or
//! they race; with the two fences, what was done in the turn of k happens before what is done
//! in the turn of k + 1, and so on. Two threads never have the same number, so whatever they
//! do in turn is ordered.
//!
//! SOUNDNESS: kernels/order/ticket-lock-bug, ticket-lock-early-bug, ticket-lock-all-add-bug,
//! ticket-lock-no-release-bug.

use duet_ir::{Array, Function, Inst, Space};
use duet_smt::solver::SolverError;
use duet_vc::Reading;

use super::argument::Argument;
use super::launch::AtLaunch;
use super::words::{Does, Reach, Word, words};

/// A lock by tickets.
#[derive(Clone, Debug)]
pub(super) struct Tickets {
    /// The array of the served word.
    pub(super) array: Array,
    /// The array that numbers are drawn from.
    pub(super) counter: Array,
    /// Draws of a number.
    draws: Vec<Inst>,
    /// Reads of the served word.
    reads: Vec<Inst>,
    /// Additions to it.
    passes: Vec<Inst>,
}

impl Tickets {
    /// The lock by tickets whose served word is in the array, if all that is done to it fits.
    pub(super) fn find(
        argument: &mut Argument<'_, '_, '_>,
        array: Array,
    ) -> Result<Option<Tickets>, SolverError> {
        let facts = argument.facts();
        let Some(words) = words(facts, array).filter(|words| is_one_word(facts.func, words)) else {
            return Ok(None);
        };
        let of = |does: Does| words.iter().filter(move |word| word.does == does);
        let (reads, passes) = (of(Does::Read), of(Does::Add(1)));
        let [reads, passes] = [reads.collect::<Vec<_>>(), passes.collect()];
        let is_whole = reads.len() + passes.len() == words.len();
        if facts.module.arrays[array].space != Space::Global || !is_whole || passes.is_empty() {
            return Ok(None);
        }
        let insts = |words: &[&Word]| words.iter().map(|word| word.inst).collect::<Vec<Inst>>();
        // SOUNDNESS: two counters give out the same numbers, so all that is in turn rests on
        // draws from one (kernels/order/ticket-lock-two-counters-bug).
        for (counter, draws) in draws(argument, array)? {
            let (reads, passes) = (insts(&reads), insts(&passes));
            let tickets = Tickets { array, counter, draws, reads, passes };
            if tickets.are_passed_on_in_turn(argument)? {
                return Ok(Some(tickets));
            }
        }
        Ok(None)
    }

    /// Is each addition to the served word made in turn, once for each number?
    ///
    /// SOUNDNESS: a thread that adds out of turn, or twice, lets two others in
    /// (kernels/order/ticket-lock-all-add-bug).
    fn are_passed_on_in_turn(
        &self,
        argument: &mut Argument<'_, '_, '_>,
    ) -> Result<bool, SolverError> {
        for &pass in &self.passes {
            let Some((_, draw)) = self.turn(argument, pass)? else { return Ok(false) };
            if argument.paths.may_reach(Some(pass), pass, |inst| inst == draw) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The read behind which a thread is in turn at the instruction, and the draw of its
    /// number.
    fn turn(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        at: Inst,
    ) -> Result<Option<(Inst, Inst)>, SolverError> {
        let paths = argument.paths;
        for &read in &self.reads {
            let again = |inst: Inst| inst == read;
            let is_over = self.passes.iter().any(|&pass| {
                paths.may_reach(Some(read), pass, again) && paths.may_reach(Some(pass), at, again)
            });
            if !paths.must_precede(read, at) || is_over {
                continue;
            }
            for &draw in &self.draws {
                if paths.must_precede(draw, read) && is_own_number(argument, read, draw, at)? {
                    return Ok(Some((read, draw)));
                }
            }
        }
        Ok(None)
    }

    /// Is the access in turn, with fences on both sides?
    pub(super) fn is_in_turn(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        at: Inst,
        reach: Reach,
    ) -> Result<bool, SolverError> {
        let Some((read, _)) = self.turn(argument, at)? else { return Ok(false) };
        let paths = argument.paths;
        Ok(argument.is_acquired(paths, read, at, reach)
            && self.passes.iter().all(|&pass| argument.is_published_by(paths, at, pass, reach)))
    }
}

/// The other arrays with a word from which every thread draws another number, beginning with
/// 0, and the additions of 1 to each.
fn draws(
    argument: &mut Argument<'_, '_, '_>,
    served: Array,
) -> Result<Vec<(Array, Vec<Inst>)>, SolverError> {
    let facts = argument.facts();
    let mut draws = vec![];
    for array in facts.func.arrays_used() {
        let is_counter = array != served && facts.is_counter(array);
        let Some(words) = words(facts, array).filter(|_| is_counter) else { continue };
        let fits = |word: &Word| matches!(word.does, Does::Read | Does::Add(1));
        let is_at_zero = !matches!(argument.at_launch(array)?, AtLaunch::Unknown);
        if words.iter().all(fits) && is_one_word(facts.func, &words) && is_at_zero {
            let adds = words.iter().filter(|word| word.does == Does::Add(1));
            draws.push((array, adds.map(|word| word.inst).collect()));
        }
    }
    Ok(draws)
}

/// Are all accesses to one literal place?
fn is_one_word(func: &Function, words: &[Word]) -> bool {
    let place = |word: &Word| func.const_bits(word.offset);
    let first = words.first().and_then(place);
    first.is_some() && words.iter().all(|word| place(word) == first)
}

/// Is what was read the number that was drawn, whenever the instruction is executed?
fn is_own_number(
    argument: &mut Argument<'_, '_, '_>,
    read: Inst,
    draw: Inst,
    at: Inst,
) -> Result<bool, SolverError> {
    let (thread, given) = argument.one_thread();
    let mut reading = Reading::of(&thread, "turn");
    let paths = argument.paths;
    let mut goal = argument.conditions(paths, &mut reading, at);
    let func = argument.facts().func;
    let [read, own] = [read, draw].map(|inst| func.result(inst));
    if func.type_of(read) != func.type_of(own) {
        return Ok(false);
    }
    let [read, own] = [read, own].map(|value| reading.term(&mut argument.check.walker, value));
    goal.push(argument.check.walker.pool.ne(read, own));
    argument.is_impossible(given, goal, vec![at])
}
