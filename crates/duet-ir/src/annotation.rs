//! Annotations of the source: statements and the ghost values they speak of.
//! Names follow the public annotation language; see docs/annotations.md.

use crate::{Function, Inst, InstData, Module, Space};

/// Why an `assert` is there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssertKind {
    /// Written by the user as an annotation (`__assert`), for enabled threads.
    Annotated,
    /// `__global_assert`: the same, stated for every thread.
    Global,
    /// The C library's `assert`.
    Library,
    /// A trap of the source (`__trap`, `__builtin_trap`) or of the compiler.
    Trap,
    /// Control reaches a point the compiler holds unreachable.
    Unreachable,
    /// A pointer is null or points into no array that it can be resolved to.
    Pointer,
    /// A store to constant memory.
    ConstantWrite,
    /// An access leaves the memory that the host program allocated.
    Bounds,
}

/// What an annotation statement says. `Global` forms hold for every thread,
/// whether or not it is enabled; `Candidate` forms may be dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AnnotationKind {
    /// Precondition.
    Requires,
    /// Precondition for every thread.
    GlobalRequires,
    /// Postcondition.
    Ensures,
    /// Postcondition for every thread.
    GlobalEnsures,
    /// Assumption at this point.
    Assume,
    /// Candidate assertion at this point.
    CandidateAssert,
    /// Candidate assertion for every thread.
    CandidateGlobalAssert,
    /// Loop invariant.
    Invariant,
    /// Loop invariant for every thread.
    GlobalInvariant,
    /// Candidate loop invariant.
    CandidateInvariant,
    /// Candidate loop invariant for every thread.
    CandidateGlobalInvariant,
    /// Invariant of every loop of the function.
    FunctionWideInvariant,
    /// Candidate invariant of every loop of the function.
    FunctionWideCandidateInvariant,
    /// Fact about the threads' shared state at the next barrier; the condition,
    /// then the thread ids it is to be instantiated with.
    BarrierInvariant,
    /// The same about two threads; the ids come in pairs.
    BarrierInvariantBinary,
    /// Fact about every element of an array at the next barrier; the condition, then the
    /// `cell` whose number it is about.
    CellInvariant,
    /// A fact about constants and uninterpreted functions.
    Axiom,
    /// What a function that is known by its contract alone makes true.
    Contract,
    /// The function is verified by itself, against its contract; no operands.
    Verified,
    /// The function may read the array; operand: a `ref`.
    ReadsFrom,
    /// The function may write the array; operand: a `ref`.
    WritesTo,
    /// Copies a whole array as ghost state; operands: two `ref`s.
    ArraySnapshot,
    /// A name of a contract, resolved: the contract's number, the name's number in it, the
    /// code of its type ([`crate::Captured`]), then its value, or reference and offset. It
    /// states nothing by itself.
    Captured,
}

impl AnnotationKind {
    /// Is its condition taken to hold, without a proof?
    pub fn is_believed(self) -> bool {
        match self {
            AnnotationKind::Requires
            | AnnotationKind::GlobalRequires
            | AnnotationKind::Assume
            | AnnotationKind::Axiom
            | AnnotationKind::Contract => true,
            AnnotationKind::Ensures
            | AnnotationKind::GlobalEnsures
            | AnnotationKind::CandidateAssert
            | AnnotationKind::CandidateGlobalAssert
            | AnnotationKind::Invariant
            | AnnotationKind::GlobalInvariant
            | AnnotationKind::CandidateInvariant
            | AnnotationKind::CandidateGlobalInvariant
            | AnnotationKind::FunctionWideInvariant
            | AnnotationKind::FunctionWideCandidateInvariant
            | AnnotationKind::BarrierInvariant
            | AnnotationKind::BarrierInvariantBinary
            | AnnotationKind::CellInvariant
            | AnnotationKind::ReadsFrom
            | AnnotationKind::WritesTo
            | AnnotationKind::ArraySnapshot
            | AnnotationKind::Verified
            | AnnotationKind::Captured => false,
        }
    }
}

/// The volatile variable that the value of a `__read_permission` goes to.
const PERMISSION: &str = "__duet_permission";

/// Is the load a `__read_permission`: a read for the sake of having read, which a barrier
/// invariant may then mention? The headers write its value to a variable of this name.
pub fn is_read_permission(module: &Module, func: &Function, load: Inst) -> bool {
    let InstData::Load { .. } = &func.insts[load] else { return false };
    let results = &func.results_of[load];
    func.insts_in_order().any(|inst| {
        let InstData::Store { access, values } = &func.insts[inst] else { return false };
        let array = &module.arrays[access.array];
        array.space == Space::Private
            && array.name == PERMISSION
            && values.iter().any(|value| results.contains(value))
    })
}

