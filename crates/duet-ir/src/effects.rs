//! What instructions do, answered once for all stages: whether an instruction has an
//! effect besides its results, and which places in memory it touches and how.
//!
//! SOUNDNESS: no `match` of this file has a wildcard. What a new instruction
//! does has to be said here; the race check, the intervals between barriers, the
//! havoc of loops and the removal of unused instructions all rely on these answers (test
//! `what_prints_an_access_touches_memory`).

use crate::{Access, AtomicOp, BarrierScope, Func, InstData, MemoryOrder, Value};

/// What an instruction does besides defining its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: it may be removed when its results are unused.
    None,
    /// Nothing, but some operands are a defect: integer division by zero.
    MayFail,
    /// It touches memory; [`InstData::accesses`] says where and how.
    Memory,
    /// It makes the threads of the scope wait for one another and orders memory.
    Barrier(BarrierScope),
    /// It brings lanes of a warp together and orders no memory.
    Exchange,
    /// A memory fence, which orders nothing by itself.
    Fence,
    /// It waits for asynchronous copies.
    WaitsForCopies,
    /// It states something: an assertion or an annotation.
    Statement,
    /// Whatever a function of the module does.
    Call(Func),
    /// A call of a function without a body: a proof rejects it.
    CallUnknown,
}

/// What an access does to memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessMode {
    /// A plain load.
    Load,
    /// A plain store.
    Store,
    /// An atomic load.
    AtomicLoad,
    /// Any other atomic operation.
    Atomic,
    /// The source of an asynchronous copy.
    CopyFrom,
    /// The destination of an asynchronous copy.
    CopyTo,
}

impl AccessMode {
    /// May it change memory?
    pub fn may_write(self) -> bool {
        match self {
            AccessMode::Store | AccessMode::Atomic | AccessMode::CopyTo => true,
            AccessMode::Load | AccessMode::AtomicLoad | AccessMode::CopyFrom => false,
        }
    }

    /// Is it atomic?
    pub fn is_atomic(self) -> bool {
        match self {
            AccessMode::AtomicLoad | AccessMode::Atomic => true,
            AccessMode::Load | AccessMode::Store | AccessMode::CopyFrom | AccessMode::CopyTo => {
                false
            }
        }
    }

    /// Is it part of an asynchronous copy, done at some time before the wait?
    pub fn is_copy(self) -> bool {
        match self {
            AccessMode::CopyFrom | AccessMode::CopyTo => true,
            AccessMode::Load | AccessMode::Store | AccessMode::AtomicLoad | AccessMode::Atomic => {
                false
            }
        }
    }
}

impl AtomicOp {
    /// What an atomic operation does to memory.
    pub fn access_mode(self) -> AccessMode {
        match self {
            AtomicOp::Load => AccessMode::AtomicLoad,
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Exchange
            | AtomicOp::SMin
            | AtomicOp::SMax
            | AtomicOp::UMin
            | AtomicOp::UMax
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::IncWrap
            | AtomicOp::DecWrap
            | AtomicOp::CompareExchange
            | AtomicOp::FAdd
            | AtomicOp::FMin
            | AtomicOp::FMax
            | AtomicOp::Store => AccessMode::Atomic,
        }
    }
}

impl InstData {
    /// What the instruction does besides defining its results.
    pub fn effect(&self) -> Effect {
        use InstData::*;
        match self {
            Binary { op, .. } if op.may_fail() => Effect::MayFail,
            Binary { .. }
            | Unary { .. }
            | Cast { .. }
            | IntCompare { .. }
            | FloatCompare { .. }
            | Select { .. }
            | Pure { .. }
            | Fresh { .. }
            | Geometry(_)
            | PtrToInt { .. }
            | IntToPtr { .. }
            | Ghost { .. } => Effect::None,
            Load { .. } | Store { .. } | Atomic { .. } | AsyncCopy { .. } => Effect::Memory,
            Barrier { scope, .. } => Effect::Barrier(*scope),
            BarrierReduce { .. } => Effect::Barrier(BarrierScope::Block),
            Exchange { .. } => Effect::Exchange,
            Fence { .. } => Effect::Fence,
            WaitEvents { .. } => Effect::WaitsForCopies,
            Assert { .. } | Annotation { .. } => Effect::Statement,
            Call { callee, .. } => Effect::Call(*callee),
            CallUnknown { .. } => Effect::CallUnknown,
        }
    }

    /// The places in memory that the instruction itself touches, and what it does
    /// there. What a callee touches is not listed.
    pub fn accesses(&self) -> Vec<(AccessMode, &Access)> {
        use InstData::*;
        match self {
            Load { access, .. } => vec![(AccessMode::Load, access)],
            Store { access, .. } => vec![(AccessMode::Store, access)],
            Atomic { op, access, .. } => vec![(op.access_mode(), access)],
            AsyncCopy { dst, src, .. } => {
                vec![(AccessMode::CopyTo, dst), (AccessMode::CopyFrom, src)]
            }
            Binary { .. }
            | Unary { .. }
            | Cast { .. }
            | IntCompare { .. }
            | FloatCompare { .. }
            | Select { .. }
            | Pure { .. }
            | Fresh { .. }
            | Geometry(_)
            | PtrToInt { .. }
            | IntToPtr { .. }
            | Barrier { .. }
            | BarrierReduce { .. }
            | Fence { .. }
            | Exchange { .. }
            | WaitEvents { .. }
            | Assert { .. }
            | Annotation { .. }
            | Ghost { .. }
            | Call { .. }
            | CallUnknown { .. } => vec![],
        }
    }

