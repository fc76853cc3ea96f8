//! *comparedBound*: a variable stays below what the loop compares it with.
//!
//! `if (++x >= n) x = 0;` keeps `x` below `n`, an argument or a size of the launch. The
//! test of the loop itself is `guardBefore`'s, and counters with one step have that; this
//! rule is for variables without a formula, which are compared inside the loop, as they
//! are or after a step. Bounds that are numbers are `valueRange`'s.

use duet_analysis::ClosedForm;
use duet_ir::{BinaryOp, InstData, IntCc, Value};
use duet_vc::Expr;

use super::Rule;
use crate::LoopInput;

/// The rule.
pub const RULE: Rule = Rule {
    name: "comparedBound",
    number: None,
    lists_states: false,
    guess: |input| {
        let mut found: Vec<Expr> = vec![];
        for (index, param, _) in input.changing() {
            if matches!(input.view.forms.get(param), Some(ClosedForm::Affine { .. })) {
                continue;
            }
            for (cc, bound) in bounds_of(input, param) {
                let below =
                    below(cc).map(|cc| Expr::compare(cc, Expr::Param(index), bound.clone()));
                let news: Vec<Expr> =
                    below.into_iter().filter(|one| !found.contains(one)).collect();
                found.extend(news);
            }
        }
        found
    },
};

/// What the loop compares a parameter with, and how, where that does not change.
fn bounds_of(input: &LoopInput<'_>, param: Value) -> Vec<(IntCc, Expr)> {
    let func = input.view.func;
    let blocks = &input.view.loops.data(input.view.id).blocks;
    let insts = blocks.iter().flat_map(|&block| &func.blocks[block].insts);
    let mut found = vec![];
    for &inst in insts {
        let InstData::IntCompare { cc, args: [a, b] } = func.insts[inst] else { continue };
        for (about, bound) in [(a, b), (b, a)] {
            if is_step_of(input, about, param) && func.const_bits(bound).is_none() {
                found.extend(input.view.unchanging(bound).map(|bound| (cc, bound)));
            }
        }
    }
    found
}

/// Is it the parameter, or that plus or minus something?
fn is_step_of(input: &LoopInput<'_>, value: Value, param: Value) -> bool {
    value == param
        || input.operation(value).is_some_and(|(op, [a, b])| {
            matches!(op, BinaryOp::Add | BinaryOp::Sub) && (a == param || b == param)
        })
}

/// Below or at most, read with a sign or without as the comparison does.
fn below(cc: IntCc) -> [IntCc; 2] {
    match cc {
        IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => [IntCc::Ult, IntCc::Ule],
        IntCc::Eq | IntCc::Ne | IntCc::Slt | IntCc::Sle | IntCc::Sgt | IntCc::Sge => {
            [IntCc::Slt, IntCc::Sle]
        }
    }
}
