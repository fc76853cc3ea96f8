//! A counter with a symbolic step is its first value plus so many steps over the
//! integers, not only modulo 2^w.
//!
//! `for (int i = global id; i < n; i += threads)` keeps threads apart only if `i`
//! never wraps. Stated with the count of visits, which is bounded so that the product
//! does not wrap either: after 2^32 steps a counter of 32 bits has wrapped, unless its
//! step is zero. Read without sign: a signed counter that stays positive is one too.
//!
//! A counter of 64 bits (`size_t i`, with a step of 32 bits) needs no more than that bound on
//! the visits: its first value and so many steps stay below 2^64.
//!
//! A counter whose step is a number of two or more is bounded by numbers in another way:
//! a range of so many values has room for so many steps. With steps of 16 and values
//! below 32 there are two visits, and `16 * visits` does not wrap.

use duet_analysis::{ClosedForm, Range};
use duet_ir::{BinaryOp, CastOp, IntCc, Type};
use duet_vc::Expr;

use super::Rule;
use crate::LoopInput;

/// The width that counters are compared in.
const WIDE: Type = Type::Int(64);

/// The rule.
pub const RULE: Rule = Rule {
    name: "countsWithoutWrap",
    number: None,
    lists_states: false,
    guess: |input| {
        let counters = input.changing().into_iter().filter(|(_, _, ty)| *ty == Type::Int(32));
        let stated = counters.filter_map(|(index, param, ty)| {
            let step = symbolic_step(input, param)?;
            Some(ideal(index, ty, &step))
        });
        let mut stated: Vec<Expr> = stated.collect();
        let is_long = |&(_, param, ty): &(usize, _, Type)| {
            ty == WIDE && symbolic_step(input, param).is_some()
        };
        if !stated.is_empty() || input.changing().iter().any(is_long) {
            stated.push(Expr::compare(IntCc::Ult, Expr::Visits, Expr::number(1 << 32, WIDE)));
        }
        let least = input.changing().into_iter().filter_map(|(_, param, ty)| {
            let step = large_step(input, param, ty)?;
            let header = input.view.loops.data(input.view.id).header;
            let range = input.kernel.ranges.at(param, header)?;
            (!range.is_empty()).then(|| room(range) / step)
        });
        stated.extend(
            least
                .min()
                .map(|most| Expr::compare(IntCc::Ule, Expr::Visits, Expr::number(most, WIDE))),
        );
        stated
    },
};

/// How far apart the values of a range are.
fn room(range: Range) -> u128 {
    let ((low, high), (least, greatest)) = (range.unsigned(), range.signed());
    (high - low).min((greatest - least) as u128)
}

/// The distance between two values of a counter, if it is a number other than one.
fn large_step(input: &LoopInput<'_>, param: duet_ir::Value, ty: Type) -> Option<u128> {
    let Some(ClosedForm::Affine { step }) = input.view.forms.get(param) else { return None };
    let Expr::Const { bits, .. } = input.view.sum(step)? else { return None };
    let width = ty.bits().filter(|width| *width <= 32)?;
    let distance = bits.min((1 << width) - bits);
    (distance > 1).then_some(distance)
}

fn symbolic_step(input: &LoopInput<'_>, param: duet_ir::Value) -> Option<Expr> {
    let Some(ClosedForm::Affine { step }) = input.view.forms.get(param) else { return None };
    let step = input.view.sum(step)?;
    (!matches!(step, Expr::Const { .. })).then_some(step)
}

/// `wide(p) = wide(p') + visits * wide(step)`.
fn ideal(index: usize, ty: Type, step: &Expr) -> Expr {
    let wide = |arg: Expr| Expr::Cast { op: CastOp::ZExt, arg: Box::new(arg), from: ty, to: WIDE };
    let distance = Expr::binary(BinaryOp::Mul, Expr::Visits, wide(step.clone()), WIDE);
    let sum = Expr::binary(BinaryOp::Add, wide(Expr::Initial(index)), distance, WIDE);
    Expr::compare(IntCc::Eq, wide(Expr::Param(index)), sum)
}