    /// The places that [`InstData::accesses`] lists, for rewriting.
    pub fn accesses_mut(&mut self) -> Vec<&mut Access> {
        use InstData::*;
        match self {
            Load { access, .. } | Store { access, .. } | Atomic { access, .. } => vec![access],
            AsyncCopy { dst, src, .. } => vec![dst, src],
            Binary { .. }
            | Unary { .. }
            | Cast { .. }
            | IntCompare { .. }
            | FloatCompare { .. }
            | Select { .. }
            | Pure { .. }
            | Fresh { .. }
            | Geometry(_)
            | PtrToInt { .. }
            | IntToPtr { .. }
            | Barrier { .. }
            | BarrierReduce { .. }
            | Fence { .. }
            | Exchange { .. }
            | WaitEvents { .. }
            | Assert { .. }
            | Annotation { .. }
            | Ghost { .. }
            | Call { .. }
            | CallUnknown { .. } => vec![],
        }
    }

    /// Does nothing but compute its results? Such an instruction may be removed
    /// when they are unused. A load is not of this kind: it may race.
    pub fn is_pure(&self) -> bool {
        self.effect() == Effect::None
    }

    /// Does it compute its results and touch nothing, though some operands may be a
    /// defect?
    pub fn is_computation(&self) -> bool {
        match self.effect() {
            Effect::None | Effect::MayFail => true,
            Effect::Memory
            | Effect::Barrier(_)
            | Effect::Exchange
            | Effect::Fence
            | Effect::WaitsForCopies
            | Effect::Statement
            | Effect::Call(_)
            | Effect::CallUnknown => false,
        }
    }

    /// May it order accesses of this thread with those of others, by what flags hold? Fences,
    /// and atomic operations with an order.
    pub fn may_order_others(&self) -> bool {
        if let InstData::Atomic { order, .. } = self {
            return *order != MemoryOrder::Relaxed;
        }
        self.effect() == Effect::Fence
    }

    /// Whom it makes wait, if it is a barrier, one that combines predicates included.
    pub fn barrier_scope(&self) -> Option<BarrierScope> {
        match self.effect() {
            Effect::Barrier(scope) => Some(scope),
            Effect::None
            | Effect::MayFail
            | Effect::Memory
            | Effect::Exchange
            | Effect::Fence
            | Effect::WaitsForCopies
            | Effect::Statement
            | Effect::Call(_)
            | Effect::CallUnknown => None,
        }
    }

    /// Does the thread wait for others here, or do something together with them? A
    /// callee may.
    pub fn involves_other_threads(&self) -> bool {
        match self.effect() {
            Effect::Barrier(_) | Effect::Exchange | Effect::WaitsForCopies | Effect::Call(_) => {
                true
            }
            Effect::Memory => self.accesses().iter().any(|(kind, _)| kind.is_copy()),
            Effect::None
            | Effect::MayFail
            | Effect::Fence
            | Effect::Statement
            | Effect::CallUnknown => false,
        }
    }

    /// The mask of a warp barrier or exchange that names its lanes.
    pub fn lane_mask(&self) -> Option<Value> {
        use InstData::*;
        match self {
            Barrier { scope: BarrierScope::Warp, arg: mask } | Exchange { mask, .. } => *mask,
            Barrier { scope: BarrierScope::Block | BarrierScope::Grid, .. }
            | Binary { .. }
            | Unary { .. }
            | Cast { .. }
            | IntCompare { .. }
            | FloatCompare { .. }
            | Select { .. }
            | Pure { .. }
            | Fresh { .. }
            | Geometry(_)
            | PtrToInt { .. }
            | IntToPtr { .. }
            | Load { .. }
            | Store { .. }
            | Atomic { .. }
            | BarrierReduce { .. }
            | Fence { .. }
            | AsyncCopy { .. }
            | WaitEvents { .. }
            | Assert { .. }
            | Annotation { .. }
            | Ghost { .. }
            | Call { .. }
            | CallUnknown { .. } => None,
        }
    }

    /// Does it bring threads together, as barriers and warp exchanges do? What a
    /// callee does is not looked at.
    pub fn is_meeting_point(&self) -> bool {
        match self.effect() {
            Effect::Barrier(_) | Effect::Exchange => true,
            Effect::None
            | Effect::MayFail
            | Effect::Memory
            | Effect::Fence
            | Effect::WaitsForCopies
            | Effect::Statement
            | Effect::Call(_)
            | Effect::CallUnknown => false,
        }
    }

    /// Does it bring lanes of one warp together and no other thread?
    pub fn is_meeting_point_of_warp(&self) -> bool {
        match self.effect() {
            Effect::Barrier(BarrierScope::Warp) | Effect::Exchange => true,
            Effect::Barrier(BarrierScope::Block | BarrierScope::Grid)
            | Effect::None
            | Effect::MayFail
            | Effect::Memory
            | Effect::Fence
            | Effect::WaitsForCopies
            | Effect::Statement
            | Effect::Call(_)
            | Effect::CallUnknown => false,
        }
    }
}
