//! Sums, products and counts of contracts as symbols.

use duet_ir::{FloatType, ScalarType};
use duet_smt::TermId;
use duet_spec::{BinaryOp, Expr, ExprKind, Fold, Type, UnaryOp, integer_function, math_function};

use super::numbers::{at_width, width_for};
use super::recursion::{called, is_recursive};
use super::{FoldTerm, Result, SpecTerm, Terms};

/// Does a sum or the like occur?
pub fn has_fold(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Fold(..)) || expr.children().into_iter().any(has_fold)
}

/// Does a division occur whose divisor is not a number other than zero? A function of
/// contracts may hide one.
pub fn has_division(expr: &Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) => {
            !matches!(by.kind, ExprKind::Int(number) if number != 0)
        }
        ExprKind::Call(name, _) => {
            math_function(name).is_none() && integer_function(name).is_none()
        }
        ExprKind::Int(_)
        | ExprKind::Float(..)
        | ExprKind::Name(_)
        | ExprKind::Threads
        | ExprKind::Index(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Conditional(..)
        | ExprKind::Cast(..)
        | ExprKind::Old(_)
        | ExprKind::Quantified(..)
        | ExprKind::Fold(..)
        | ExprKind::Pow2(_)
        | ExprKind::IsPow2(_) => false,
    };
    own || expr.children().into_iter().any(has_division)
}

/// All sums of terms with these values, as many as the range has at most.
fn all_sums((low, high): (i128, i128), range: (i128, i128)) -> Option<(i128, i128)> {
    let most = range.1.checked_sub(range.0)?.max(0);
    Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?))
}

impl Terms<'_, '_> {
    /// May the integer be one that no type of C holds: a sum, or a function that calls itself?
    pub(super) fn is_unbounded(&self, expr: &Expr) -> bool {
        let all = self.bound.logic();
        let of = |name: &String| {
            all.get(name.as_str()).is_some_and(|logic| is_recursive(logic) || has_fold(&logic.body))
        };
        has_fold(expr) || called(&all, expr).iter().any(of)
    }

    /// A call modulo 2^w.
    fn modular_call(&mut self, name: &str, args: &[Expr], ty: ScalarType) -> Result<TermId> {
        let logic = self.bound.logic();
        let Some(&logic) = logic.get(name) else { return Err(format!("`{name}` is unknown")) };
        let values = self.arguments(logic, args)?;
        let value = match self.inner_call(name, &values, Some(ty)) {
            Some(inner) => inner?,
            None if is_recursive(logic) => self.recursive_call(logic, values, Some(ty))?,
            None if logic.result == Type::Int => {
                return self.in_body(logic, values, |terms| terms.modular(&logic.body, ty));
            }
            None => return Err(format!("`{name}` is no integer")),
        };
        // SOUNDNESS: a conversion of a float is not its bits (kernels/prove/traps/80-float-as-bits).
        if matches!(value, SpecTerm::Float(..)) {
            return Err(format!("`{name}` is no integer"));
        }
        let (term, _) = self.as_int(value);
        Ok(at_width(&mut self.walker.pool, term, 8 * ty.bytes()))
    }

