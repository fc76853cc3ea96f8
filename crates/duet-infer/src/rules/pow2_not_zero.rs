//! *pow2NotZero* (r15): a variable is never zero; nor negative.
//!
//! Doubled and halved variables are divisors and strides, for which zero is the
//! exception that breaks a proof.

use duet_ir::IntCc;
use duet_vc::Expr;

use super::Rule;

/// The rule.
pub const RULE: Rule = Rule {
    name: "pow2NotZero",
    number: Some(15),
    lists_states: false,
    guess: |input| {
        let mut found = vec![];
        for (index, _, ty) in input.changing() {
            let param = || Expr::Param(index);
            found.push(Expr::compare(IntCc::Ne, param(), Expr::number(0, ty)));
            found.push(Expr::compare(IntCc::Sge, param(), Expr::number(1, ty)));
        }
        found
    },
};
