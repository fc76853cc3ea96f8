//! Limits of products, such as `nx * ny * nz <= INT_MAX`, as facts of 64 bits.

use duet_smt::{TermId, TermPool};
use duet_spec::{BinaryOp, Expr, ExprKind};

/// More factors have too many products.
const MOST_FACTORS: usize = 4;

/// The factors of a product of three or more, what it is limited by, and whether it is below
/// that.
pub fn bounded_product(pred: &Expr) -> Option<(Vec<&Expr>, &Expr, bool)> {
    let ExprKind::Binary(op, a, b) = &pred.kind else { return None };
    let (product, limit, is_strict) = match op {
        BinaryOp::Le => (a, b, false),
        BinaryOp::Lt => (a, b, true),
        BinaryOp::Ge => (b, a, false),
        BinaryOp::Gt => (b, a, true),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Implies => return None,
    };
    let mut factors = vec![];
    flatten(product, &mut factors);
    (3..=MOST_FACTORS).contains(&factors.len()).then_some((factors, &**limit, is_strict))
}

fn flatten<'e>(expr: &'e Expr, factors: &mut Vec<&'e Expr>) {
    if let ExprKind::Binary(BinaryOp::Mul, a, b) = &expr.kind {
        flatten(a, factors);
        flatten(b, factors);
    } else {
        factors.push(expr);
    }
}

/// The products of every two or more of the factors are at most the limit, as terms of 64 bits.
///
/// Of factors that are at least 1, the product of some is at most that of all. It is at most
/// `limit`, an `int`, and so is each product on the way to it: none wraps at 64 bits.
// SOUNDNESS: a factor that is zero or negative bounds nothing (test `zero_bounds_no_product`).
pub fn products_of_some(pool: &mut TermPool, factors: &[TermId], limit: i32) -> Vec<TermId> {
    let limit = pool.bv(64, i128::from(limit) as u128);
    let some = (1..1usize << factors.len()).filter(|set| set.count_ones() >= 2);
    some.map(|set| {
        let mut product = pool.bv(64, 1);
        for (number, &factor) in factors.iter().enumerate() {
            if set >> number & 1 == 1 {
                product = pool.bits().mul(product, factor);
            }
        }
        pool.compare().sle(product, limit)
    })
    .collect()
}
