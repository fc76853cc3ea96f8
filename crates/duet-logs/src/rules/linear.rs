//! Offsets as sums, for the rules about them.
//!
//! Casts are looked through and wrap-around is not thought of: what is made of a sum is a
//! guess.

use std::collections::BTreeMap;

use duet_analysis::{ClosedForm, Extent, Loop};
use duet_ir::{BinaryOp, CastOp, Dim, GeometryKind, Operation, Type, Value};
use duet_vc::Expr;

use super::Input;

/// How deep a computation is followed.
const DEPTH: u32 = 24;

/// An offset as a sum.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sum {
    /// A number.
    pub constant: i128,
    /// Ids of the thread and of its block, each with its factor.
    pub ids: BTreeMap<(GeometryKind, Dim), i128>,
    /// Other values that the loop does not change.
    pub fixed: BTreeMap<Value, i128>,
    /// Values that it changes.
    pub varying: BTreeMap<Value, i128>,
}

impl Sum {
    fn add(&mut self, other: &Sum, factor: i128) {
        self.constant += factor * other.constant;
        let merge = |to: &mut BTreeMap<Value, i128>, from: &BTreeMap<Value, i128>| {
            from.iter().for_each(|(&key, own)| *to.entry(key).or_default() += factor * own);
        };
        merge(&mut self.fixed, &other.fixed);
        merge(&mut self.varying, &other.varying);
        for (&key, own) in &other.ids {
            *self.ids.entry(key).or_default() += factor * own;
        }
    }

    /// The number that it is, if it is one.
    fn number(&self) -> Option<i128> {
        let is_number = self.ids.is_empty() && self.fixed.is_empty() && self.varying.is_empty();
        is_number.then_some(self.constant)
    }
}

/// A number in the width of offsets.
pub(crate) fn number(input: &Input<'_, '_>, value: i128) -> Expr {
    let ty = pointer(input);
    let mask = u128::MAX >> (128 - ty.bits().unwrap_or(64));
    Expr::number(value as u128 & mask, ty)
}

/// The type of offsets.
pub(crate) fn pointer(input: &Input<'_, '_>) -> Type {
    input.lockstep.setting.facts.module.pointer_type()
}

/// An expression as wide as an offset.
fn widened(input: &Input<'_, '_>, expr: Expr, from: Type) -> Option<Expr> {
    let to = pointer(input);
    let (narrow, wide) = (from.bits()?, to.bits()?);
    Some(match narrow.cmp(&wide) {
        std::cmp::Ordering::Equal => expr,
        std::cmp::Ordering::Less => Expr::Cast { op: CastOp::SExt, arg: Box::new(expr), from, to },
        std::cmp::Ordering::Greater => {
            Expr::Cast { op: CastOp::Trunc, arg: Box::new(expr), from, to }
        }
    })
}

/// An id as wide as an offset.
pub(crate) fn id_expr(input: &Input<'_, '_>, (kind, dim): (GeometryKind, Dim)) -> Option<Expr> {
    widened(input, Expr::Geometry(kind, dim), Type::I32)
}

/// A sum of expressions, each with a factor.
pub(crate) fn sum_expr(input: &Input<'_, '_>, parts: Vec<(Expr, i128)>, constant: i128) -> Expr {
    let ty = pointer(input);
    parts.into_iter().fold(number(input, constant), |sum, (part, factor)| {
        let scaled = match factor {
            1 => part,
            _ => Expr::binary(BinaryOp::Mul, part, number(input, factor), ty),
        };
        Expr::binary(BinaryOp::Add, sum, scaled, ty)
    })
}

/// What the loop does not change of a sum, ids aside.
pub(crate) fn fixed_parts(input: &Input<'_, '_>, sum: &Sum) -> Option<Vec<(Expr, i128)>> {
    let func = input.lockstep.setting.facts.func;
    let part = |(&value, &factor): (&Value, &i128)| {
        Some((widened(input, Expr::Value(value), func.type_of(value))?, factor))
    };
    sum.fixed.iter().map(part).collect()
}

