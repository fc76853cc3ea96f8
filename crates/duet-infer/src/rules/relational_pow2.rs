//! *relationalPow2* (r17): one variable is doubled while another is halved, so their
//! product stays what it was, until the halved one is gone.
//!
//! The paper guesses which power of two the product is, among fifteen; stated
//! against the values on entry there is nothing to guess, and any factor will do.

use duet_analysis::ClosedForm;
use duet_ir::{BinaryOp, IntCc, Type};
use duet_vc::Expr;

use super::Rule;

/// The rule.
pub const RULE: Rule = Rule {
    name: "relationalPow2",
    number: Some(17),
    lists_states: false,
    guess: |input| {
        let mut found = vec![];
        for (up, growing, ty) in input.integers() {
            let Some(ClosedForm::ShiftLeft { by }) = input.view.forms.get(growing) else {
                continue;
            };
            for (down, falling, other) in input.integers() {
                let form = input.view.forms.get(falling);
                let listed = [growing, falling].iter().all(|value| input.listed.contains(value));
                if ty == other
                    && !listed
                    && matches!(form, Some(ClosedForm::ShiftRight { by: back, .. }) if back == by)
                {
                    found.extend(relations(up, down, ty));
                }
            }
        }
        found
    },
};

fn relations(up: usize, down: usize, ty: Type) -> [Expr; 2] {
    let product = |a, b| Expr::binary(BinaryOp::Mul, a, b, ty);
    let same = Expr::compare(
        IntCc::Eq,
        product(Expr::Param(up), Expr::Param(down)),
        product(Expr::Initial(up), Expr::Initial(down)),
    );
    let gone = Expr::compare(IntCc::Eq, Expr::Param(down), Expr::number(0, ty));
    [same.clone(), Expr::Any(vec![gone, same])]
}
