//! What lanes of one warp have in common because warps are whole parts of the block.
//!
//! A warp is 32 threads with consecutive flat ids, the first of which is a multiple of 32. If
//! the block's width is a number that 32 divides, all of them are in one row, and their
//! `threadIdx.x` are 32 consecutive numbers from a multiple of 32 on: the bits above the lowest
//! five are the same. The same holds, modulo 2^w, of a sum of such a value and one that is the
//! same for all lanes and that 32 divides (`blockIdx.x * blockDim.x + threadIdx.x`), because
//! nothing is carried out of the lowest five bits; and of conversions and bitwise operations,
//! which treat the upper bits by themselves.
//!
//! From such a value a shift to the right by five or more, an unsigned quotient by a multiple
//! of 32 (`/ warpSize`), a mask without the lowest five bits and a comparison with a multiple of
//! 32 yield the same in all lanes. A signed quotient rounds towards zero, so it does only where
//! the value is `threadIdx.x` itself, which is never negative.
//!
//! SOUNDNESS: a row of 48 threads has lanes of two rows in one warp, so nothing is claimed of
//! it (files/uniformity/warps.duet, kernels/warp/uneven-row-bug.cu).

use duet_ir::{
    BinaryOp, Block, CastOp, Dim, Function, Geometry, GeometryKind, InstData, IntCc, Operation,
    Value,
};

use super::Scope;
use super::walk::Solver;

/// Lanes of a warp, and the bits of their number.
const LANES: u128 = 32;
const LANE_BITS: u128 = 5;
/// Operands that are looked through.
const MAX_DEPTH: usize = 16;

