//! Conditions under which a whole block goes on: `if (row >= n) return;` before a barrier.
//!
//! Where all threads that are left wait under the same condition, the others having ended,
//! the block goes on as if the condition held, and what it leaves counts under the condition.
//!
//! *Why it is sound.* The condition is one function of block id and arguments for all of these
//! threads. Where it holds they go on together; where it does not, all have ended, and memory
//! stays as it was.

use duet_ir::Space;
use duet_smt::TermPool;

use super::guards::{Guard, Guards};
use super::memory::{Cell, Cells};
use super::run::BlockRun;
use super::thread::Thread;
use crate::engines::NotShown;

/// A condition under which a block went on.
pub(super) struct Context {
    holds: Guard,
    /// Memory as it was then.
    before: Cells,
    /// How much was added to each array then.
    adds: Vec<(duet_ir::Array, usize)>,
}

/// Goes on under the condition under which all threads wait.
///
/// SOUNDNESS: the same condition for all of them, with nothing else left to do (tests
/// `a_barrier_under_a_condition_ends_the_attempt`, `blocks_that_return_early`).
pub(super) fn enter(
    run: &mut BlockRun<'_>,
    pool: &mut TermPool,
    guards: &mut Guards,
    threads: &mut [Thread],
) -> Result<(), NotShown> {
    let mut waiting = threads.iter().filter(|thread| thread.is_waiting());
    let holds = waiting.next().and_then(Thread::waits_under).ok_or(UNKNOWN)?;
    if waiting.any(|thread| thread.waits_under() != Some(holds)) {
        return Err(UNKNOWN.into());
    }
    if holds == Guard::TRUE {
        return Ok(());
    }
    // The test of a loop is another condition each time.
    if run.contexts.len() >= MOST_CONTEXTS {
        return Err(UNKNOWN.into());
    }
    let adds = run.adds.iter().map(|(array, list)| (*array, list.len())).collect();
    run.contexts.push(Context { holds, before: run.memory.clone(), adds });
    for (piece, place, cell) in run.memory.clone().iter() {
        let value = guards.given(pool, holds, cell.value);
        run.memory.put(piece, place, Cell { value, ..cell });
    }
    threads.iter_mut().filter(|one| one.is_waiting()).for_each(Thread::go_on_freely);
    Ok(())
}

/// What the block leaves, the conditions included under which it went on.
pub(super) fn leave(
    run: &mut BlockRun<'_>,
    pool: &mut TermPool,
    guards: &mut Guards,
) -> Result<(), NotShown> {
    while let Some(Context { holds, before, adds }) = run.contexts.pop() {
        for (piece, place, cell) in run.memory.clone().iter() {
            let space = run.kernel.module.arrays[piece.0].space;
            if !matches!(space, Space::Global) {
                continue;
            }
            let old = before.find(piece, place, cell.ty)?;
            let (value, guard) = match old {
                Some(old) => (old.value, old.guard),
                None => {
                    let start = run.initial(pool, piece, place, cell.offset, cell.ty)?;
                    (start, Guard::FALSE)
                }
            };
            let value = guards.select(pool, holds, cell.value, value);
            let guard = guards.ite(holds, cell.guard, guard);
            run.memory.put(piece, place, Cell { value, guard, ..cell });
        }
        for (array, list) in &mut run.adds {
            let known = adds.iter().find(|(own, _)| own == array).map_or(0, |(_, len)| *len);
            for add in list.iter_mut().skip(known) {
                add.guard = guards.and(add.guard, holds);
            }
        }
    }
    Ok(())
}

/// Conditions of one block, one inside the other.
const MOST_CONTEXTS: usize = 3;

const UNKNOWN: &str = "a barrier or an exchange under a condition that is no number";
