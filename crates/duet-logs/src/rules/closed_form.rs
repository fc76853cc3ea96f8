//! *closedForm*: a counter is a function of the number of iterations. And what follows of its
//! remainder (*loopCounterIsStrided*, r10).

use duet_analysis::ClosedForm;
use duet_ir::Type;
use duet_vc::{Expr, LoopView};

/// What a closed form says of a parameter.
pub(crate) fn closed_forms(
    view: &LoopView<'_>,
    number: usize,
    ty: Type,
    form: Option<&ClosedForm>,
) -> Vec<(&'static str, Expr)> {
    use duet_ir::{BinaryOp, CastOp, IntCc};
    let (now, first) = (Expr::Param(number), Expr::Initial(number));
    let Some(form) = form else { return vec![] };
    match form {
        ClosedForm::Unchanged => {
            vec![("closedForm", Expr::compare(IntCc::Eq, now, first))]
        }
        ClosedForm::Affine { step } if ty.is_int() && ty != Type::BOOL => {
            let Some(step) = view.sum(step) else { return vec![] };
            let (wide, width) = (Type::Int(64), ty.bits().unwrap_or(64));
            let visits = match width.cmp(&64) {
                std::cmp::Ordering::Equal => Expr::Visits,
                std::cmp::Ordering::Less => Expr::Cast {
                    op: CastOp::Trunc,
                    arg: Box::new(Expr::Visits),
                    from: wide,
                    to: ty,
                },
                std::cmp::Ordering::Greater => return vec![],
            };
            let mut found = vec![];
            if let Expr::Const { bits, .. } = step {
                let low = 1u128 << bits.trailing_zeros().min(width - 1);
                if low > 1 {
                    let mask =
                        |expr| Expr::binary(BinaryOp::And, expr, Expr::number(low - 1, ty), ty);
                    let same = Expr::compare(IntCc::Eq, mask(now.clone()), mask(first.clone()));
                    found.push(("loopCounterIsStrided", same));
                }
            }
            let distance = Expr::binary(BinaryOp::Mul, visits, step, ty);
            let sum = Expr::binary(BinaryOp::Add, first, distance, ty);
            found.push(("closedForm", Expr::compare(IntCc::Eq, now, sum)));
            found
        }
        ClosedForm::Affine { .. }
        | ClosedForm::ShiftLeft { .. }
        | ClosedForm::ShiftRight { .. }
        | ClosedForm::Reflects { .. }
        | ClosedForm::Flips { .. }
        | ClosedForm::Swaps { .. }
        | ClosedForm::Follows { .. }
        | ClosedForm::Settles { .. } => vec![],
    }
}
