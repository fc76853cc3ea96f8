//! *guardNonNeg* (r8): a counter is not negative.
//!
//! The paper states it for variables that the header compares as signed numbers. An
//! offset or a second counter that moves along with the tested one needs it as
//! often, so it is stated for every integer that the loop changes.

use duet_ir::IntCc;
use duet_vc::Expr;

use super::Rule;

/// The rule.
pub const RULE: Rule = Rule {
    name: "guardNonNeg",
    number: Some(8),
    lists_states: false,
    guess: |input| {
        let not_negative =
            |(index, _, ty)| Expr::compare(IntCc::Sge, Expr::Param(index), Expr::number(0, ty));
        input.changing().into_iter().map(not_negative).collect()
    },
};
