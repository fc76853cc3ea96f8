//! *guardBefore*: this is the first visit, or the header's test let the visit before
//! pass.
//!
//! It is the bound that *loopBound* (r9) does not give: with `i < n` at the header
//! and a step of `s`, a later visit has `i - s < n`. Stated as the test with every
//! counter one step back, it needs no knowledge of the test's form.

use duet_analysis::ClosedForm;
use duet_ir::{BinaryOp, IntCc, Terminator, Type, Value};
use duet_vc::Expr;

use super::Rule;
use crate::LoopInput;

/// The rule.
pub const RULE: Rule = Rule {
    name: "guardBefore",
    number: None,
    lists_states: false,
    guess: |input| guess(input).into_iter().collect(),
};

fn guess(input: &LoopInput<'_>) -> Option<Expr> {
    let view = &input.view;
    let header = view.loops.data(view.id).header;
    let Terminator::Branch { cond, then, otherwise } = &view.func.blocks[header].terminator else {
        return None;
    };
    let stays = |block| view.loops.contains(view.id, block);
    let positive = match (stays(then.block), stays(otherwise.block)) {
        (true, false) => true,
        (false, true) => false,
        _ => return None,
    };
    let before: Vec<Option<Expr>> =
        (0..view.params().len()).map(|index| one_step_back(input, index)).collect();
    let tested = params_behind(input, *cond);
    if tested.iter().any(|&index| before[index].is_none()) {
        return None;
    }
    let counters = (0..before.len()).filter(|&index| is_counter(input, index));
    let first: Vec<Expr> = counters
        .map(|index| Expr::compare(IntCc::Eq, Expr::Param(index), Expr::Initial(index)))
        .collect();
    if first.is_empty() {
        return None;
    }
    // Parameters that the test does not look at stay what they are.
    let params = before.into_iter().enumerate();
    let params = params.map(|(index, expr)| expr.unwrap_or(Expr::Param(index))).collect();
    let held = Expr::InHeader { value: *cond, params };
    let held = if positive { held } else { Expr::Not(Box::new(held)) };
    Some(Expr::Any(vec![Expr::All(first), held]))
}

fn is_counter(input: &LoopInput<'_>, index: usize) -> bool {
    let form = input.view.forms.get(input.view.params()[index]);
    matches!(form, Some(ClosedForm::Affine { .. }))
}

/// A parameter at the visit before, where that can be told.
fn one_step_back(input: &LoopInput<'_>, index: usize) -> Option<Expr> {
    let value = input.view.params()[index];
    let ty = input.view.func.type_of(value);
    match input.view.forms.get(value)? {
        ClosedForm::Unchanged => Some(Expr::Param(index)),
        ClosedForm::Affine { step } if ty.is_int() && ty != Type::BOOL => {
            let step = input.view.sum(step)?;
            Some(Expr::binary(BinaryOp::Sub, Expr::Param(index), step, ty))
        }
        ClosedForm::Affine { .. }
        | ClosedForm::ShiftLeft { .. }
        | ClosedForm::ShiftRight { .. }
        | ClosedForm::Reflects { .. }
        | ClosedForm::Flips { .. }
        | ClosedForm::Swaps { .. }
        | ClosedForm::Follows { .. }
        | ClosedForm::Settles { .. } => None,
    }
}

/// The header's parameters that a value of the header depends on.
fn params_behind(input: &LoopInput<'_>, value: Value) -> Vec<usize> {
    let (mut found, mut open, mut seen) = (vec![], vec![value], vec![]);
    while let Some(value) = open.pop() {
        if seen.contains(&value) || input.view.is_before(value) {
            continue;
        }
        seen.push(value);
        if let Some(index) = input.view.param_number(value) {
            found.push(index);
        } else if let Some(data) = input.view.func.definition(value) {
            open.extend(data.values());
        }
    }
    found
}
