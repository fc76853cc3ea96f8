//! The range of a bound variable, read off the guard of its quantifier: replay counts
//! through it, so there must be one.

use crate::tree::{BinaryOp, Binder, Expr, ExprKind, Quantifier};

/// What bounds one variable. None of the expressions mentions it or a later one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bounds<'e> {
    /// It is at least each of these, or greater where the flag says so.
    pub from: Vec<(&'e Expr, bool)>,
    /// It is at most each of these, or less where the flag says so.
    pub to: Vec<(&'e Expr, bool)>,
    /// It is not negative, by its type.
    pub not_negative: bool,
}

impl Bounds<'_> {
    /// Is there a bound on either side?
    pub fn is_bounded(&self) -> bool {
        (self.not_negative || !self.from.is_empty()) && !self.to.is_empty()
    }
}

/// The bounds of each variable of a quantifier, in order.
pub fn bounds_of<'e>(which: Quantifier, binders: &[Binder], body: &'e Expr) -> Vec<Bounds<'e>> {
    let guard = match which {
        Quantifier::Forall => guards(body),
        Quantifier::Exists => body.conjuncts(),
    };
    (0..binders.len()).map(|number| one(&binders[number], &binders[number + 1..], &guard)).collect()
}

/// What is true where the predicate can be false: `G ==> H ==> E` has G and H.
fn guards(body: &Expr) -> Vec<&Expr> {
    match &body.kind {
        ExprKind::Binary(BinaryOp::Implies, guard, then) => {
            let mut all = guard.conjuncts();
            all.extend(guards(then));
            all
        }
        ExprKind::Int(_)
        | ExprKind::Float(..)
        | ExprKind::Name(_)
        | ExprKind::Threads
        | ExprKind::Index(..)
        | ExprKind::Call(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Conditional(..)
        | ExprKind::Cast(..)
        | ExprKind::Old(_)
        | ExprKind::Quantified(..)
        | ExprKind::Fold(..)
        | ExprKind::Pow2(_)
        | ExprKind::IsPow2(_) => vec![],
    }
}

fn one<'e>(binder: &Binder, later: &[Binder], guard: &[&'e Expr]) -> Bounds<'e> {
    let mut bounds = Bounds { not_negative: binder.unsigned, ..Bounds::default() };
    let is_free = |expr: &Expr| {
        !expr.mentions(&binder.name) && !later.iter().any(|one| expr.mentions(&one.name))
    };
    for conjunct in guard {
        let ExprKind::Binary(op, left, right) = &conjunct.kind else { continue };
        let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(n) if *n == binder.name);
        let (other, op): (&'e Expr, BinaryOp) = match (is_it(left), is_it(right)) {
            (true, false) => (right, *op),
            (false, true) => (left, mirrored(*op)),
            _ => continue,
        };
        if !is_free(other) {
            continue;
        }
        match op {
            BinaryOp::Lt => bounds.to.push((other, true)),
            BinaryOp::Le => bounds.to.push((other, false)),
            BinaryOp::Gt => bounds.from.push((other, true)),
            BinaryOp::Ge => bounds.from.push((other, false)),
            BinaryOp::Eq => {
                bounds.to.push((other, false));
                bounds.from.push((other, false));
            }
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
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Implies => {}
        }
    }
    bounds
}

/// The relation with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other @ BinaryOp::Add
        | other @ BinaryOp::Sub
        | other @ BinaryOp::Mul
        | other @ BinaryOp::Div
        | other @ BinaryOp::Rem
        | other @ BinaryOp::Shl
        | other @ BinaryOp::Shr
        | other @ BinaryOp::BitAnd
        | other @ BinaryOp::BitOr
        | other @ BinaryOp::BitXor
        | other @ BinaryOp::Eq
        | other @ BinaryOp::Ne
        | other @ BinaryOp::And
        | other @ BinaryOp::Or
        | other @ BinaryOp::Implies => other,
    }
}
