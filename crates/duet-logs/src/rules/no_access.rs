//! *noread* (r12), *nowrite* (r13) and *noatomic*: nothing is logged at the head.
//!
//! They hold where a barrier comes last in each iteration and nothing was done before the
//! loop.

use super::{Input, LogRule};
use crate::log::Kind;
use crate::statement::Statement;

/// r12.
pub(crate) const NO_READ: LogRule =
    LogRule { name: "noread", number: Some(12), guess: |input| of_kind(input, Kind::Read) };

/// r13.
pub(crate) const NO_WRITE: LogRule =
    LogRule { name: "nowrite", number: Some(13), guess: |input| of_kind(input, Kind::Write) };

/// The same for atomic operations.
pub(crate) const NO_ATOMIC: LogRule = LogRule {
    name: "noatomic",
    number: None,
    guess: |input| {
        let kinds = [Kind::Atomic, Kind::AtomicRead];
        kinds.into_iter().flat_map(|kind| of_kind(input, kind)).collect()
    },
};

fn of_kind(input: &Input<'_, '_>, kind: Kind) -> Vec<Statement> {
    let keys = input.keys().into_iter().filter(|key| key.1 == kind);
    keys.map(Statement::NoAccess).collect()
}
