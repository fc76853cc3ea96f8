//! Values that a loop does not change, as expressions over what is known at its
//! header.
//!
//! A step such as the `w` of `p += w` is often computed inside the loop, from
//! operands that don't change: at the header it has to be computed from these.

use std::ops::Deref;

use duet_analysis::{ClosedForm, Linear, Loop};
use duet_ir::{BinaryOp, CastOp, Operation, Type, Value};
use duet_product::KernelFacts;

use crate::statement::Expr;

/// How deep an expression may go.
const DEPTH: u32 = 24;

/// A loop, seen from its header.
#[derive(Clone, Copy)]
pub struct LoopView<'a> {
    /// The kernel.
    pub facts: &'a KernelFacts<'a>,
    /// The loop.
    pub id: Loop,
}

impl<'a> Deref for LoopView<'a> {
    type Target = KernelFacts<'a>;

    fn deref(&self) -> &KernelFacts<'a> {
        self.facts
    }
}

impl LoopView<'_> {
    /// The parameters of the header.
    pub fn params(&self) -> &[Value] {
        &self.func.blocks[self.loops.data(self.id).header].params
    }

    /// The number of a header's parameter.
    pub fn param_number(&self, value: Value) -> Option<usize> {
        self.params().iter().position(|&param| param == value)
    }

    /// Is the value computed before the loop?
    pub fn is_before(&self, value: Value) -> bool {
        self.homes.of(value).is_none_or(|block| !self.loops.contains(self.id, block))
    }

    /// A value that the loop does not change; `None` if it may, or cannot be told.
    pub fn unchanging(&self, value: Value) -> Option<Expr> {
        self.unchanging_to(value, DEPTH)
    }

    fn unchanging_to(&self, value: Value, depth: u32) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        let ty = self.func.type_of(value);
        if let Some(bits) = self.func.const_bits(value) {
            return Some(Expr::number(bits, ty));
        }
        if self.is_before(value) {
            return Some(Expr::Value(value));
        }
        if let Some(index) = self.param_number(value) {
            let unchanged = self.forms.get(value) == Some(&ClosedForm::Unchanged);
            return unchanged.then_some(Expr::Param(index));
        }
        let arg = |value: Value| self.unchanging_to(value, depth);
        match self.func.operation_of(value)? {
            Operation::Geometry(geometry) => Some(Expr::Geometry(geometry.kind, geometry.dim)),
            Operation::Binary { op, args: [a, b], .. } if !op.is_float() => {
                let fails = op.may_fail() && self.func.const_bits(b).is_none_or(|bits| bits == 0);
                (!fails).then_some(())?;
                Some(Expr::binary(op, arg(a)?, arg(b)?, ty))
            }
            Operation::Cast { op, arg: from, to } if is_resize(op) => {
                let (from, arg) = (self.func.type_of(from), Box::new(arg(from)?));
                Some(Expr::Cast { op, arg, from, to })
            }
            Operation::Binary { .. }
            | Operation::Cast { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. } => None,
        }
    }

    /// A sum of values that the loop does not change.
    pub fn sum(&self, sum: &Linear) -> Option<Expr> {
        if sum.width == 0 {
            return self.unchanging(sum.as_value()?);
        }
        let ty = Type::Int(sum.width);
        let mut total = (sum.constant != 0).then(|| Expr::number(sum.constant, ty));
        for (&value, &factor) in &sum.terms {
            let mut part = self.narrowed(value, ty)?;
            if factor != 1 {
                part = Expr::binary(BinaryOp::Mul, part, Expr::number(factor, ty), ty);
            }
            total = Some(match total {
                Some(total) => Expr::binary(BinaryOp::Add, total, part, ty),
                None => part,
            });
        }
        Some(total.unwrap_or_else(|| Expr::number(0, ty)))
    }

    /// The low bits of a value.
    fn narrowed(&self, value: Value, ty: Type) -> Option<Expr> {
        let (from, expr) = (self.func.type_of(value), self.unchanging(value)?);
        Some(match from == ty {
            true => expr,
            false => Expr::Cast { op: CastOp::Trunc, arg: Box::new(expr), from, to: ty },
        })
    }
}

fn is_resize(op: CastOp) -> bool {
    matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt)
}
