//! *disabledMaintainsInstrumentation* (r6): the log of a thread that did not enter the loop
//! is what it was.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "disabledMaintainsInstrumentation",
    number: Some(6),
    guess: |input| input.keys().into_iter().map(Statement::KeptIfNotEntered).collect(),
};
