//! *predicatedEquality* (r16): a variable is the same in both threads that are in the loop.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "predicatedEquality",
    number: Some(16),
    guess: |input| {
        let apart = input.integers().into_iter().filter(|&(_, value)| input.may_differ(value));
        apart.map(|(number, _)| Statement::SameValue(number)).collect()
    },
};
