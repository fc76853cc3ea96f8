//! *loopPredicateEquality* (r11): both threads are in the loop, or neither is.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "loopPredicateEquality",
    number: Some(11),
    guess: |input| {
        let is_known = input.lockstep.leaves_together(input.id);
        if is_known { vec![] } else { vec![Statement::SameActive] }
    },
};
