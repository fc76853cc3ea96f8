//! *sameWarpNoAccess* (r18): nothing is logged as far as a thread of the same warp is concerned,
//! which lock step sees to.
//!
//! It is about `--warp-sync` only.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "sameWarpNoAccess",
    number: Some(18),
    guess: |input| match input.lockstep.in_lock_step {
        Some(_) => input.keys().into_iter().map(Statement::NoAccessInWarp).collect(),
        None => vec![],
    },
};
