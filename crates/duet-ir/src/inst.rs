//! Instructions and terminators.

use crate::annotation::names;
use crate::{AnnotationKind, Array, AssertKind, Block, Dim, Func, GhostKind, Type, Value};

/// Why a value is unknown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// The source leaves it open, in these words: "uninitialised `x`", "clock".
    Open(String),
    /// It is an address in the device's heap that nothing else has, or null.
    Allocated,
    /// It is what this function yields, which has no body and touches no memory.
    UnknownFunction(String),
    /// The same of a function that is only taken to touch no memory, because it is given
    /// and yields numbers alone: a proof that meets it assumes so.
    AssumedFunction(String),
    /// It is what lies beyond the entries of this table of functions. The entries are
    /// taken to be what the source initialises the table with, though the host could
    /// change them: a proof that meets it assumes so.
    BeyondTable(String),
}

impl From<&str> for Cause {
    fn from(words: &str) -> Cause {
        Cause::Open(words.to_string())
    }
}

impl From<String> for Cause {
    fn from(words: String) -> Cause {
        Cause::Open(words)
    }
}

/// The name of the call that stands for an asynchronous copy of CUDA, whose effect on
/// memory is that of the accesses beside it. No function can be called so.
pub const ASYNCHRONOUS_COPY: &str = "cg::memcpy_async";

/// An instruction. Result types follow from the data alone, except where a
/// `ty` field names them; see [`crate::Function::result_types`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // each variant's comment names its fields
pub enum InstData {
    /// `op ty a, b`, both of the result's type.
    Binary { op: BinaryOp, nsw: bool, args: [Value; 2] },
    /// `op ty a`.
    Unary { op: UnaryOp, arg: Value },
    /// Conversion between types.
    Cast { op: CastOp, arg: Value, to: Type },
    /// Integer comparison; on `ref`s only `eq` and `ne`. Result: `i1`.
    IntCompare { cc: IntCc, args: [Value; 2] },
    /// Float comparison. Result: `i1`.
    FloatCompare { cc: FloatCc, args: [Value; 2] },
    /// `cond ? a : b`.
    Select { cond: Value, args: [Value; 2] },
    /// A function of its name and arguments and of nothing else.
    Pure { name: String, args: Vec<Value>, ty: Type },
    /// An unknown, different per thread and execution; `cause` says why.
    Fresh { cause: Cause, ty: Type },
    /// A thread or block id, or a launch size. Result: `i32`.
    Geometry(Geometry),
    /// A pointer as an integer of pointer width.
    PtrToInt { reference: Value, offset: Value },
    /// An integer as a pointer. Results: `ref`, offset.
    IntToPtr { arg: Value },
    /// Reads `lanes` consecutive elements of type `ty`. One result per lane.
    Load { access: Access, ty: Type, lanes: u32 },
    /// Writes consecutive elements, all of one type.
    Store { access: Access, values: Vec<Value> },
    /// Atomic read-modify-write. Result: the old value. The order is about this word only:
    /// a releasing write publishes what came before to whoever acquires what it wrote.
    Atomic {
        op: AtomicOp,
        scope: MemoryScope,
        order: MemoryOrder,
        access: Access,
        args: Vec<Value>,
        ty: Type,
    },
    /// Barrier. The operand is the fence flags of a block barrier (bit 0: local
    /// memory, bit 1: global memory), the mask of lanes of a warp barrier, and
    /// absent for the grid.
    Barrier { scope: BarrierScope, arg: Option<Value> },
    /// Block barrier that counts or combines a predicate (`i32`, true if not
    /// zero). Result: `i32`.
    BarrierReduce { op: Reduction, arg: Value },
    /// Memory fence, for accesses to these spaces. Together with the strong accesses behind
    /// it (if it releases) or before it (if it acquires) it orders them.
    Fence { scope: FenceScope, order: MemoryOrder, spaces: FenceSpaces },
    /// Exchange among the lanes of a warp. `mask` is absent for the forms
    /// without `_sync`. Result of type `ty`.
    Exchange { op: ExchangeOp, mask: Option<Value>, args: Vec<Value>, ty: Type },
    /// Starts an asynchronous copy of `count` elements of `element` bytes; the
    /// strides are in elements. Result: `i32`, the event.
    AsyncCopy {
        dst: Access,
        src: Access,
        element: u32,
        count: Value,
        dst_stride: Value,
        src_stride: Value,
        event: Value,
    },
    /// Waits for asynchronous copies.
    WaitEvents { events: Vec<Value> },
    /// The condition must hold.
    Assert { kind: AssertKind, cond: Value },
    /// An annotation statement.
    Annotation { kind: AnnotationKind, args: Vec<Value> },
    /// A value that exists for annotations only.
    Ghost { kind: GhostKind, args: Vec<Value>, ty: Type },
    /// Call of a function of the module (only without inlining).
    Call { callee: Func, args: Vec<Value> },
    /// Call of a function without a body that may do anything: no proof covers it,
    /// and a run, which makes up its results, shows nothing.
    CallUnknown { name: String, args: Vec<Value>, results: Vec<Type> },
}

