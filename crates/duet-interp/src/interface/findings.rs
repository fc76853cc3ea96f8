//! What a run found, as data: each kind of defect with the threads, the
//! instructions and the values of its first occurrence, and how often it occurred.
//! Findings are kept once per kind and pair of instructions.

use duet_ir::{Array, AssertKind, BarrierScope, Func, Inst, Rule};
use rustc_hash::FxHashMap;

/// An instruction of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function.
    pub func: Func,
    /// The instruction in it.
    pub inst: Inst,
}

/// A thread of the launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadPos {
    /// Block id.
    pub block: [u32; 3],
    /// Thread id in the block.
    pub thread: [u32; 3],
}

/// Who made an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Actor {
    /// A thread.
    Thread(ThreadPos),
    /// An asynchronous copy that this thread started.
    Copy(ThreadPos),
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic load.
    AtomicRead,
    /// An atomic operation that may write.
    AtomicWrite,
}

impl AccessKind {
    /// May it change memory?
    pub fn writes(self) -> bool {
        matches!(self, AccessKind::Write | AccessKind::AtomicWrite)
    }

    /// Is it atomic?
    pub fn is_atomic(self) -> bool {
        matches!(self, AccessKind::AtomicRead | AccessKind::AtomicWrite)
    }
}

/// One side of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceSide {
    /// Who.
    pub actor: Actor,
    /// Where in the module.
    pub site: Site,
    /// What.
    pub kind: AccessKind,
    /// First byte of the access.
    pub offset: u64,
    /// Bytes of the access.
    pub len: u32,
    /// What was written to the bytes of [`Race::overlap`], little-endian.
    pub value: Option<u64>,
}

/// Two unordered accesses to overlapping bytes, one of them a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// The array.
    pub array: Array,
    /// First byte and number of bytes (at most 8) of the overlap that is shown.
    pub overlap: (u64, u32),
    /// The access that the run made first.
    pub first: RaceSide,
    /// The access that the run made second.
    pub second: RaceSide,
}

/// A thread at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The thread.
    pub thread: ThreadPos,
    /// The instruction.
    pub site: Site,
}

/// A defect.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // each variant's comment names its fields
pub enum FindingKind {
    /// A data race.
    Race(Race),
    /// A race of two writes that agree on every overlapping byte.
    BenignRace(Race),
    /// Two threads wait at different barriers of the scope.
    BarrierDivergence { scope: BarrierScope, first: At, second: At },
    /// A thread waits at a barrier in a loop that another has left, which then returned.
    LeftBarrierLoop { scope: BarrierScope, waiting: At, left: ThreadPos },
    /// A thread waits at a barrier that another can no longer reach: it returned.
    ExitBeforeBarrier { scope: BarrierScope, waiting: At, returned: ThreadPos },
    /// A lane waits for lanes of its mask that never arrive.
    WarpDeadlock { waiting: At, mask: u32, missing: u32 },
    /// A lane names a mask that it is not part of.
    MaskExcludesSelf { at: At, mask: u32 },
    /// An exchange without `_sync` that only some of the live lanes reach.
    PartialExchange { at: At, lanes: u32 },
    /// A shuffle reads from a lane that takes no part; the value is unknown.
    InactiveLane { at: At, lane: u32 },
    /// An access outside its array.
    OutOfBounds { at: At, array: Array, kind: AccessKind, offset: u64, len: u32, size: Option<u64> },
    /// A read of shared or private memory that no thread has written.
    Uninitialised { at: At, array: Array, offset: u64, len: u32 },
    /// An assertion is false.
    AssertFailed { at: At, kind: AssertKind },
    /// A loop invariant of the source is false when its loop's head is reached.
    InvariantFailed { at: At },
    /// What is claimed of memory at a barrier is false when the barrier is complete.
    BarrierInvariantFailed { at: At },
    /// Division or remainder by zero.
    DivisionByZero { at: At },
    /// Signed overflow that the source language leaves undefined: of operations
    /// with `nsw`, and of signed division and remainder.
    SignedOverflow { at: At },
    /// A float that the integer type of a conversion cannot hold: the result is open.
    ConversionOutOfRange { at: At },
    /// Threads of a block disagree about one asynchronous copy of OpenCL: about
    /// its operands, or the second thread never calls for it.
    CopyMismatch { first: At, second: At },
}