/// The ids of a sum.
pub(crate) fn id_parts(input: &Input<'_, '_>, sum: &Sum) -> Option<Vec<(Expr, i128)>> {
    let part = |(&id, &factor): (&(GeometryKind, Dim), &i128)| Some((id_expr(input, id)?, factor));
    sum.ids.iter().map(part).collect()
}

/// A parameter of the loop that grows by a number in each iteration.
pub(crate) fn stride(input: &Input<'_, '_>, value: Value) -> Option<(usize, i128)> {
    let facts = input.lockstep.setting.facts;
    let header = facts.loops.data(input.id).header;
    let index = facts.func.blocks[header].params.iter().position(|&param| param == value)?;
    let Some(ClosedForm::Affine { step }) = facts.forms.get(value) else { return None };
    let width = facts.func.type_of(value).bits()?;
    step.terms.is_empty().then(|| (index, duet_smt::to_signed(step.constant, width)))
}

/// A parameter on entry to the loop, as wide as an offset.
pub(crate) fn initial(input: &Input<'_, '_>, index: usize, value: Value) -> Option<Expr> {
    let ty = input.lockstep.setting.facts.func.type_of(value);
    widened(input, Expr::Initial(index), ty)
}

/// A value as a sum.
pub(crate) fn sum_of(input: &Input<'_, '_>, value: Value) -> Option<Sum> {
    follow(input, value, DEPTH)
}

fn follow(input: &Input<'_, '_>, value: Value, depth: u32) -> Option<Sum> {
    let facts = input.lockstep.setting.facts;
    let depth = depth.checked_sub(1)?;
    let width = facts.func.type_of(value).bits()?;
    if let Some(bits) = facts.func.const_bits(value) {
        let constant = duet_smt::to_signed(bits, width);
        return Some(Sum { constant, ..Sum::default() });
    }
    let as_atom = || {
        let mut sum = Sum::default();
        let home = facts.homes.of(value);
        let changes = |id: Loop| home.is_some_and(|block| facts.loops.contains(id, block));
        let to = if changes(input.id) { &mut sum.varying } else { &mut sum.fixed };
        to.insert(value, 1);
        Some(sum)
    };
    match facts.func.operation_of(value) {
        Some(Operation::Geometry(one)) => Some(geometry(input, one.kind, one.dim)),
        Some(Operation::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg, .. }) => {
            follow(input, arg, depth)
        }
        Some(Operation::Binary { op, args: [a, b], .. }) => {
            let (Some(x), Some(y)) = (follow(input, a, depth), follow(input, b, depth)) else {
                return as_atom();
            };
            let mut sum = Sum::default();
            match (op, x.number(), y.number()) {
                (BinaryOp::Add, ..) => {
                    sum.add(&x, 1);
                    sum.add(&y, 1);
                }
                (BinaryOp::Sub, ..) => {
                    sum.add(&x, 1);
                    sum.add(&y, -1);
                }
                (BinaryOp::Mul, _, Some(factor)) => sum.add(&x, factor),
                (BinaryOp::Mul, Some(factor), _) => sum.add(&y, factor),
                (BinaryOp::Shl, _, Some(by @ 0..=40)) => sum.add(&x, 1 << by),
                _ => return as_atom(),
            }
            Some(sum)
        }
        _ => as_atom(),
    }
}

/// A size that is given is a number.
fn geometry(input: &Input<'_, '_>, kind: GeometryKind, dim: Dim) -> Sum {
    let launch = &input.launch;
    let extent = match kind {
        GeometryKind::BlockDim => launch.block[dim.index()],
        GeometryKind::GridDim => launch.grid[dim.index()],
        GeometryKind::GlobalOffset => Extent::Number(launch.global_offset[dim.index()]),
        GeometryKind::WorkDim => Extent::Number(launch.work_dim),
        GeometryKind::ThreadId | GeometryKind::BlockId => Extent::Free,
    };
    match extent {
        Extent::Number(number) => Sum { constant: i128::from(number), ..Sum::default() },
        Extent::Free => Sum { ids: BTreeMap::from([((kind, dim), 1)]), ..Sum::default() },
    }
}