/// The place of an access: byte `offset` of `array`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The array.
    pub array: Array,
    /// Byte offset, of pointer width.
    pub offset: Value,
    /// Alignment in bytes that the source language promises.
    pub align: u32,
    /// A volatile access of the source.
    pub volatile: bool,
    /// Part of an annotation: reads memory, but takes part in no race.
    pub ghost: bool,
    /// A load through the read-only cache (`__ldg`), which fences do not order.
    pub cached: bool,
}

/// Binary operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

impl BinaryOp {
    /// Is this an operation on floats?
    pub fn is_float(self) -> bool {
        self >= BinaryOp::FAdd
    }
}

/// Unary operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// Leading zeros (the width, for 0).
    CountLeadingZeros,
    /// Trailing zeros (the width, for 0).
    CountTrailingZeros,
    /// Set bits.
    PopCount,
    /// Bits in reverse order.
    ReverseBits,
    /// Bytes in reverse order.
    SwapBytes,
    /// Float negation: flips the sign bit.
    FNeg,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastOp {
    /// To a narrower integer, keeping the low bits.
    Trunc,
    /// To a wider integer, upper bits zero.
    ZExt,
    /// To a wider integer, upper bits the sign.
    SExt,
    /// Float to unsigned integer, towards zero. A number out of range, or NaN, becomes
    /// some unknown value: a run saturates, and reports it.
    FToU,
    /// Float to signed integer, likewise.
    FToS,
    /// Float to unsigned integer, saturating; NaN becomes 0.
    FToUSat,
    /// Float to signed integer, likewise.
    FToSSat,
    /// Unsigned integer to float, to nearest even.
    UToF,
    /// Signed integer to float, to nearest even.
    SToF,
    /// To a narrower float, to nearest even.
    FTrunc,
    /// To a wider float, exactly.
    FExt,
    /// The same bits at another type of equal width.
    Bitcast,
}

/// Integer comparisons.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntCc {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Float comparisons: `O` forms are false on NaN, `U` forms true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatCc {
    Oeq,
    One,
    Olt,
    Ole,
    Ogt,
    Oge,
    Ord,
    Ueq,
    Une,
    Ult,
    Ule,
    Ugt,
    Uge,
    Uno,
}

/// An id or size along one dimension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Geometry {
    /// Which.
    pub kind: GeometryKind,
    /// Along which dimension.
    pub dim: Dim,
}

/// What a [`Geometry`] instruction yields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GeometryKind {
    /// The thread's index in its block.
    ThreadId,
    /// The block's index in the grid.
    BlockId,
    /// Threads in a block.
    BlockDim,
    /// Blocks in the grid.
    GridDim,
    /// Added to OpenCL global ids.
    GlobalOffset,
    /// Number of dimensions of the launch (its `dim` is x).
    WorkDim,
}

/// Atomic operations. Two-operand forms take (compare, new).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicOp {
    /// old + x
    Add,
    /// old - x
    Sub,
    /// x
    Exchange,
    /// signed minimum
    SMin,
    /// signed maximum
    SMax,
    /// unsigned minimum
    UMin,
    /// unsigned maximum
    UMax,
    /// bitwise and
    And,
    /// bitwise or
    Or,
    /// bitwise exclusive or
    Xor,
    /// old >= x ? 0 : old + 1 (unsigned)
    IncWrap,
    /// old == 0 || old > x ? x : old - 1 (unsigned)
    DecWrap,
    /// old == compare ? new : old
    CompareExchange,
    /// float sum
    FAdd,
    /// float minimum
    FMin,
    /// float maximum
    FMax,
    /// the old value, unchanged (atomic load)
    Load,
    /// x, the old value is not used (atomic store)
    Store,
}

/// Which threads an atomic operation is atomic for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryScope {
    /// The threads of the block.
    Block,
    /// The threads of the launch.
    Device,
    /// The whole system.
    System,
}

/// Which threads a barrier makes wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BarrierScope {
    /// The lanes of the mask, of one warp.
    Warp,
    /// All threads of the block.
    Block,
    /// All threads of the grid.
    Grid,
}

/// What an atomic operation or a fence orders besides itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryOrder {
    /// Nothing.
    Relaxed,
    /// What comes after it comes after what was published in what it reads.
    Acquire,
    /// What came before it is published in what it writes.
    Release,
    /// Both. Stronger orders count as this one.
    AcquireRelease,
}

impl MemoryOrder {
    /// Does it acquire?
    pub fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcquireRelease)
    }

    /// Does it release?
    pub fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::AcquireRelease)
    }
}

