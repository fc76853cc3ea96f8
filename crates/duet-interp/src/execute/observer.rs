//! Hooks for engines that watch runs. Costs nothing when unused: the
//! interpreter is compiled for each observer.

use duet_ir::{AnnotationKind, Array, Block, Inst, Value};

use crate::decode::Code;
use crate::interface::findings::{Race, Site, ThreadPos};

/// Watches a run, and may choose its unknown values.
pub trait Observer {
    /// Are the hooks called at all?
    const ACTIVE: bool = true;

    /// A thread enters a block; its parameters are bound.
    fn enter_block(&mut self, _visit: &Visit<'_>, _block: Block) {}

    /// A thread passes an annotation; `args` are its operands' bits.
    fn annotation(
        &mut self,
        _visit: &Visit<'_>,
        _inst: Inst,
        _kind: AnnotationKind,
        _args: &[u128],
    ) {
    }

    /// A thread is about to access bytes of an array.
    fn access(&mut self, _thread: ThreadPos, _site: Site, _array: Array, _offset: u64, _len: u32) {}

    /// The access at hand is the first that shows this race.
    fn race(&mut self, _race: &Race) {}

    /// Has it seen enough? The run is ended soon after, as if it had come to a limit.
    fn is_satisfied(&self) -> bool {
        false
    }

    /// The value of an unknown; `default` is what the seed says. `nth` counts
    /// the unknowns of the thread.
    fn unknown(&mut self, _thread: ThreadPos, _site: Site, _nth: u64, default: u128) -> u128 {
        default
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ACTIVE: bool = false;
}

/// A thread at a point of a function.
pub struct Visit<'a> {
    /// The thread.
    pub thread: ThreadPos,
    pub(crate) code: &'a Code,
    pub(crate) slots: &'a [u64],
}

impl Visit<'_> {
    /// The function.
    pub fn func(&self) -> duet_ir::Func {
        self.code.func
    }

    /// The bits of a value: as last defined by this activation of the function,
    /// 0 before. References are array numbers plus one, 0 for null.
    pub fn value(&self, value: Value) -> u128 {
        self.code.arg(value).read(self.slots)
    }
}
