//! *loopCounterIsStrided* (r10): a counter differs from its first value by a
//! multiple of its stride.
//!
//! A counter with one step has a closed form, which says this and more, for any
//! stride and width. The rule is for those that have several: `p += c ? 64 : 128`,
//! or a `continue` with a step of its own. All steps must be multiples of a power of
//! two, whose low bits then never change.

use duet_analysis::ClosedForm;
use duet_ir::{BinaryOp, IntCc, Type, Value, ValueDef};
use duet_vc::Expr;

use super::Rule;
use crate::LoopInput;

/// The rule.
pub const RULE: Rule = Rule {
    name: "loopCounterIsStrided",
    number: Some(10),
    lists_states: false,
    guess: |input| {
        let mut found = vec![];
        for (index, param, ty) in input.changing() {
            if !matches!(input.view.forms.get(param), Some(ClosedForm::Affine { .. })) {
                let zeros = |next| zeros_of_step(input, param, next, 8);
                let least = input.next_values(index).into_iter().map(zeros).min().flatten();
                found.extend(least.and_then(|zeros| same_low_bits(index, ty, zeros)));
            }
        }
        found
    },
};

/// The lowest bits that a step leaves alone; none if it is no step.
fn zeros_of_step(input: &LoopInput<'_>, param: Value, next: Value, depth: u32) -> Option<u32> {
    let func = input.view.func;
    let depth = depth.checked_sub(1)?;
    if next == param {
        return Some(u32::MAX);
    }
    if let Some((BinaryOp::Add | BinaryOp::Sub, [a, b])) = input.operation(next) {
        let by = |value: Value| match func.const_bits(value) {
            Some(bits) => bits.trailing_zeros(),
            None => scaled_by(input, value),
        };
        if let Some(rest) = zeros_of_step(input, param, a, depth) {
            return Some(rest.min(by(b)));
        }
        return zeros_of_step(input, param, b, depth).map(|rest| rest.min(by(a)));
    }
    // Where ways through the loop's body meet.
    let ValueDef::BlockParam(block, index) = func.values[next] else { return None };
    if !input.view.loops.contains(input.view.id, block) || input.view.param_number(next).is_some() {
        return None;
    }
    let mut least = None;
    for &from in &input.view.loops.data(input.view.id).blocks {
        for edge in func.blocks[from].terminator.edges() {
            if edge.block == block {
                let zeros = zeros_of_step(input, param, edge.args[index as usize], depth)?;
                least = Some(least.map_or(zeros, |least: u32| least.min(zeros)));
            }
        }
    }
    least
}

/// The lowest bits that are zero because of a factor or a shift.
fn scaled_by(input: &LoopInput<'_>, value: Value) -> u32 {
    let func = input.view.func;
    match input.operation(value) {
        Some((BinaryOp::Mul, args)) => {
            let factors = args.into_iter().filter_map(|arg| func.const_bits(arg));
            factors.map(u128::trailing_zeros).max().unwrap_or(0)
        }
        Some((BinaryOp::Shl, [_, by])) => func.const_bits(by).map_or(0, |by| by.min(127) as u32),
        _ => 0,
    }
}

fn same_low_bits(index: usize, ty: Type, zeros: u32) -> Option<Expr> {
    let width = ty.bits()?;
    let mask = (1u128 << zeros.min(width.min(127))) - 1;
    let low = |expr| Expr::binary(BinaryOp::And, expr, Expr::number(mask, ty), ty);
    (zeros > 0 && zeros < width)
        .then(|| Expr::compare(IntCc::Eq, low(Expr::Param(index)), low(Expr::Initial(index))))
}
