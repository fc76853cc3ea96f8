//! *loopPredicateEquality* (r11): both threads are in the loop, or neither is; and both are
//! alive, or neither is, which barriers see to.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "loopPredicateEquality",
    number: Some(11),
    guess: |input| {
        let is_known = input.lockstep.leaves_together(input.id);
        let mut found = vec![Statement::SameAlive];
        found.extend((!is_known).then_some(Statement::SameActive));
        found
    },
};
