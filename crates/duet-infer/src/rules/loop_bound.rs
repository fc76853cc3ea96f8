//! *loopBound* (r9): a counter only grows, or only falls.
//!
//! For each integer that the loop changes: it is at most, or at least, what it was
//! on entry, read with and without sign. The bound on the other side is
//! `guardBefore`'s.

use duet_ir::IntCc;
use duet_vc::Expr;

use super::Rule;

/// The rule.
pub const RULE: Rule = Rule {
    name: "loopBound",
    number: Some(9),
    lists_states: false,
    guess: |input| {
        let orders = [IntCc::Sge, IntCc::Sle, IntCc::Uge, IntCc::Ule];
        let against = |index, cc| Expr::compare(cc, Expr::Param(index), Expr::Initial(index));
        let changing = input.changing();
        let counters = changing.iter();
        counters.flat_map(|&(index, ..)| orders.map(|cc| against(index, cc))).collect()
    },
};
