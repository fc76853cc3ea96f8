//! The barriers of a function: which threads they make wait, and for which memory
//! spaces they end an interval.
//!
//! A *row* is the narrowest scope that two threads share. Barriers of that scope
//! or a wider one order them: in the warp row `barrier warp`, `barrier block`,
//! `barrier_reduce` and `barrier grid`; in the block row all but the first; in the
//! grid row the last alone. Warp exchanges align lanes and order nothing; they are
//! listed apart. Fences are no barriers.
//!
//! *Spaces.* The flags of a block barrier say for which spaces it orders accesses.
//! Only a literal is believed: flags that are computed may differ between the
//! threads, and a space is ordered only if both cover it. The other barriers cover
//! every space.
//!
//! *Masks.* A warp barrier orders the lanes of its mask. Unless the mask is all
//! lanes, literally, it ends an interval for some pairs and not for others:
//! [`Ends::Maybe`].
//!
//! *Calls.* A callee with a barrier in it hides where intervals end. Such calls are
//! listed in [`Barriers::opaque_calls`]; intervals run through them, which covers
//! every access of the caller but not the alignment inside. A proof from
//! intervals has to refuse the function if there are any.
//!
//! Cost: one pass.

use std::collections::BTreeSet;
use std::fmt;

use duet_ir::{BarrierScope, Block, Effect, Func, Function, Inst, InstData, Module, Space};

use crate::{Loop, Loops, Scope};

/// Does a barrier end an interval?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ends {
    /// For no pair.
    Never,
    /// For some pairs (a mask that is not all lanes), or it cannot be told
    /// (flags that are no literal).
    Maybe,
    /// For every pair of the row.
    Always,
}

/// A barrier instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Barrier {
    /// The instruction.
    pub inst: Inst,
    /// Its block.
    pub block: Block,
    /// Its place among the instructions of the block.
    pub index: usize,
    /// Whom it makes wait.
    pub scope: BarrierScope,
    /// Does it order accesses to shared memory?
    pub shared: Ends,
    /// Does it order accesses to global memory?
    pub global: Ends,
    /// Are all lanes or threads of the scope meant?
    pub whole: bool,
}

impl Barrier {
    /// Does it end the intervals of a row, for a memory space or (`None`) as
    /// what aligns threads?
    pub fn ends(&self, row: Scope, space: Option<Space>) -> Ends {
        if self.scope < row {
            return Ends::Never;
        }
        let covers = match space {
            Some(Space::Shared) => self.shared,
            Some(Space::Global) => self.global,
            Some(Space::Constant | Space::Private) | None => Ends::Always,
        };
        if self.whole { covers } else { covers.min(Ends::Maybe) }
    }
}

/// The barriers and exchanges of a function.
#[derive(Clone, Debug)]
pub struct Barriers {
    barriers: Vec<Barrier>,
    exchanges: Vec<Inst>,
    opaque_calls: Vec<Inst>,
}

impl Barriers {
    /// Of a function of a well-formed module.
    pub fn new(module: &Module, func: Func) -> Barriers {
        let function = &module.functions[func];
        let mut result = Barriers { barriers: vec![], exchanges: vec![], opaque_calls: vec![] };
        for &block in &function.layout {
            for (index, &inst) in function.blocks[block].insts.iter().enumerate() {
                result.barriers.extend(barrier(function, block, index, inst));
                match function.insts[inst].effect() {
                    Effect::Exchange => result.exchanges.push(inst),
                    Effect::Call(callee) if may_synchronise(module, callee) => {
                        result.opaque_calls.push(inst);
                    }
                    Effect::Call(_)
                    | Effect::Barrier(_)
                    | Effect::None
                    | Effect::MayFail
                    | Effect::Memory
                    | Effect::Fence
                    | Effect::WaitsForCopies
                    | Effect::Statement
                    | Effect::CallUnknown => {}
                }
            }
        }
        result
    }

    /// Every barrier, in the order of the layout.
    pub fn iter(&self) -> impl Iterator<Item = &Barrier> {
        self.barriers.iter()
    }

