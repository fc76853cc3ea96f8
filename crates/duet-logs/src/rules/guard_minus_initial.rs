//! *guardMinusInitialIsUniform* (r7): a counter has come as far in both threads.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "guardMinusInitialIsUniform",
    number: Some(7),
    guess: |input| {
        let apart = input.integers().into_iter().filter(|&(_, value)| input.may_differ(value));
        apart.map(|(number, _)| Statement::SameDistance(number)).collect()
    },
};
