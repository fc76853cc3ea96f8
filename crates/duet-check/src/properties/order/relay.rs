//! *Relays*: a thread that has seen a flag sets another one, and so passes on what was
//! published by the first.
//!
//! What is read off the instructions, besides what `flag` asks of flags: the places of all
//! flags of the chain are literals. Whoever sets the second flag has read the first one
//! before, as a consumer does, and what it acquired so is released behind that, by a fence or
//! by the write itself ([`is_passed_on`]).
//!
//! *Argument.* The access happens before the point at which the thread that passes it on has
//! acquired it (`flag`). That point is the fence, or comes before what releases, so all that
//! happens before it is published by the second flag too: happens-before is transitive. It
//! does not matter which thread passes it on, nor how many do, since each one that sets the
//! second flag has read the first. Such threads are anywhere, so all fences reach the device.
//!
//! SOUNDNESS: kernels/order/relay-no-fence-bug (the second thread has no fence),
//! relay-blind-bug (it does not wait), relay-other-flag-bug (it waits for another flag).

use duet_ir::{Inst, Space};
use duet_smt::solver::SolverError;

use super::argument::{Argument, is_passed_on};
use super::flag::Flags;
use super::words::{Reach, Word};

/// How often an access may be passed on.
const MOST_RELAYS: u32 = 3;

/// How a write of a flag publishes an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Published {
    /// Its own thread or block sets the flag.
    Directly,
    /// Whoever sets the flag has acquired the access before.
    Relayed,
    /// Not, as far as is known.
    Never,
}

/// How the source, which sets one of `flags`, publishes the access.
pub(super) fn published(
    argument: &mut Argument<'_, '_, '_>,
    all: &[Flags],
    flags: &Flags,
    a: Inst,
    (source, reach): (&Word, Reach),
) -> Result<Published, SolverError> {
    if argument.is_published(flags, a, source, reach)? {
        return Ok(Published::Directly);
    }
    let is_relayed = reach == Reach::Device && is_relayed(argument, all, a, source, MOST_RELAYS)?;
    Ok(if is_relayed { Published::Relayed } else { Published::Never })
}

/// Has every thread that executes the source acquired the access before?
fn is_relayed(
    argument: &mut Argument<'_, '_, '_>,
    all: &[Flags],
    a: Inst,
    source: &Word,
    relays: u32,
) -> Result<bool, SolverError> {
    let (func, module) = (argument.facts().func, argument.facts().module);
    if relays == 0 || func.const_bits(source.offset).is_none() {
        return Ok(false);
    }
    let is_global = |flags: &&Flags| module.arrays[flags.array].space == Space::Global;
    for flags in all.iter().filter(is_global) {
        for consumer in argument.consumers(flags, source.inst, Reach::Device)? {
            let place = func.const_bits(consumer.offset);
            let passes = |&read: &Inst| is_passed_on(argument, read, source.inst, Reach::Device);
            let is_other = place.is_none() || consumer.by_first_thread;
            if is_other || !consumer.reads.iter().all(passes) {
                continue;
            }
            let mut is_known = true;
            for first in &consumer.sources {
                let at = func.const_bits(first.offset);
                // What is put into another word was not read.
                is_known &= at.is_some() && at != place
                    || at == place
                        && (argument.is_published(flags, a, first, Reach::Device)?
                            || is_relayed(argument, all, a, first, relays - 1)?);
            }
            if is_known {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
