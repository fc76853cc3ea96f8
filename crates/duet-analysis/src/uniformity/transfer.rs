//! Which instructions give different threads different results, operand by
//! operand. The header of [`super`] says why.

use duet_ir::{
    Access, BinaryOp, Block, CastOp, Const, ExchangeOp, Function, GeometryKind, Inst, InstData,
    Operation, Space, Value,
};

use super::Scope;
use super::walk::Solver;

impl Solver<'_> {
    /// May the results differ between threads at the same visit?
    pub(super) fn inst_diverges(&self, block: Block, inst: Inst) -> bool {
        use InstData::*;
        let data = &self.context.func.insts[inst];
        if self.is_of_the_warp(block, data) {
            return false;
        }
        match data {
            Binary { op, args, .. } if op.may_fail() => {
                self.any_divergent(data, block) || self.may_be_unspecified(*op, args[1])
            }
            Binary { .. }
            | Unary { .. }
            | Cast { .. }
            | IntCompare { .. }
            | FloatCompare { .. }
            | Select { .. }
            | Pure { .. }
            | IntToPtr { .. } => self.any_divergent(data, block),
            PtrToInt { reference, .. } => {
                self.any_divergent(data, block) || !self.has_one_address(*reference)
            }
            Geometry(geometry) => match geometry.kind {
                GeometryKind::ThreadId => true,
                GeometryKind::BlockId => self.context.scope == Scope::Grid,
                GeometryKind::BlockDim
                | GeometryKind::GridDim
                | GeometryKind::GlobalOffset
                | GeometryKind::WorkDim => false,
            },
            Load { access, .. } => self.any_divergent(data, block) || !self.has_one_content(access),
            BarrierReduce { .. } => self.context.scope == Scope::Grid || self.blocks[block],
            Exchange { op, mask, args, .. } => self.exchange_diverges(block, *op, *mask, args),
            Fresh { .. }
            | Atomic { .. }
            | AsyncCopy { .. }
            | Ghost { .. }
            | Call { .. }
            | CallUnknown { .. } => true,
            Store { .. }
            | Barrier { .. }
            | Fence { .. }
            | WaitEvents { .. }
            | Assert { .. }
            | Annotation { .. } => false,
        }
    }

    fn any_divergent(&self, data: &InstData, block: Block) -> bool {
        data.values().iter().any(|&value| self.value_at(value, block))
    }

    /// May the divisor be zero, for all that its form says?
    fn may_be_unspecified(&self, op: BinaryOp, divisor: Value) -> bool {
        debug_assert!(op.may_fail());
        !self.context.options.divisions_are_defined && !is_never_zero(self.context.func, divisor)
    }

    /// Is the address of what the reference names the same for the whole scope?
    fn has_one_address(&self, reference: Value) -> bool {
        match self.context.func.const_of(reference) {
            Some(Const::Null) => true,
            Some(Const::Array(array)) => {
                self.has_one_instance(self.context.module.arrays[array].space)
            }
            Some(Const::Bits(_)) | None => false,
        }
    }

    /// Does the whole scope share one instance of an array of this space?
    fn has_one_instance(&self, space: Space) -> bool {
        match space {
            Space::Global | Space::Constant => true,
            Space::Shared => self.context.scope != Scope::Grid,
            Space::Private => false,
        }
    }

    /// Do equal addresses hold equal contents, for the whole scope and run?
    fn has_one_content(&self, access: &Access) -> bool {
        let space = self.context.module.arrays[access.array].space;
        self.has_one_instance(space)
            && !access.volatile
            && self.context.arrays.is_never_written(access.array)
    }

    /// Votes, matches of all and reductions over all lanes of the warp, and
    /// shuffles from its first lane, which always exists, give one answer to
    /// all, if all take part in the same exchange.
    fn exchange_diverges(
        &self,
        block: Block,
        op: ExchangeOp,
        mask: Option<Value>,
        args: &[Value],
    ) -> bool {
        use ExchangeOp::*;
        let func = self.context.func;
        let literal = |value: Value| func.const_bits(value);
        let whole = mask.and_then(literal) == Some(u128::from(u32::MAX));
        let one_answer = match op {
            VoteAll | VoteAny | VoteUniform | Ballot | MatchAll | ReduceAdd | ReduceSMin
            | ReduceSMax | ReduceUMin | ReduceUMax | ReduceAnd | ReduceOr | ReduceXor => true,
            ShuffleIndex => {
                let arg = |n: usize| args.get(n).copied().and_then(literal);
                arg(1) == Some(0) && arg(2) == Some(32)
            }
            ShuffleUp | ShuffleDown | ShuffleXor | MatchAny | ActiveMask => false,
        };
        !(one_answer && whole && self.context.scope == Scope::Warp && !self.blocks[block])
    }
}

/// Can the value not be zero, by its form: a literal, or a launch size at 32 bits
/// or more? Launch sizes have 32 bits, so casts between such widths keep them.
fn is_never_zero(func: &Function, value: Value) -> bool {
    if let Some(bits) = func.const_bits(value) {
        return bits != 0;
    }
    match func.operation_of(value) {
        Some(Operation::Geometry(geometry)) => {
            matches!(geometry.kind, GeometryKind::BlockDim | GeometryKind::GridDim)
        }
        Some(Operation::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg, to }) => {
            to.bits() >= Some(32) && is_never_zero(func, arg) && func.const_bits(arg).is_none()
        }
        Some(
            Operation::Cast { .. }
            | Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. },
        )
        | None => false,
    }
}
