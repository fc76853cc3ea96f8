//! *enumeratedStates*: the counters of a nest of loops run through these tuples.
//!
//! Where a counter is doubled, halved or otherwise no arithmetic sequence, and sizes
//! and arguments are known, its values are few and can be listed ([`crate::States`]),
//! together with those of the counters beside and around it. The disjunction is
//! exact where the paper's rules r14, r15 and r17 only say "a power of two": with
//! each tuple in turn the index arithmetic is that of constants.

use duet_analysis::ClosedForm;
use duet_ir::{IntCc, Value};
use duet_vc::Expr;

use super::Rule;
use crate::LoopInput;

/// The rule.
pub const RULE: Rule = Rule {
    name: "enumeratedStates",
    number: None,
    lists_states: true,
    guess: |input| {
        let Some(states) = input.states.of(input.view.id) else { return vec![] };
        let is_own = |value: &Value| input.view.param_number(*value).is_some();
        if !states.values.iter().any(|value| is_own(value) && !has_closed_form(input, *value)) {
            return vec![];
        }
        let tuple = |bits: &Vec<u128>| {
            let parts = states.values.iter().zip(bits);
            Expr::All(parts.map(|(&value, &bits)| is(input, value, bits)).collect())
        };
        vec![Expr::Any(states.tuples.iter().map(tuple).collect())]
    },
};

/// Does the encoding know the parameter by a formula?
fn has_closed_form(input: &LoopInput<'_>, value: Value) -> bool {
    !matches!(
        input.view.forms.get(value),
        None | Some(ClosedForm::ShiftLeft { .. } | ClosedForm::ShiftRight { .. })
    )
}

fn is(input: &LoopInput<'_>, value: Value, bits: u128) -> Expr {
    let expr = match input.view.param_number(value) {
        Some(index) => Expr::Param(index),
        None => Expr::Value(value),
    };
    Expr::compare(IntCc::Eq, expr, Expr::number(bits, input.view.func.type_of(value)))
}
