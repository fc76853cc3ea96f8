//! *Locks*: a word that is 0 while no thread holds it.
//!
//! What is read off the instructions: every access to the array of locks is strong; each
//! takes a lock (a compare-and-swap from 0 to another literal, or an exchange with another
//! literal than 0), gives it back (puts 0 there), or leaves it as it is. An access is
//! *guarded* by a taking of a lock if
//!
//! * it is executed only behind it, and nothing on the way from there gives a lock back;
//! * a fence comes between the two, and another between the access and whatever gives a
//!   lock back.
//!
//! It is guarded *by the block* if the first thread of the block takes the lock, passes a
//! fence and then a barrier of the block, which every thread passes before the access, and if
//! another barrier and a fence come between the access and whatever gives a lock back.
//!
//! Whatever gives a lock back does so behind a taking of the same word that succeeded, with
//! nothing in between that gives one back; where only the first thread of a block gives it
//! back, only the paths that this thread may take count. Asked of the solver: behind the
//! taking, what it found is 0; and, pair by pair, that the two threads hold the same word.
//!
//! *Argument.* Look at the writes to one word in coherence order; it is 0 at launch (a
//! precondition, or an assumption that is printed), or, in shared memory, behind a barrier of
//! the block that comes before all strong accesses ([`super::launch`]). A taking that finds 0
//! writes another number; one that fails writes none, or a number other than 0 again. Only
//! who took the word and has not given it back since puts 0 there, once. So by induction over
//! that order there is at most one holder at any place of it, and between the successful
//! takings of two threads lies the giving back by the first of the two. The second reads 0
//! from it, or from one that comes later; all are strong, and in each other's scope, or they
//! race. If every giving back is an exchange, all writes in between are read-modify-writes,
//! so the second reads what the giving back by the first heads. A giving back by a store ends
//! that chain; then its thread must pass on what it acquired when it took the lock, by fences
//! that reach all users of the word, whatever it touches under the lock itself. With the two
//! fences, all that the first did under the lock happens before what the second does under
//! it. SOUNDNESS: kernels/order/lock-passed-on-bug (a holder between the two has no fence),
//! lock-of-all-own-count-bug (the fences do not reach it). What a block does under
//! its first thread's lock lies between two barriers of the block, of which the first comes
//! behind the taking and its fence, the second before the fence and the giving back; this
//! orders threads of different blocks only.
//!
//! That taking and giving back are of the same word is seen by their terms. SOUNDNESS: what
//! these depend on is computed before the taking, which is on every way to the other; so it
//! is not computed again in between (kernels/order/lock-other-place-bug).
//!
//! SOUNDNESS: kernels/order/lock-outside-bug, lock-early-bug; a try that failed holds nothing
//! (kernels/order/lock-tried-bug), and `lock[i]` does not guard `a[j]`
//! (kernels/order/lock-two-bug); threads of one block are not ordered by the block's lock
//! (kernels/order/lock-by-block-inside-bug).

use std::collections::BTreeSet;

use duet_analysis::Paths;
use duet_ir::{Array, Inst, Space, Value};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{Reading, ThreadTerms};

use super::argument::{Argument, PairScope, is_passed_on};
use super::words::{Does, Reach, Word, words};

/// The locks of an array.
#[derive(Clone, Debug)]
pub(super) struct Locks {
    pub(super) array: Array,
    takes: Vec<Word>,
    gives: Vec<Word>,
    /// What takings put there.
    held: BTreeSet<u128>,
    /// How far fences reach at least.
    least: Reach,
}

/// A lock that is held at an access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// The place of the lock.
    pub(super) offset: Value,
    /// The first thread of the block holds it for all of them.
    pub(super) by_first_thread: bool,
}

/// Whose takings are looked at: the paths that the thread may take, and what is known of it.
struct Holder<'p, 'f> {
    paths: &'p Paths<'f>,
    thread: &'p ThreadTerms,
    given: &'p [TermId],
}

impl Locks {
    /// The locks that an array holds, if all that is done to it fits.
    pub(super) fn find(
        argument: &mut Argument<'_, '_, '_>,
        array: Array,
    ) -> Result<Option<Locks>, SolverError> {
        let Some(words) = words(argument.facts(), array) else { return Ok(None) };
        let (mut takes, mut gives, mut held) = (vec![], vec![], BTreeSet::new());
        for word in words {
            match word.does {
                Does::Set { to: 0, .. } => gives.push(word),
                Does::Swap { from: 0, to } | Does::Set { to, by_exchange: true } => {
                    takes.push(word);
                    held.insert(to);
                }
                Does::Read | Does::Start => {}
                Does::Swap { .. }
                | Does::Set { .. }
                | Does::Add(_)
                | Does::Increment
                | Does::Reset
                | Does::Other => return Ok(None),
            }
        }
        let mut locks = Locks { array, takes, gives, held, least: Reach::Block };
        locks.least = locks.reach_of_chains(argument)?;
        if !locks.are_passed_on(argument) {
            return Ok(None);
        }
        for give in &locks.gives {
            // SOUNDNESS: who does not hold a lock must not give it back
            // (kernels/order/lock-given-by-all-bug).
            if !locks.is_given_by_holder(argument, give)? {
                return Ok(None);
            }
        }
        Ok((!locks.takes.is_empty()).then_some(locks))
    }

    /// Givings back by a store, which end the chain of read-modify-writes.
    fn stores(&self) -> impl Iterator<Item = &Word> {
        let is_store = |does: Does| matches!(does, Does::Set { by_exchange: false, .. });
        self.gives.iter().filter(move |give| is_store(give.does))
    }