    /// An integer modulo 2^w, w the width of a type: sums, differences and products of it are
    /// those of their operands modulo 2^w.
    pub(super) fn modular(&mut self, expr: &Expr, ty: ScalarType) -> Result<TermId> {
        let width = 8 * ty.bytes();
        match &expr.kind {
            ExprKind::Fold(..) => match self.fold(expr, Some(ty))? {
                SpecTerm::Int(term, _) => Ok(self.walker.pool.bits().sext_or_trunc(term, width)),
                SpecTerm::Float(..) | SpecTerm::Bool(_) | SpecTerm::Array(..) => {
                    Err("a conversion from float to integer is not covered yet".into())
                }
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b)
                if self.is_unbounded(expr) =>
            {
                let (a, b) = (self.modular(a, ty)?, self.modular(b, ty)?);
                let pool = &mut self.walker.pool;
                Ok(match op {
                    BinaryOp::Add => pool.bits().add(a, b),
                    BinaryOp::Sub => pool.bits().sub(a, b),
                    BinaryOp::Mul
                    | BinaryOp::Div
                    | BinaryOp::Rem
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Implies => pool.bits().mul(a, b),
                })
            }
            ExprKind::Conditional(cond, a, b) if self.is_unbounded(expr) => {
                let cond = self.truth(cond)?;
                let (a, b) = (self.modular(a, ty)?, self.modular(b, ty)?);
                Ok(self.walker.pool.ite(cond, a, b))
            }
            ExprKind::Unary(UnaryOp::Minus, arg) if self.is_unbounded(arg) => {
                let arg = self.modular(arg, ty)?;
                let pool = &mut self.walker.pool;
                let zero = pool.bv(width, 0);
                Ok(pool.bits().sub(zero, arg))
            }
            ExprKind::Old(arg) if self.is_unbounded(arg) => {
                let before = std::mem::replace(&mut self.initial, true);
                let value = self.modular(arg, ty);
                self.initial = before;
                value
            }
            ExprKind::Call(name, args) if self.is_unbounded(expr) => {
                self.modular_call(name, args, ty)
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
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => {
                let (term, _) = self.integer(expr)?;
                Ok(self.walker.pool.bits().sext_or_trunc(term, width))
            }
        }
    }

    /// A sum or a count: of floats, or of integers modulo a power of two.
    pub(super) fn fold(&mut self, expr: &Expr, cast: Option<ScalarType>) -> Result<SpecTerm> {
        let (fold, binder, from, to, body) = match &expr.kind {
            ExprKind::Fold(
                fold @ (Fold::Sum | Fold::Prod | Fold::Min | Fold::Max),
                binder,
                from,
                to,
                body,
            ) => (*fold, binder, from, to, (**body).clone()),
            ExprKind::Fold(Fold::Count, binder, from, to, pred) => {
                let number =
                    |number| Box::new(Expr { kind: ExprKind::Int(number), span: expr.span });
                let kind = ExprKind::Conditional(pred.clone(), number(1), number(0));
                (Fold::Sum, binder, from, to, Expr { kind, span: pred.span })
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
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => {
                return Err("this is no fold".into());
            }
        };
        // SOUNDNESS: the body is a function of the index; a division that may be by zero would
        // be another unknown at each mention (test `division_in_a_sum_is_not_stated`).
        if has_fold(&body) {
            return Err("a sum within a sum is not covered by proofs yet".into());
        }
        if has_division(&body) {
            return Err("a division in a sum is covered only by a number other than 0".into());
        }
        let ((from, low), (to, high)) = (self.integer(from)?, self.integer(to)?);
        let range = (low.0, high.1);
        let is_small = |one: i128| one.abs() < 1 << 61;
        if ![low.0, low.1, high.0, high.1].into_iter().all(is_small) {
            return Err("the range of a sum may be too large".into());
        }
        let pool = &mut self.walker.pool;
        let (from, to) = (at_width(pool, from, 64), at_width(pool, to, 64));
        // The type of the body, at some index.
        let index = pool.fresh(&binder.name, duet_smt::Sort::BitVec(64));
        self.variables.push((binder.name.clone(), SpecTerm::Int(index, range)));
        let sides = self.sides.len();
        let sample = self.term(&body);
        // Only the type of it is used.
        self.sides.truncate(sides);
        self.variables.pop();
        let is_choice = matches!(fold, Fold::Min | Fold::Max);
        let mut values = (0, 0);
        let (width, float) = match (sample?, cast) {
            (SpecTerm::Float(_, FloatType::F32), None) => (32, Some(FloatType::F32)),
            (SpecTerm::Float(_, FloatType::F64), None) => (64, Some(FloatType::F64)),
            (SpecTerm::Int(_, own), _) if is_choice => {
                values = own;
                let is_int = own.0 >= i128::from(i32::MIN) && own.1 <= i128::from(i32::MAX);
                (if is_int { 32 } else { width_for(own)? }, None)
            }
            (SpecTerm::Int(..), Some(ty)) => (8 * ty.bytes(), None),
            // SOUNDNESS: of mathematical integers only if the width holds every sum of so many
            // terms (kernels/prove/sum-of-integers-wrong).
            (SpecTerm::Int(_, own), None) if fold == Fold::Sum => {
                values = all_sums(own, range).ok_or(
                    "a sum of integers may be too large here: state it as `(int)\\sum(…)`",
                )?;
                (width_for(values)?, None)
            }
            _ => {
                return Err(
                    "a product of integers is covered only modulo 2^w, as `(int)\\prod(…)`".into(),
                );
            }
        };
        let pool = &mut self.walker.pool;
        let symbol = pool.fresh("sum", duet_smt::Sort::BitVec(width));
        let one = match float {
            Some(FloatType::F64) => u128::from(1f64.to_bits()),
            Some(FloatType::F16 | FloatType::BF16 | FloatType::F32) => u128::from(1f32.to_bits()),
            None => 1,
        };
        let unit = match fold {
            Fold::Sum | Fold::Count => pool.bv(width, 0),
            Fold::Prod => pool.bv(width, one),
            Fold::Min => pool.bv(width, values.1 as u128),
            Fold::Max => pool.bv(width, values.0 as u128),
        };
        self.folds.push(FoldTerm {
            symbol,
            variable: binder.name.clone(),
            body,
            from,
            to,
            range,
            variables: self.variables.clone(),
            float,
            fold,
            unit,
            initial: self.initial,
        });
        match (float, cast) {
            (Some(ty), _) => Ok(SpecTerm::Float(symbol, ty)),
            (None, Some(ty)) if !is_choice => self.of_bits(symbol, ty),
            (None, _) => {
                let term = at_width(&mut self.walker.pool, symbol, width.max(64));
                Ok(SpecTerm::Int(term, values))
            }
        }
    }
}
