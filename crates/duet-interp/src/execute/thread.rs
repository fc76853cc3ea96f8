//! The state of threads and of the blocks they form.

use std::collections::{BTreeMap, HashMap};

use duet_ir::{ExchangeOp, Reduction};

use crate::decode::Slot;
use crate::memory::Region;
use crate::races::order::{BitSet, BlockOrder};
use crate::races::shadow::Shadow;

/// An activation of a function.
#[derive(Default, Debug)]
pub(crate) struct Frame {
    /// Index of the code.
    pub(crate) code: u32,
    /// The next operation.
    pub(crate) pc: u32,
    pub(crate) slots: Vec<u64>,
    /// The loops with meeting points that were entered, as bits.
    pub(crate) entered: u64,
}

/// What a thread is doing.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Ready,
    Waiting(Wait),
    Ended(End),
}

/// Why a thread waits.
#[derive(Clone, Debug)]
pub(crate) enum Wait {
    /// At a block barrier, with its flags and perhaps a predicate to combine.
    Block {
        flags: u32,
        reduce: Option<(Reduction, Slot, bool)>,
    },
    /// At a warp barrier or exchange.
    Warp(WarpWait),
    Grid,
}

/// A lane that waits for others.
#[derive(Clone, Debug)]
pub(crate) struct WarpWait {
    /// The lanes waited for; `None`: all live ones.
    pub(crate) mask: Option<u32>,
    /// `None` for a barrier.
    pub(crate) exchange: Option<LaneInput>,
}

/// What a lane brings to an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LaneInput {
    pub(crate) op: ExchangeOp,
    /// Index in the code's table.
    pub(crate) index: u32,
    pub(crate) width: u8,
    /// Value, lane or delta, segment width.
    pub(crate) args: [u128; 3],
}

/// How a thread ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Returned,
    /// After a failed assertion.
    Halted,
    /// Given up because of divergence or deadlock.
    Stopped,
}

/// A thread.
#[derive(Debug)]
pub(crate) struct Thread {
    /// Number in the grid: block by block.
    pub(crate) number: u32,
    /// Number in the block, x fastest.
    pub(crate) local: u32,
    pub(crate) id: [u32; 3],
    pub(crate) state: State,
    pub(crate) frame: Frame,
    pub(crate) callers: Vec<Frame>,
    /// Private arrays, made when first touched.
    pub(crate) private: Vec<Option<Box<Region>>>,
    pub(crate) steps: u64,
    /// Unknowns drawn so far.
    pub(crate) unknowns: u64,
    /// Visits of each asynchronous copy, and of each wait for some.
    pub(crate) copies: HashMap<u32, u32>,
}

impl Thread {
    pub(crate) fn warp(&self) -> u32 {
        self.local / 32
    }

    pub(crate) fn lane(&self) -> u32 {
        self.local % 32
    }

    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready)
    }

    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended(_))
    }

    pub(crate) fn has_returned(&self) -> bool {
        matches!(self.state, State::Ended(End::Returned))
    }

    /// The wait at a warp barrier or exchange.
    pub(crate) fn warp_wait(&self) -> Option<&WarpWait> {
        match &self.state {
            State::Waiting(Wait::Warp(wait)) => Some(wait),
            State::Ready | State::Waiting(_) | State::Ended(_) => None,
        }
    }

    /// Are both at the same instruction, through the same calls?
    pub(crate) fn is_beside(&self, other: &Thread) -> bool {
        let place = |frame: &Frame| (frame.code, frame.pc);
        place(&self.frame) == place(&other.frame)
            && self.callers.iter().map(place).eq(other.callers.iter().map(place))
    }
}

/// One instance of an array with its race log, if it has one.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) region: Region,
    pub(crate) shadow: Option<Shadow>,
}

/// What the threads of a block have in common.
#[derive(Debug)]
pub(crate) struct BlockLocal {
    pub(crate) number: u32,
    pub(crate) id: [u32; 3],
    /// Number of its first thread.
    pub(crate) first: u32,
    pub(crate) shared: Vec<Instance>,
    pub(crate) order: BlockOrder,
    /// Of each warp, the lanes that have not ended.
    pub(crate) live: Vec<u32>,
    /// Asynchronous copies by instruction, visit and (in CUDA) thread.
    pub(crate) copies: HashMap<(u32, u32, u32), u32>,
    /// The copies of each event.
    pub(crate) events: HashMap<u32, Vec<u32>>,
    /// Copies that are not done yet.
    pub(crate) pending: Vec<u32>,
    pub(crate) next_event: u32,
    /// Waits for copies by instruction and visit.
    pub(crate) waits: BTreeMap<(u32, u32), GroupWait>,
}

/// A wait for copies that the threads of a block make together.
#[derive(Debug)]
pub(crate) struct GroupWait {
    /// The first thread that waited.
    pub(crate) first: u32,
    /// The events that it waited for.
    pub(crate) events: Vec<u32>,
    /// The threads of the block that waited.
    pub(crate) joined: BitSet,
}

/// A block that runs.
#[derive(Debug)]
pub(crate) struct BlockRun {
    pub(crate) local: BlockLocal,
    pub(crate) threads: Vec<Thread>,
    /// Threads in state `Ready`.
    pub(crate) ready: u32,
    /// Is every thread that has not ended at a grid barrier?
    pub(crate) at_grid: bool,
    /// Turns in a row in which every thread used up its time.
    pub(crate) spins: u32,
    /// Bytes taken from the budget.
    pub(crate) bytes: u64,
}
