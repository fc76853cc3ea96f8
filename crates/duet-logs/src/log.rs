//! The log: what the first thread did since the last barrier that ordered it.
//!
//! For each array that can race and each kind of access there is one [`Entry`]. Its flag
//! says that the first thread made such an access to the entry's offset, which is watched
//! from the start (an arbitrary constant) or chosen when an access is logged. The entry
//! also remembers, for invariants only, which access it was and the iterations of the
//! loops around it: nothing else depends on that.

use std::collections::BTreeMap;

use duet_analysis::Loop;
use duet_ir::{AccessMode, Array, Inst, Value};
use duet_smt::TermId;

/// What an access does, as far as races are concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A plain load.
    Read,
    /// A plain store.
    Write,
    /// An atomic operation that may write.
    Atomic,
    /// An atomic load.
    AtomicRead,
}

impl Kind {
    /// The kind of an access; none for asynchronous copies, which are not modelled.
    pub(crate) fn of(mode: AccessMode) -> Option<Kind> {
        match mode {
            AccessMode::Load => Some(Kind::Read),
            AccessMode::Store => Some(Kind::Write),
            AccessMode::Atomic => Some(Kind::Atomic),
            AccessMode::AtomicLoad => Some(Kind::AtomicRead),
            AccessMode::CopyFrom | AccessMode::CopyTo => None,
        }
    }

    /// Do two accesses to one place race? Atomic ones of different sizes or of too narrow a
    /// scope are made plain before.
    pub(crate) fn races_with(self, other: Kind) -> bool {
        use Kind::{Atomic, AtomicRead, Read, Write};
        match (self, other) {
            (Write, Read | Write | Atomic | AtomicRead) | (Read | Atomic | AtomicRead, Write) => {
                true
            }
            (Read, Atomic) | (Atomic, Read) => true,
            (Read | AtomicRead, Read | AtomicRead) => false,
            (Atomic, Atomic | AtomicRead) | (AtomicRead, Atomic) => false,
        }
    }
}

/// What is remembered of the accesses of one kind to one array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// There was one at the offset.
    pub flag: TermId,
    /// Byte offset of the element.
    pub offset: TermId,
    /// There was one that wrote this value there.
    pub valued: TermId,
    /// The value.
    pub value: TermId,
    /// The number of the site that was logged last.
    pub site: TermId,
    /// The parameters of the headers of the loops around it, when it was logged.
    pub params: BTreeMap<Value, TermId>,
    /// The iterations of these loops.
    pub visits: BTreeMap<Loop, TermId>,
}

/// An array and what is done to it.
pub(crate) type Key = (Array, Kind);

/// All entries.
pub(crate) type Log = BTreeMap<Key, Entry>;

/// A place that accesses an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Site {
    /// The instruction.
    pub inst: Inst,
    /// What it accesses, and how.
    pub key: Key,
    /// Where, in bytes.
    pub offset: Value,
    /// Bytes that it covers.
    pub bytes: u32,
}
