//! The range of an instruction's result, from the ranges of its operands at the
//! block.

use duet_ir::{
    BinaryOp, Block, CastOp, Dim, Geometry, GeometryKind, Inst, InstData, Operation, Reduction,
    Value,
};

use super::range::Range;
use super::{Solver, facts, width_of};
use crate::launch::MAX_THREADS_ALONG;

impl Solver<'_> {
    /// The range of each result.
    pub(super) fn transfer(&self, block: Block, inst: Inst, width: u8) -> Range {
        let at = |value: Value| self.result.at(value, block);
        match &self.func.insts[inst] {
            InstData::Binary { op, args: [a, b], .. } => match (at(*a), at(*b)) {
                (Some(x), Some(y)) => {
                    let range = Range::binary(*op, x, y);
                    self.limited(*op, *a, *b, range)
                }
                _ => Range::full(width),
            },
            InstData::Unary { op, arg } => {
                at(*arg).map_or(Range::full(width), |x| Range::unary(*op, x))
            }
            InstData::Cast { op, arg, .. } => {
                at(*arg).map_or(Range::full(width), |x| Range::cast(*op, x, width))
            }
            InstData::IntCompare { cc, args: [a, b] } => match (at(*a), at(*b)) {
                (Some(x), Some(y)) if x.is_empty() || y.is_empty() => Range::empty(width),
                (Some(x), Some(y)) => match Range::compare(*cc, x, y) {
                    Some(holds) => Range::single(u128::from(holds), width),
                    None => Range::full(width),
                },
                _ => Range::full(width),
            },
            InstData::Select { cond, args: [a, b] } => self.select(block, *cond, *a, *b, width),
            InstData::Geometry(geometry) => self.geometry(*geometry),
            InstData::BarrierReduce { op: Reduction::Count, .. } => {
                let along = |dim| u128::from(self.launch.block_dim(dim).1);
                let threads: u128 = Dim::ALL.into_iter().map(along).product();
                Range::of_unsigned(0, threads.min(u128::from(u32::MAX)) as i128, width)
            }
            InstData::BarrierReduce { op: Reduction::And | Reduction::Or, .. }
            | InstData::FloatCompare { .. }
            | InstData::Pure { .. }
            | InstData::Fresh { .. }
            | InstData::PtrToInt { .. }
            | InstData::IntToPtr { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::Atomic { .. }
            | InstData::Barrier { .. }
            | InstData::Fence { .. }
            | InstData::Exchange { .. }
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Assert { .. }
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => Range::full(width),
        }
    }

    /// Each side under the condition that picks it.
    fn select(&self, block: Block, cond: Value, a: Value, b: Value, width: u8) -> Range {
        let side = |value: Value, truth: bool| {
            let range = self.result.at(value, block)?;
            Some(self.refined(range, value, &facts::of_condition(self.func, cond, truth)))
        };
        let known = self.result.at(cond, block).and_then(|cond| cond.as_single());
        match (side(a, true), side(b, false), known) {
            (Some(x), _, Some(1)) => x,
            (_, Some(y), Some(0)) => y,
            (Some(x), Some(y), _) => x.join(y),
            _ => Range::full(width),
        }
    }

    fn geometry(&self, Geometry { kind, dim }: Geometry) -> Range {
        let between = |low: u32, high: u32| Range::of_unsigned(low.into(), high.into(), 32);
        let (block, grid) = (self.launch.block_dim(dim), self.launch.grid_dim(dim));
        match kind {
            GeometryKind::ThreadId => between(0, block.1.saturating_sub(1)),
            GeometryKind::BlockId => between(0, grid.1.saturating_sub(1)),
            GeometryKind::BlockDim => between(block.0, block.1),
            GeometryKind::GridDim => between(grid.0, grid.1),
            GeometryKind::GlobalOffset => {
                let offset = self.launch.global_offset[dim.index()];
                between(offset, offset)
            }
            GeometryKind::WorkDim => between(self.launch.work_dim, self.launch.work_dim),
        }
    }

    /// Cuts the range of a global id, of the first id of a block and of the number
    /// of threads by the limit on threads along a dimension, where it applies.
    fn limited(&self, op: BinaryOp, a: Value, b: Value, range: Range) -> Range {
        use BinaryOp::*;
        let limits = match op {
            Mul => self.limit_of_product(a, b),
            Add => self.limit_of_id(a, b).or_else(|| self.limit_of_id(b, a)),
            Sub | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub
            | FMul | FDiv | FRem => None,
        };
        match limits {
            Some((least, most)) if range.width() >= 32 && !range.is_empty() => {
                range.meet(Range::of_unsigned(least, most, range.width()))
            }
            _ => range,
        }
    }

    /// `block_id * block_dim` and `block_dim * grid_dim`.
    fn limit_of_product(&self, a: Value, b: Value) -> Option<(i128, i128)> {
        let (x, y) = (self.geometry_of(a)?, self.geometry_of(b)?);
        let kinds = (x.kind.min(y.kind), x.kind.max(y.kind));
        if x.dim != y.dim || !self.launch.limits_threads_along(x.dim) {
            return None;
        }
        let most = i128::from(MAX_THREADS_ALONG);
        match kinds {
            (GeometryKind::BlockId, GeometryKind::BlockDim) => Some((0, most - 1)),
            (GeometryKind::BlockDim, GeometryKind::GridDim) => Some((1, most)),
            _ => None,
        }
    }

    /// `block_id * block_dim + thread_id`.
    fn limit_of_id(&self, product: Value, id: Value) -> Option<(i128, i128)> {
        let thread = self.geometry_of(id).filter(|g| g.kind == GeometryKind::ThreadId)?;
        let Operation::Binary { op: BinaryOp::Mul, args: [a, b], .. } =
            self.func.operation_of(product)?
        else {
            return None;
        };
        let (x, y) = (self.geometry_of(a)?, self.geometry_of(b)?);
        let kinds = (x.kind.min(y.kind), x.kind.max(y.kind));
        let first_id = kinds == (GeometryKind::BlockId, GeometryKind::BlockDim);
        let fits = first_id && x.dim == thread.dim && y.dim == thread.dim;
        (fits && self.launch.limits_threads_along(thread.dim))
            .then_some((0, i128::from(MAX_THREADS_ALONG) - 1))
    }

    /// The id or size that a value is, extended or not. Its number is below 2^31
    /// where a size along its dimension is free, so both extensions keep it.
    fn geometry_of(&self, value: Value) -> Option<Geometry> {
        match self.func.operation_of(value)? {
            Operation::Geometry(geometry) => Some(geometry),
            Operation::Cast { op: CastOp::ZExt | CastOp::SExt, arg, .. } => {
                let small = self.result.of(arg)?.unsigned().1 <= u128::from(MAX_THREADS_ALONG);
                self.geometry_of(arg).filter(|_| small && width_of(self.func, value).is_some())
            }
            Operation::Cast { .. }
            | Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. } => None,
        }
    }
}