    /// How far the fences of holders must reach that pass a lock on: to the block, where
    /// different blocks never use the same word.
    fn reach_of_chains(&self, argument: &mut Argument<'_, '_, '_>) -> Result<Reach, SolverError> {
        let is_shared = argument.facts().module.arrays[self.array].space == Space::Shared;
        if is_shared || self.stores().next().is_none() {
            return Ok(Reach::Block);
        }
        for one in &self.takes {
            for other in &self.takes {
                let (scope, at) = (PairScope::OtherBlocks, [one.offset, other.offset]);
                let mut same_word =
                    |this: &mut Argument<'_, '_, '_>, x: &mut Reading, y: &mut Reading| {
                        let walker = &mut this.check.walker;
                        let (one, other) = (x.term(walker, at[0]), y.term(walker, at[1]));
                        vec![walker.pool.eq(one, other)]
                    };
                if !argument.are_never_two(scope, one.inst, other.inst, &mut same_word)? {
                    return Ok(Reach::Device);
                }
            }
        }
        Ok(Reach::Block)
    }

    /// Does each holder that ends the chain of read-modify-writes pass on what it acquired?
    fn are_passed_on(&self, argument: &Argument<'_, '_, '_>) -> bool {
        self.stores().all(|give| {
            let is_taken =
                |take: &&Word| argument.paths.may_reach(Some(take.inst), give.inst, |_| false);
            (self.takes.iter().filter(is_taken))
                .all(|take| is_passed_on(argument, take.inst, give.inst, self.least))
        })
    }

    /// Does each thread that gives the lock back hold it?
    fn is_given_by_holder(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        give: &Word,
    ) -> Result<bool, SolverError> {
        let (thread, given) = argument.one_thread();
        let paths = argument.paths;
        let any = Holder { paths, thread: &thread, given: &given };
        let zero = argument.thread_zero(&thread);
        let first = Holder { paths: &zero.paths, thread: &zero.thread, given: &given };
        for take in &self.takes {
            if !is_same_place(argument, &thread, take.offset, give.offset) {
                continue;
            }
            if self.is_held(argument, &any, take.inst, give.inst)? {
                return Ok(true);
            }
            // SOUNDNESS: the paths of the first thread say nothing about others
            // (kernels/order/lock-by-block-given-bug).
            if self.is_held(argument, &first, take.inst, give.inst)?
                && argument.is_only_first(give.inst)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Was the lock taken whenever the instruction is executed, and not given back since?
    fn is_held(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        holder: &Holder<'_, '_>,
        take: Inst,
        at: Inst,
    ) -> Result<bool, SolverError> {
        let paths = holder.paths;
        let again = |inst: Inst| inst == take;
        let is_given_back = self.gives.iter().any(|give| {
            paths.may_reach(Some(take), give.inst, again)
                && paths.may_reach(Some(give.inst), at, again)
        });
        if !paths.must_precede(take, at) || is_given_back {
            return Ok(false);
        }
        let mut reading = Reading::of(holder.thread, "at");
        let mut goal = argument.conditions(paths, &mut reading, at);
        let found = argument.facts().func.result(take);
        let found = reading.term(&mut argument.check.walker, found);
        let pool = &mut argument.check.walker.pool;
        let width = pool.width(found);
        let zero = pool.bv(width, 0);
        goal.push(pool.ne(found, zero));
        // Only literals are ever put there, so what is found is one of them
        // (kernels/order/lock-equals-one-bug).
        let may_be = |to: &u128| pool.bv(width, *to);
        let held: Vec<TermId> = self.held.iter().map(may_be).collect();
        let is_one: Vec<TermId> = held.into_iter().map(|held| pool.eq(found, held)).collect();
        goal.push(pool.or(&is_one));
        argument.is_impossible(holder.given.to_vec(), goal, vec![take, at])
    }

    /// The locks that guard an access.
    pub(super) fn guards(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        at: Inst,
        reach: Reach,
    ) -> Result<Vec<Guard>, SolverError> {
        let mut guards = vec![];
        let between = reach;
        let reach = if self.least == Reach::Device { Reach::Device } else { reach };
        let (thread, given) = argument.one_thread();
        let paths = argument.paths;
        let any = Holder { paths, thread: &thread, given: &given };
        for take in &self.takes {
            let is_fenced = argument.is_acquired(paths, take.inst, at, reach)
                && (self.gives.iter())
                    .all(|give| argument.is_published_by(paths, at, give.inst, reach));
            if is_fenced && self.is_held(argument, &any, take.inst, at)? {
                guards.push(Guard { offset: take.offset, by_first_thread: false });
            }
            if between == Reach::Device && self.is_held_by_block(argument, take, at)? {
                guards.push(Guard { offset: take.offset, by_first_thread: true });
            }
        }
        Ok(guards)
    }

    /// Does the first thread of the block hold the lock for all of its threads?
    fn is_held_by_block(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        take: &Word,
        at: Inst,
    ) -> Result<bool, SolverError> {
        let mut is_kept = |give: &Word| argument.is_gathered(at, give.inst, Reach::Device);
        if !self.gives.iter().all(&mut is_kept) {
            return Ok(false);
        }
        let (thread, given) = argument.one_thread();
        let zero = argument.thread_zero(&thread);
        let first = Holder { paths: &zero.paths, thread: &zero.thread, given: &given };
        for barrier in argument.block_barriers() {
            if argument.is_gate(&zero, take.inst, barrier, at)
                && self.is_held(argument, &first, take.inst, barrier)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Are the two places the same, whenever the same thread comes to both?
fn is_same_place(
    argument: &mut Argument<'_, '_, '_>,
    thread: &ThreadTerms,
    one: Value,
    other: Value,
) -> bool {
    let mut reading = Reading::of(thread, "place");
    let [one, other] = [one, other].map(|at| reading.term(&mut argument.check.walker, at));
    one == other
}