/// The memory that a fence is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FenceSpaces {
    /// All of it.
    All,
    /// The memory of the block.
    Shared,
    /// Global memory.
    Global,
}

/// Reach of a fence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FenceScope {
    /// The block.
    Block,
    /// The device.
    Device,
    /// The system.
    System,
}

/// Combination of predicates at a counting barrier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reduction {
    /// How many are true.
    Count,
    /// Are all true?
    And,
    /// Is any true?
    Or,
}

/// Warp exchanges. Shuffles take (value, lane or delta, width).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExchangeOp {
    /// From the lane given.
    ShuffleIndex,
    /// From the lane `delta` below.
    ShuffleUp,
    /// From the lane `delta` above.
    ShuffleDown,
    /// From the lane with the id's bits flipped.
    ShuffleXor,
    /// Are all predicates true? (`i32`)
    VoteAll,
    /// Is any predicate true? (`i32`)
    VoteAny,
    /// Are the predicates equal? (`i32`)
    VoteUniform,
    /// The lanes whose predicate is true. (`i32`)
    Ballot,
    /// The lanes with the same value. (`i32`)
    MatchAny,
    /// The mask if all lanes have the same value, else 0. (`i32`)
    MatchAll,
    /// The lanes that happen to run together. (`i32`; no operands, no mask)
    ActiveMask,
    /// Sum over the lanes.
    ReduceAdd,
    /// Signed minimum over the lanes.
    ReduceSMin,
    /// Signed maximum over the lanes.
    ReduceSMax,
    /// Unsigned minimum over the lanes.
    ReduceUMin,
    /// Unsigned maximum over the lanes.
    ReduceUMax,
    /// Bitwise and over the lanes.
    ReduceAnd,
    /// Bitwise or over the lanes.
    ReduceOr,
    /// Bitwise exclusive or over the lanes.
    ReduceXor,
}

/// A jump target with the values of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where to.
    pub block: Block,
    /// One value per parameter of the block.
    pub args: Vec<Value>,
}

/// The end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // each variant's comment names its fields
pub enum Terminator {
    /// Unconditional.
    Jump(Edge),
    /// `then` if the `i1` is 1.
    Branch { cond: Value, then: Edge, otherwise: Edge },
    /// On an integer; the case constants are distinct.
    Switch { arg: Value, cases: Vec<(u128, Edge)>, default: Edge },
    /// End of the function; one value per result of the function.
    Return(Vec<Value>),
    /// The path has failed (trap, failed assertion). Not an end of the kernel.
    Halt,
}

impl Terminator {
    /// The outgoing edges, in order.
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            Terminator::Jump(edge) => vec![edge],
            Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, edge)| edge).chain([default]).collect()
            }
            Terminator::Return(_) | Terminator::Halt => vec![],
        }
    }

    /// The outgoing edges, in order, for rewriting.
    pub fn edges_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            Terminator::Jump(edge) => vec![edge],
            Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().map(|(_, edge)| edge).chain([default]).collect()
            }
            Terminator::Return(_) | Terminator::Halt => vec![],
        }
    }

    /// Calls `visit` on every operand, edge arguments included.
    pub fn visit_values_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Terminator::Branch { cond, .. } => visit(cond),
            Terminator::Switch { arg, .. } => visit(arg),
            Terminator::Return(values) => values.iter_mut().for_each(&mut visit),
            Terminator::Jump(_) | Terminator::Halt => {}
        }
        for edge in self.edges_mut() {
            edge.args.iter_mut().for_each(&mut visit);
        }
    }

    /// Every operand, edge arguments included.
    pub fn values(&self) -> Vec<Value> {
        let mut values = Vec::new();
        self.clone().visit_values_mut(|value| values.push(*value));
        values
    }
}

impl InstData {
    /// Calls `visit` on every operand.
    pub fn visit_values_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        use InstData::*;
        match self {
            Binary { args, .. } | IntCompare { args, .. } | FloatCompare { args, .. } => {
                args.iter_mut().for_each(visit);
            }
            Unary { arg, .. } | Cast { arg, .. } | IntToPtr { arg } | BarrierReduce { arg, .. } => {
                visit(arg);
            }
            Select { cond, args } => {
                visit(cond);
                args.iter_mut().for_each(visit);
            }
            Fresh { .. } | Geometry(_) | Fence { .. } => {}
            PtrToInt { reference, offset } => {
                visit(reference);
                visit(offset);
            }
            Load { access, .. } => visit(&mut access.offset),
            Store { access, values } => {
                visit(&mut access.offset);
                values.iter_mut().for_each(visit);
            }
            Atomic { access, args, .. } => {
                visit(&mut access.offset);
                args.iter_mut().for_each(visit);
            }
            Barrier { arg, .. } => arg.iter_mut().for_each(visit),
            Exchange { mask, args, .. } => mask.iter_mut().chain(args).for_each(visit),
            AsyncCopy { dst, src, count, dst_stride, src_stride, event, .. } => {
                for value in
                    [&mut dst.offset, &mut src.offset, count, dst_stride, src_stride, event]
                {
                    visit(value);
                }
            }
            Assert { cond, .. } => visit(cond),
            WaitEvents { events: args }
            | Pure { args, .. }
            | Annotation { args, .. }
            | Ghost { args, .. }
            | Call { args, .. }
            | CallUnknown { args, .. } => args.iter_mut().for_each(visit),
        }
    }

    /// Every operand, in the order of the text form.
    pub fn values(&self) -> Vec<Value> {
        let mut values = Vec::new();
        self.clone().visit_values_mut(|value| values.push(*value));
        values
    }
}

