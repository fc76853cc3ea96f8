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
//! Whatever gives a lock back does so behind a taking of the same word that succeeded, with
//! nothing in between that gives one back. Asked of the solver: behind the taking, what it
//! found is 0; and, pair by pair, that the two threads hold the same word.
//!
//! *Argument.* Look at the writes to one word in coherence order; it is 0 at launch (a
//! precondition, or an assumption that is printed). A taking that finds 0 writes another
//! number; one that fails writes none, or a number other than 0 again. Only who took the word
//! and has not given it back since puts 0 there, once. So by induction over that order there
//! is at most one holder at any place of it, and between the successful takings of two
//! threads lies the giving back by the first of the two. The second reads 0 from it, or from
//! one that comes later and is ordered behind it in the same way; both are strong, and in
//! each other's scope, or they race. With the two fences, all that the first did under the
//! lock happens before what the second does under it.
//!
//! SOUNDNESS: kernels/order/lock-outside-bug, lock-early-bug; a try that failed holds nothing
//! (kernels/order/lock-tried-bug), and `lock[i]` does not guard `a[j]`
//! (kernels/order/lock-two-bug).

use duet_ir::{Array, Function, Inst, Value};
use duet_smt::solver::SolverError;
use duet_vc::Reading;

use super::argument::Argument;
use super::words::{Does, Reach, Word, words};

/// The locks of an array.
#[derive(Clone, Debug)]
pub(super) struct Locks {
    pub(super) array: Array,
    takes: Vec<Word>,
    gives: Vec<Word>,
}

impl Argument<'_, '_, '_> {
    /// The locks that an array holds, if all that is done to it fits.
    pub(super) fn locks(&mut self, array: Array) -> Result<Option<Locks>, SolverError> {
        let Some(words) = words(self.facts(), array) else { return Ok(None) };
        let (mut takes, mut gives) = (vec![], vec![]);
        for word in words {
            match word.does {
                Does::Swap { from: 0, .. } => takes.push(word),
                Does::Set { to: 0, .. } => gives.push(word),
                Does::Set { by_exchange: true, .. } => takes.push(word),
                Does::Read => {}
                Does::Swap { .. }
                | Does::Set { .. }
                | Does::Add(_)
                | Does::Increment
                | Does::Other => return Ok(None),
            }
        }
        let locks = Locks { array, takes, gives };
        for give in &locks.gives {
            let mut is_held = false;
            for take in &locks.takes {
                is_held |= is_same_place(self.facts().func, take.offset, give.offset)
                    && self.is_held(&locks, take.inst, give.inst)?;
            }
            // SOUNDNESS: who does not hold a lock must not give it back
            // (kernels/order/lock-given-by-all-bug).
            if !is_held {
                return Ok(None);
            }
        }
        Ok((!locks.takes.is_empty()).then_some(locks))
    }

    /// Was the lock taken whenever the instruction is executed, and not given back since?
    fn is_held(&mut self, locks: &Locks, take: Inst, at: Inst) -> Result<bool, SolverError> {
        let paths = self.paths;
        let again = |inst: Inst| inst == take;
        let is_given_back = locks.gives.iter().any(|give| {
            paths.may_reach(Some(take), give.inst, again)
                && paths.may_reach(Some(give.inst), at, again)
        });
        if !paths.must_precede(take, at) || is_given_back {
            return Ok(false);
        }
        let (thread, given) = self.one_thread();
        let mut reading = Reading::of(&thread, "at");
        let mut goal = self.conditions(paths, &mut reading, at);
        let found = self.facts().func.result(take);
        let found = reading.term(&mut self.check.walker, found);
        let pool = &mut self.check.walker.pool;
        let width = pool.width(found);
        let zero = pool.bv(width, 0);
        goal.push(pool.ne(found, zero));
        self.is_impossible(given, goal, vec![take, at])
    }

    /// The places of the locks that guard an access.
    pub(super) fn guards(
        &mut self,
        locks: &Locks,
        at: Inst,
        reach: Reach,
    ) -> Result<Vec<Value>, SolverError> {
        let mut guards = vec![];
        for take in &locks.takes {
            let is_fenced = self.is_fenced(self.paths, take.inst, at, reach)
                && (locks.gives.iter())
                    .all(|give| self.is_fenced(self.paths, at, give.inst, reach));
            if is_fenced && self.is_held(locks, take.inst, at)? {
                guards.push(take.offset);
            }
        }
        Ok(guards)
    }
}

fn is_same_place(func: &Function, one: Value, other: Value) -> bool {
    let literal = |value| func.const_bits(value);
    one == other || literal(one).is_some() && literal(one) == literal(other)
}
