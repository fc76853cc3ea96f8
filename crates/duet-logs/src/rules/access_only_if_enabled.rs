//! *accessOnlyIfEnabledInEnclosingScopes* (r4): only a thread that entered the loop has
//! something in its log.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "accessOnlyIfEnabledInEnclosingScopes",
    number: Some(4),
    guess: |input| input.keys().into_iter().map(Statement::OnlyIfEntered).collect(),
};