    /// The barriers of a row.
    pub fn of_row(&self, row: Scope) -> impl Iterator<Item = &Barrier> {
        self.barriers.iter().filter(move |barrier| barrier.scope >= row)
    }

    /// The barriers in a loop, of any scope and mask.
    pub fn in_loop<'a>(&'a self, loops: &'a Loops, id: Loop) -> impl Iterator<Item = &'a Barrier> {
        self.barriers.iter().filter(move |barrier| loops.contains(id, barrier.block))
    }

    /// The barrier that an instruction is.
    pub fn get(&self, inst: Inst) -> Option<&Barrier> {
        self.barriers.iter().find(|barrier| barrier.inst == inst)
    }

    /// The warp exchanges, in the order of the layout.
    pub fn exchanges(&self) -> &[Inst] {
        &self.exchanges
    }

    /// The calls that may pass a barrier or an exchange inside.
    pub fn opaque_calls(&self) -> &[Inst] {
        &self.opaque_calls
    }
}

/// The barrier that an instruction is.
fn barrier(func: &Function, block: Block, index: usize, inst: Inst) -> Option<Barrier> {
    let all = (Ends::Always, Ends::Always, true);
    let (scope, (shared, global, whole)) = match &func.insts[inst] {
        InstData::Barrier { scope: BarrierScope::Block, arg } => {
            let flags = arg.map(|flags| func.const_bits(flags));
            (
                BarrierScope::Block,
                match flags {
                    None => all,
                    Some(None) => (Ends::Maybe, Ends::Maybe, true),
                    Some(Some(bits)) => (covers(bits, 1), covers(bits, 2), true),
                },
            )
        }
        InstData::Barrier { scope: BarrierScope::Warp, arg } => {
            let lanes = arg.and_then(|mask| func.const_bits(mask));
            let whole = lanes == Some(u128::from(u32::MAX));
            (BarrierScope::Warp, (Ends::Always, Ends::Always, whole))
        }
        InstData::Barrier { scope: BarrierScope::Grid, .. } => (BarrierScope::Grid, all),
        InstData::BarrierReduce { .. } => (BarrierScope::Block, all),
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Load { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => return None,
    };
    Some(Barrier { inst, block, index, scope, shared, global, whole })
}

/// Does a literal of fence flags have the bit?
fn covers(flags: u128, bit: u128) -> Ends {
    if flags & bit != 0 { Ends::Always } else { Ends::Never }
}

/// May the function, or one that it calls, synchronise threads?
fn may_synchronise(module: &Module, root: Func) -> bool {
    let mut seen = BTreeSet::from([root]);
    let mut work = vec![root];
    while let Some(func) = work.pop() {
        let function = &module.functions[func];
        for inst in function.insts_in_order() {
            match function.insts[inst].effect() {
                Effect::Barrier(_) | Effect::Exchange => return true,
                Effect::Call(callee) => work.extend(seen.insert(callee).then_some(callee)),
                Effect::None
                | Effect::MayFail
                | Effect::Memory
                | Effect::Fence
                | Effect::WaitsForCopies
                | Effect::Statement
                | Effect::CallUnknown => {}
            }
        }
    }
    false
}

impl fmt::Display for Barriers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for barrier in &self.barriers {
            let Barrier { inst, block, index, scope, .. } = barrier;
            write!(f, "{inst} at {block}.{index}: {scope}")?;
            for (space, ends) in [("shared", barrier.shared), ("global", barrier.global)] {
                match ends {
                    Ends::Always => write!(f, " {space}")?,
                    Ends::Maybe => write!(f, " {space}?")?,
                    Ends::Never => {}
                }
            }
            writeln!(f, "{}", if barrier.whole { "" } else { " some lanes" })?;
        }
        self.exchanges.iter().try_for_each(|inst| writeln!(f, "{inst}: exchange"))?;
        self.opaque_calls.iter().try_for_each(|inst| writeln!(f, "{inst}: opaque call"))
    }
}