impl BinaryOp {
    /// Division and remainder of integers: undefined for a zero divisor.
    pub fn may_fail(self) -> bool {
        matches!(self, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
    }
}

names!(BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    UDiv = "udiv",
    SDiv = "sdiv",
    URem = "urem",
    SRem = "srem",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
    And = "and",
    Or = "or",
    Xor = "xor",
    FAdd = "fadd",
    FSub = "fsub",
    FMul = "fmul",
    FDiv = "fdiv",
    FRem = "frem",
});

names!(UnaryOp {
    CountLeadingZeros = "clz",
    CountTrailingZeros = "ctz",
    PopCount = "popcount",
    ReverseBits = "reverse_bits",
    SwapBytes = "swap_bytes",
    FNeg = "fneg",
});

names!(CastOp {
    Trunc = "trunc",
    ZExt = "zext",
    SExt = "sext",
    FToU = "ftou",
    FToS = "ftos",
    FToUSat = "ftou_sat",
    FToSSat = "ftos_sat",
    UToF = "utof",
    SToF = "stof",
    FTrunc = "ftrunc",
    FExt = "fext",
    Bitcast = "bitcast",
});

names!(IntCc {
    Eq = "eq",
    Ne = "ne",
    Ult = "ult",
    Ule = "ule",
    Ugt = "ugt",
    Uge = "uge",
    Slt = "slt",
    Sle = "sle",
    Sgt = "sgt",
    Sge = "sge",
});

names!(FloatCc {
    Oeq = "oeq",
    One = "one",
    Olt = "olt",
    Ole = "ole",
    Ogt = "ogt",
    Oge = "oge",
    Ord = "ord",
    Ueq = "ueq",
    Une = "une",
    Ult = "ult",
    Ule = "ule",
    Ugt = "ugt",
    Uge = "uge",
    Uno = "uno",
});

names!(GeometryKind {
    ThreadId = "thread_id",
    BlockId = "block_id",
    BlockDim = "block_dim",
    GridDim = "grid_dim",
    GlobalOffset = "global_offset",
    WorkDim = "work_dim",
});

names!(AtomicOp {
    Add = "add",
    Sub = "sub",
    Exchange = "exchange",
    SMin = "smin",
    SMax = "smax",
    UMin = "umin",
    UMax = "umax",
    And = "and",
    Or = "or",
    Xor = "xor",
    IncWrap = "inc_wrap",
    DecWrap = "dec_wrap",
    CompareExchange = "compare_exchange",
    FAdd = "fadd",
    FMin = "fmin",
    FMax = "fmax",
    Load = "load",
    Store = "store",
});

names!(MemoryScope { Block = "block", Device = "device", System = "system" });
names!(MemoryOrder {
    Relaxed = "relaxed",
    Acquire = "acquire",
    Release = "release",
    AcquireRelease = "acq_rel"
});
names!(FenceSpaces { All = "all", Shared = "shared", Global = "global" });
names!(FenceScope { Block = "block", Device = "device", System = "system" });
names!(BarrierScope { Warp = "warp", Block = "block", Grid = "grid" });
names!(Reduction { Count = "count", And = "and", Or = "or" });

names!(ExchangeOp {
    ShuffleIndex = "shuffle_index",
    ShuffleUp = "shuffle_up",
    ShuffleDown = "shuffle_down",
    ShuffleXor = "shuffle_xor",
    VoteAll = "vote_all",
    VoteAny = "vote_any",
    VoteUniform = "vote_uniform",
    Ballot = "ballot",
    MatchAny = "match_any",
    MatchAll = "match_all",
    ActiveMask = "active_mask",
    ReduceAdd = "reduce_add",
    ReduceSMin = "reduce_smin",
    ReduceSMax = "reduce_smax",
    ReduceUMin = "reduce_umin",
    ReduceUMax = "reduce_umax",
    ReduceAnd = "reduce_and",
    ReduceOr = "reduce_or",
    ReduceXor = "reduce_xor",
});