impl Solver<'_> {
    /// Do all lanes of a warp get one result, whatever lanes they are?
    pub(super) fn is_of_the_warp(&self, block: Block, data: &InstData) -> bool {
        if self.context.scope != Scope::Warp || !self.has_whole_rows() {
            return false;
        }
        match data.operation() {
            Some(Operation::Geometry(Geometry { kind, dim })) => {
                kind == GeometryKind::ThreadId && dim != Dim::X
            }
            Some(Operation::Binary { op, args: [a, b], .. }) => {
                let Some(bits) = self.context.func.const_bits(b) else { return false };
                let keeps_upper = match op {
                    BinaryOp::LShr | BinaryOp::AShr => bits >= LANE_BITS,
                    BinaryOp::UDiv | BinaryOp::And => bits % LANES == 0,
                    BinaryOp::SDiv => bits % LANES == 0 && self.is_thread_id(a, MAX_DEPTH),
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::URem
                    | BinaryOp::SRem
                    | BinaryOp::Shl
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::FAdd
                    | BinaryOp::FSub
                    | BinaryOp::FMul
                    | BinaryOp::FDiv
                    | BinaryOp::FRem => false,
                };
                // A shift by the width or more, and a quotient by zero, are no numbers.
                let width = self.context.func.type_of(a).bits().map_or(0, u128::from);
                let is_shift = matches!(op, BinaryOp::LShr | BinaryOp::AShr);
                let is_defined = if is_shift { bits < width } else { bits != 0 };
                keeps_upper && is_defined && self.is_alike_above(a, block, MAX_DEPTH)
            }
            Some(Operation::IntCompare { cc, args: [a, b] }) => {
                let Some(bits) = self.context.func.const_bits(b) else { return false };
                let splits_warps = match cc {
                    IntCc::Ult | IntCc::Uge | IntCc::Slt | IntCc::Sge => bits % LANES == 0,
                    IntCc::Ule | IntCc::Ugt | IntCc::Sle | IntCc::Sgt => bits % LANES == LANES - 1,
                    IntCc::Eq | IntCc::Ne => false,
                };
                splits_warps && self.is_alike_above(a, block, MAX_DEPTH)
            }
            Some(
                Operation::Unary { .. }
                | Operation::Cast { .. }
                | Operation::FloatCompare { .. }
                | Operation::Select { .. },
            )
            | None => false,
        }
    }

    /// Does 32 divide the width of a block?
    fn has_whole_rows(&self) -> bool {
        self.context.options.block_width.is_some_and(|width| u128::from(width) % LANES == 0)
    }

    /// Are the bits above the lowest five the same for all lanes, at the same visit of the
    /// block?
    fn is_alike_above(&self, value: Value, block: Block, depth: usize) -> bool {
        if !self.value_at(value, block) {
            return true;
        }
        let func = self.context.func;
        if depth == 0 || !is_wide(func, value) {
            return false;
        }
        let alike = |value: Value| self.is_alike_above(value, block, depth - 1);
        match func.operation_of(value) {
            Some(Operation::Geometry(Geometry { kind: GeometryKind::ThreadId, dim: Dim::X })) => {
                true
            }
            Some(Operation::Cast {
                op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg, ..
            }) => is_wide(func, arg) && alike(arg),
            Some(Operation::Binary { op: BinaryOp::Add, args: [a, b], .. }) => {
                let shifts =
                    |by: Value| !self.value_at(by, block) && self.is_multiple(by, depth - 1);
                shifts(b) && alike(a) || shifts(a) && alike(b)
            }
            Some(Operation::Binary {
                op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor,
                args: [a, b],
                ..
            }) => alike(a) && alike(b),
            Some(
                Operation::Geometry(_)
                | Operation::Cast { .. }
                | Operation::Binary { .. }
                | Operation::Unary { .. }
                | Operation::IntCompare { .. }
                | Operation::FloatCompare { .. }
                | Operation::Select { .. },
            )
            | None => false,
        }
    }

    /// Are the lowest five bits zero?
    fn is_multiple(&self, value: Value, depth: usize) -> bool {
        let func = self.context.func;
        if let Some(bits) = func.const_bits(value) {
            return bits % LANES == 0;
        }
        if depth == 0 || !is_wide(func, value) {
            return false;
        }
        let multiple = |value: Value| self.is_multiple(value, depth - 1);
        match func.operation_of(value) {
            Some(Operation::Geometry(Geometry { kind: GeometryKind::BlockDim, dim: Dim::X })) => {
                self.has_whole_rows()
            }
            Some(Operation::Cast {
                op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg, ..
            }) => is_wide(func, arg) && multiple(arg),
            Some(Operation::Binary { op: BinaryOp::Mul, args: [a, b], .. }) => {
                multiple(a) || multiple(b)
            }
            Some(Operation::Binary { op: BinaryOp::Add | BinaryOp::Sub, args: [a, b], .. }) => {
                multiple(a) && multiple(b)
            }
            Some(Operation::Binary { op: BinaryOp::Shl, args: [_, by], .. }) => {
                let width = func.type_of(value).bits().map_or(0, u128::from);
                func.const_bits(by).is_some_and(|bits| (LANE_BITS..width).contains(&bits))
            }
            Some(
                Operation::Geometry(_)
                | Operation::Cast { .. }
                | Operation::Binary { .. }
                | Operation::Unary { .. }
                | Operation::IntCompare { .. }
                | Operation::FloatCompare { .. }
                | Operation::Select { .. },
            )
            | None => false,
        }
    }

    /// Is it `threadIdx.x`, perhaps in a wider type?
    fn is_thread_id(&self, value: Value, depth: usize) -> bool {
        match self.context.func.operation_of(value) {
            Some(Operation::Geometry(Geometry { kind, dim })) => {
                kind == GeometryKind::ThreadId && dim == Dim::X
            }
            Some(Operation::Cast { op: CastOp::ZExt | CastOp::SExt, arg, .. }) if depth > 0 => {
                self.is_thread_id(arg, depth - 1)
            }
            Some(_) | None => false,
        }
    }
}

/// Has the value bits above the lowest five? Launch ids have 32.
fn is_wide(func: &Function, value: Value) -> bool {
    func.type_of(value).is_int() && func.type_of(value).bits() >= Some(8)
}