/// A value that exists only for annotations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GhostKind {
    /// Is the thread enabled here?
    Enabled,
    /// Was it enabled in the immediate dominator?
    DominatorEnabled,
    /// The other thread's value of the operand.
    Other,
    /// Do the two threads share a block?
    SameBlock,
    /// Is there a pending read of the array (operand: a `ref`)?
    HasRead,
    /// Is there a pending write of the array (operand: a `ref`)?
    HasWritten,
    /// Byte offset of the pending read (operand: a `ref`).
    ReadOffset,
    /// Byte offset of the pending write (operand: a `ref`).
    WriteOffset,
    /// The identity of an array, as a number (operand: a `ref`).
    ArrayIdentity,
    /// The function's return value.
    ReturnValue,
    /// The operand's value at function entry.
    Old,
    /// Has the atomic counter (operands: a `ref`, an element offset) handed out
    /// the value (third operand)?
    AtomicHasTakenValue,
    /// The elements of an array (operands: a `ref`, its byte offset) from one number on and
    /// below another, folded from left to right; the fifth operand is the number of the
    /// operation, see [`FoldOp`]. If the source declares the operation, its identity and
    /// its application to that follow; of [`FoldOp::Fits`], a number of the elements' type.
    Fold,
    /// The number of an arbitrary element of an array (operands: a `ref`, its byte offset).
    Cell,
}

/// Operations that arrays are folded with: associative, with an identity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FoldOp {
    /// Wrapping addition.
    Add,
    /// Signed maximum.
    SMax,
    /// Unsigned maximum.
    UMax,
    /// Signed minimum.
    SMin,
    /// Unsigned minimum.
    UMin,
    /// Bits of either.
    Or,
    /// Bits of both.
    And,
    /// Bits of one.
    Xor,
    /// A function that the source declares, of which only the identity is known.
    Declared,
    /// The same, and it is associative.
    Associative,
    /// The same, and it is associative and commutative.
    Commutative,
    /// No operation: does the sum of the elements, as numbers without a sign, fit their type?
    Fits,
}

impl FoldOp {
    /// Every operation, by its number.
    pub const ALL: [FoldOp; 12] = [
        FoldOp::Add,
        FoldOp::SMax,
        FoldOp::UMax,
        FoldOp::SMin,
        FoldOp::UMin,
        FoldOp::Or,
        FoldOp::And,
        FoldOp::Xor,
        FoldOp::Declared,
        FoldOp::Associative,
        FoldOp::Commutative,
        FoldOp::Fits,
    ];

    /// The operation of a number.
    pub fn from_number(number: u128) -> Option<FoldOp> {
        FoldOp::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Its number.
    pub fn number(self) -> u128 {
        FoldOp::ALL.iter().position(|&op| op == self).unwrap_or(0) as u128
    }

    /// Is it a function that the source declares?
    pub fn is_declared(self) -> bool {
        match self {
            FoldOp::Declared | FoldOp::Associative | FoldOp::Commutative => true,
            FoldOp::Add
            | FoldOp::SMax
            | FoldOp::UMax
            | FoldOp::SMin
            | FoldOp::UMin
            | FoldOp::Or
            | FoldOp::And
            | FoldOp::Xor
            | FoldOp::Fits => false,
        }
    }

    /// What it leaves unchanged, in so many bits: the least number for a signed maximum,
    /// not 0. Of a declared operation the fold itself tells.
    pub fn identity(self, bits: u32) -> Option<u128> {
        let ones = u128::MAX >> (128 - bits);
        match self {
            FoldOp::Add | FoldOp::UMax | FoldOp::Or | FoldOp::Xor | FoldOp::Fits => Some(0),
            FoldOp::SMax => Some(1 << (bits - 1)),
            FoldOp::SMin => Some(ones >> 1),
            FoldOp::UMin | FoldOp::And => Some(ones),
            FoldOp::Declared | FoldOp::Associative | FoldOp::Commutative => None,
        }
    }
}

macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            /// Every kind.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }

            /// The kind of this name.
            pub fn from_name(name: &str) -> Option<$type> {
                match name { $($name => Some($type::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use names;

names!(AssertKind {
    Annotated = "annotated",
    Global = "global",
    Library = "library",
    Trap = "trap",
    Unreachable = "unreachable",
    Pointer = "pointer",
    ConstantWrite = "constant_write",
    Bounds = "bounds",
});

names!(AnnotationKind {
    Requires = "requires",
    GlobalRequires = "global_requires",
    Ensures = "ensures",
    GlobalEnsures = "global_ensures",
    Assume = "assume",
    CandidateAssert = "candidate_assert",
    CandidateGlobalAssert = "candidate_global_assert",
    Invariant = "invariant",
    GlobalInvariant = "global_invariant",
    CandidateInvariant = "candidate_invariant",
    CandidateGlobalInvariant = "candidate_global_invariant",
    FunctionWideInvariant = "function_wide_invariant",
    FunctionWideCandidateInvariant = "function_wide_candidate_invariant",
    BarrierInvariant = "barrier_invariant",
    BarrierInvariantBinary = "barrier_invariant_binary",
    CellInvariant = "cell_invariant",
    Axiom = "axiom",
    Contract = "contract",
    Verified = "verified",
    ReadsFrom = "reads_from",
    WritesTo = "writes_to",
    ArraySnapshot = "array_snapshot",
    Captured = "captured",
});

names!(GhostKind {
    Enabled = "enabled",
    DominatorEnabled = "dominator_enabled",
    Other = "other",
    SameBlock = "same_block",
    HasRead = "has_read",
    HasWritten = "has_written",
    ReadOffset = "read_offset",
    WriteOffset = "write_offset",
    ArrayIdentity = "array_identity",
    ReturnValue = "return_value",
    Old = "old",
    AtomicHasTakenValue = "atomic_has_taken_value",
    Fold = "fold",
    Cell = "cell",
});