impl FindingKind {
    /// The kind of defect.
    pub fn rule(&self) -> Rule {
        use FindingKind::*;
        match self {
            Race(race) => race.rule(),
            BenignRace(_) => Rule::BenignWriteWriteRace,
            BarrierDivergence { .. } | LeftBarrierLoop { .. } => Rule::BarrierDivergence,
            ExitBeforeBarrier { .. } => Rule::ExitBeforeBarrier,
            WarpDeadlock { .. } => Rule::WarpDeadlock,
            MaskExcludesSelf { .. } => Rule::MaskExcludesSelf,
            PartialExchange { .. } => Rule::PartialExchange,
            InactiveLane { .. } => Rule::InactiveLane,
            OutOfBounds { .. } => Rule::OutOfBounds,
            Uninitialised { .. } => Rule::UninitialisedRead,
            AssertFailed { .. } => Rule::AssertionFailed,
            InvariantFailed { .. } => Rule::InvariantFailed,
            BarrierInvariantFailed { .. } => Rule::BarrierInvariantFailed,
            DivisionByZero { .. } => Rule::DivisionByZero,
            SignedOverflow { .. } => Rule::SignedOverflow,
            ConversionOutOfRange { .. } => Rule::ConversionOutOfRange,
            CopyMismatch { .. } => Rule::CopyMismatch,
        }
    }
}

impl Race {
    /// `write-write-race`, `read-write-race`, or with `atomic`.
    pub fn rule(&self) -> Rule {
        race_rule(self.first.kind, self.second.kind)
    }
}

/// The rule of a race between accesses of these kinds.
pub(crate) fn race_rule(a: AccessKind, b: AccessKind) -> Rule {
    match (a.is_atomic() || b.is_atomic(), a.writes() && b.writes()) {
        (true, _) => Rule::AtomicRace,
        (false, true) => Rule::WriteWriteRace,
        (false, false) => Rule::ReadWriteRace,
    }
}

/// A defect and how often the run met it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The first occurrence.
    pub kind: FindingKind,
    /// Occurrences that the run noticed. For races a lower bound: accesses that
    /// later ones stand for are forgotten.
    pub count: u64,
}

/// Collects findings, one per key.
#[derive(Default, Debug)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    index: FxHashMap<FindingKey, usize>,
}

/// Rule and the instructions, as site numbers.
pub(crate) type FindingKey = (Rule, u32, u32);

impl Findings {
    /// Counts an occurrence; `make` is called for the first.
    pub(crate) fn note(&mut self, key: FindingKey, make: impl FnOnce() -> FindingKind) {
        if self.count(key) {
            return;
        }
        self.index.insert(key, self.list.len());
        self.list.push(Finding { kind: make(), count: 1 });
    }

    /// Counts an occurrence of a finding that is there already. Is it?
    pub(crate) fn count(&mut self, key: FindingKey) -> bool {
        let Some(&index) = self.index.get(&key) else { return false };
        self.list[index].count += 1;
        true
    }

    /// How many different ones there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The races among those after the first `count`.
    pub(crate) fn races_since(&self, count: usize) -> impl Iterator<Item = &Race> {
        self.list[count..].iter().filter_map(|finding| match &finding.kind {
            FindingKind::Race(race) | FindingKind::BenignRace(race) => Some(race),
            FindingKind::BarrierDivergence { .. }
            | FindingKind::ExitBeforeBarrier { .. }
            | FindingKind::LeftBarrierLoop { .. }
            | FindingKind::WarpDeadlock { .. }
            | FindingKind::MaskExcludesSelf { .. }
            | FindingKind::PartialExchange { .. }
            | FindingKind::InactiveLane { .. }
            | FindingKind::OutOfBounds { .. }
            | FindingKind::Uninitialised { .. }
            | FindingKind::AssertFailed { .. }
            | FindingKind::InvariantFailed { .. }
            | FindingKind::BarrierInvariantFailed { .. }
            | FindingKind::DivisionByZero { .. }
            | FindingKind::SignedOverflow { .. }
            | FindingKind::ConversionOutOfRange { .. }
            | FindingKind::CopyMismatch { .. } => None,
        })
    }

    /// The findings in the order of their first occurrence.
    pub(crate) fn into_list(self) -> Vec<Finding> {
        self.list
    }
}
