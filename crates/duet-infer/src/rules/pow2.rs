//! *pow2* (r14): a variable that is doubled or halved is zero or a power of two.

use duet_ir::BinaryOp;
use duet_vc::Expr;

use super::Rule;
use crate::LoopInput;

/// The rule.
pub const RULE: Rule = Rule {
    name: "pow2",
    number: Some(14),
    lists_states: false,
    guess: |input| {
        let changing = input.changing().into_iter().map(|(index, ..)| index);
        let scaled = changing.filter(|&index| is_scaled(input, index));
        scaled.map(|index| Expr::AtMostOneBit(Box::new(Expr::Param(index)))).collect()
    },
};

/// Is the parameter shifted, multiplied or divided at a back edge?
pub(super) fn is_scaled(input: &LoopInput<'_>, index: usize) -> bool {
    use BinaryOp::{AShr, LShr, Mul, SDiv, Shl, UDiv};
    let scales = |op| matches!(op, Shl | LShr | AShr | Mul | UDiv | SDiv);
    let doubles = |op, [a, b]: [_; 2]| op == BinaryOp::Add && a == b;
    input
        .next_values(index)
        .into_iter()
        .any(|next| input.operation(next).is_some_and(|(op, args)| scales(op) || doubles(op, args)))
}
