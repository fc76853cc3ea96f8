//! The steps that all arguments about protocols share: what the conditions on the way to an
//! instruction say, what holds of the first thread of a block, which barriers come between.

use std::collections::BTreeSet;

use duet_analysis::{EdgeId, Paths};
use duet_ask::Question;
use duet_ir::{BarrierScope, Inst, InstData, Language, MemoryOrder, Space, Terminator, Value};
use duet_product::{KernelFacts, Row, Scope};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{Reading, Side, ThreadTerms};

use super::words::{Reach, fence_order, order_of};
use crate::check::Check;

/// What the questions are about, for the list of what was asked.
const ABOUT: &str = "the order of threads";

/// A kernel whose protocols are looked at.
pub(super) struct Argument<'c, 's, 'f> {
    pub(super) check: &'c mut Check<'s, 'f>,
    pub(super) paths: &'c Paths<'f>,
    /// The memory that is to be ordered. In OpenCL that of the words, too: there fences,
    /// barriers and atomic operations are about one memory or about both.
    pub(super) space: Space,
}

/// The first thread of a block, and the paths that it may take.
pub(super) struct ThreadZero<'f> {
    pub(super) thread: ThreadTerms,
    pub(super) paths: Paths<'f>,
}

impl<'f> Argument<'_, '_, 'f> {
    pub(super) fn facts(&self) -> &'f KernelFacts<'f> {
        self.check.facts
    }

    /// Is there no state in which all of this is true?
    pub(super) fn is_impossible(
        &mut self,
        given: Vec<TermId>,
        goal: Vec<TermId>,
        places: Vec<Inst>,
    ) -> Result<bool, SolverError> {
        let question = Question { given, goal, places, ..Question::about(ABOUT) };
        Ok(self.check.ask(&question)?.is_none())
    }

    /// The conditions that hold whenever a thread executes the instruction, as terms.
    pub(super) fn conditions(
        &mut self,
        paths: &Paths<'_>,
        reading: &mut Reading,
        inst: Inst,
    ) -> Vec<TermId> {
        let mut terms = vec![];
        for condition in paths.conditions_at(inst) {
            let term = reading.term(&mut self.check.walker, condition.value);
            let pool = &mut self.check.walker.pool;
            terms.push(if condition.holds { term } else { pool.not(term) });
        }
        terms
    }

    /// One thread, with what is known of it.
    pub(super) fn one_thread(&mut self) -> (ThreadTerms, Vec<TermId>) {
        let thread = self.check.walker.thread(Side::First, None);
        let mut facts = self.check.walker.geometry.facts.clone();
        facts.extend(&thread.facts);
        (thread, facts)
    }

    /// The first thread of the block that a thread is in. Every block has one; branches
    /// that its ids decide lead it one way only.
    pub(super) fn thread_zero(&mut self, mate: &ThreadTerms) -> ThreadZero<'f> {
        first_thread(self, mate, &[])
    }

    /// Is the instruction executed by first threads of blocks only?
    pub(super) fn is_only_first(&mut self, inst: Inst) -> Result<bool, SolverError> {
        let (thread, given) = self.one_thread();
        let mut reading = Reading::of(&thread, "at");
        let paths = self.paths;
        let mut goal = self.conditions(paths, &mut reading, inst);
        let pool = &mut self.check.walker.pool;
        let zero = pool.bv(32, 0);
        let other: Vec<TermId> = thread.thread.iter().map(|&id| pool.ne(id, zero)).collect();
        goal.push(pool.or(&other));
        self.is_impossible(given, goal, vec![inst])
    }

    /// Can no two threads of one block, or of different ones, be at the two instructions?
    /// `meet` may say more about the two.
    pub(super) fn are_never_two(
        &mut self,
        scope: PairScope,
        one: Inst,
        other: Inst,
        meet: &mut dyn FnMut(&mut Self, &mut Reading, &mut Reading) -> Vec<TermId>,
    ) -> Result<bool, SolverError> {
        let rows = self.facts().program.rows.iter().filter(|row| scope.holds(row));
        for row in rows {
            let (first, second, mut given) = self.check.walker.threads(row);
            let (mut x, mut y) = (Reading::of(&first, "at"), Reading::of(&second, "at"));
            let paths = self.paths;
            let mut goal = self.conditions(paths, &mut x, one);
            goal.extend(self.conditions(paths, &mut y, other));
            goal.extend(meet(self, &mut x, &mut y));
            given.extend(self.drawn_apart(&x, &y));
            if !self.is_impossible(given, goal, vec![one, other])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What two threads drew from one counter is different.
    ///
    /// SOUNDNESS: the counter is one of which every write adds the same, the place is the
    /// same literal (kernels/order/queue-mixed-steps-bug), and the threads of all blocks share
    /// it.
    fn drawn_apart(&mut self, x: &Reading, y: &Reading) -> Vec<TermId> {
        let mut facts = vec![];
        for (&one, &first) in &x.unknown {
            for (&other, &second) in &y.unknown {
                if self.draws_from(one).is_some() && self.draws_from(one) == self.draws_from(other)
                {
                    facts.push(self.check.walker.pool.ne(first, second));
                }
            }
        }
        facts
    }

    fn draws_from(&self, value: Value) -> Option<(duet_ir::Array, u128)> {
        let facts = self.facts();
        let InstData::Atomic { access, .. } = facts.func.definition(value)? else { return None };
        let is_addition = facts.func.definition(value)?.accesses()[0].0.may_write();
        let place = facts.func.const_bits(access.offset)?;
        let is_common = facts.module.arrays[access.array].space == Space::Global;
        let is_counter = is_addition && is_common && facts.is_counter(access.array);
        is_counter.then_some((access.array, place))
    }

    /// Does `write` publish what a thread did at `a`, or passed there? It releases itself, or
    /// a fence that does is on every way from the one to the other.
    ///
    /// SOUNDNESS: what an atomic operation releases is published in its own word only
    /// (kernels/order/atomic-ref-other-word-bug).
    pub(super) fn is_published_by(
        &self,
        paths: &Paths<'_>,
        a: Inst,
        write: Inst,
        reach: Reach,
    ) -> bool {
        let facts = self.facts();
        order_of(facts, write, reach).releases()
            || !paths.may_reach(Some(a), write, |inst| {
                fence_order(facts, inst, reach, self.space).is_some_and(MemoryOrder::releases)
            })
    }

    /// Has a thread that is at `b` acquired what `read` has seen? It acquires itself, or a
    /// fence that does is on every way from the one to the other.
    ///
    /// SOUNDNESS: the order of another operation says nothing
    /// (kernels/order/atomic-ref-other-read-bug).
    pub(super) fn is_acquired(&self, paths: &Paths<'_>, read: Inst, b: Inst, reach: Reach) -> bool {
        let facts = self.facts();
        order_of(facts, read, reach).acquires()
            || !paths.may_reach(Some(read), b, |inst| {
                fence_order(facts, inst, reach, self.space).is_some_and(MemoryOrder::acquires)
            })
    }

    /// The barriers of the whole block that each thread passes once at most, and that order
    /// the memory in question.
    pub(super) fn block_barriers(&self) -> Vec<Inst> {
        let once = |inst: &Inst| !self.paths.may_repeat(*inst);
        self.barriers().into_iter().filter(once).collect()
    }

    /// The barriers of the whole block that order the memory in question, and in CUDA both.
    ///
    /// SOUNDNESS: in OpenCL the flags of a barrier say which (kernels/order/opencl-local-start-bug).
    pub(super) fn barriers(&self) -> Vec<Inst> {
        let func = self.facts().func;
        let needed = match self.facts().module.language {
            Language::Cuda => 3,
            Language::OpenCl if self.space == Space::Shared => 1,
            Language::OpenCl => 2,
        };
        let orders = |inst: &Inst| match &func.insts[*inst] {
            InstData::Barrier { scope: BarrierScope::Block, arg } => {
                let flags = arg.and_then(|flags| func.const_bits(flags));
                flags.is_some_and(|flags| flags & needed == needed)
            }
            InstData::Barrier { scope: BarrierScope::Grid, .. } => true,
            InstData::BarrierReduce { .. } => true,
            InstData::Barrier { scope: BarrierScope::Warp, .. }
            | InstData::Binary { .. }
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
            | InstData::CallUnknown { .. } => false,
        };
        func.insts_in_order().filter(orders).collect()
    }

    /// Does everything that any thread of a block does at `a` come before a fence of the
    /// thread that executes `write`, and that before `write`? Through a barrier of the block
    /// that `a` leads to, and that comes before the fence.
    ///
    /// SOUNDNESS: no thread may return between `a` and the barrier, or the barrier says
    /// nothing about it (kernels/order/last-block-return-bug); and no thread does `a` behind
    /// the barrier (kernels/order/last-block-late-bug).
    pub(super) fn is_gathered(&mut self, a: Inst, write: Inst, reach: Reach) -> bool {
        let mates = paths_of_mates(self, write);
        self.block_barriers().into_iter().any(|barrier| {
            self.paths.must_precede(barrier, write)
                && !self.paths.may_reach(Some(barrier), a, |_| false)
                && !mates.may_return(a, |inst| inst == barrier)
                && self.is_published_by(self.paths, barrier, write, reach)
        })
    }

    /// Does the same thread do `a`, then a fence, then `write`, whenever it does both?
    ///
    /// SOUNDNESS: the fence stands between the two (kernels/order/message-early-fence-bug),
    /// and `a` never comes behind `write` (kernels/order/message-late-bug).
    pub(super) fn is_released(&self, a: Inst, write: Inst, reach: Reach) -> bool {
        !self.paths.may_reach(Some(write), a, |_| false)
            && self.is_published_by(self.paths, a, write, reach)
    }
}

/// The first thread of the block of a thread, where its mate comes to an instruction: branches that sizes, arguments and
/// ids of the block decide lead the two the same way.
///
/// SOUNDNESS: what may differ between the two is not equal as a term
/// (kernels/order/flags-of-blocks-other-bug).
pub(super) fn thread_zero_at<'f>(
    argument: &mut Argument<'_, '_, 'f>,
    mate: &ThreadTerms,
    at: Inst,
) -> ThreadZero<'f> {
    let mut reading = Reading::of(mate, "own");
    let paths = argument.paths;
    let conditions = argument.conditions(paths, &mut reading, at);
    first_thread(argument, mate, &conditions)
}

/// The paths of threads of a block in which one comes to the instruction: branches on the way
/// there that sizes, arguments and ids of the block decide lead all the same way.
///
/// SOUNDNESS: what may differ between two threads of a block is not equal as a term
/// (kernels/order/last-block-guarded-bug).
fn paths_of_mates<'f>(argument: &mut Argument<'_, '_, 'f>, at: Inst) -> Paths<'f> {
    let (thread, _) = argument.one_thread();
    let mut reading = Reading::of(&thread, "own");
    let paths = argument.paths;
    let holds = argument.conditions(paths, &mut reading, at);
    let mate = argument.check.walker.thread(Side::Second, Some(&thread));
    paths_where(argument, &mate, &holds)
}

/// The first thread of a block, where these conditions hold.
fn first_thread<'f>(
    argument: &mut Argument<'_, '_, 'f>,
    mate: &ThreadTerms,
    holds: &[TermId],
) -> ThreadZero<'f> {
    let thread = mate.first_of_block(&mut argument.check.walker.pool);
    let paths = paths_where(argument, &thread, holds);
    ThreadZero { thread, paths }
}

/// The paths that a thread may take where these conditions hold.
fn paths_where<'f>(
    argument: &mut Argument<'_, '_, 'f>,
    thread: &ThreadTerms,
    holds: &[TermId],
) -> Paths<'f> {
    let func = argument.facts().func;
    let mut reading = Reading::of(thread, "mate");
    let mut never_taken = BTreeSet::new();
    for &block in &func.layout {
        let Terminator::Branch { cond, .. } = func.blocks[block].terminator else {
            continue;
        };
        let cond = reading.term(&mut argument.check.walker, cond);
        let pool = &mut argument.check.walker.pool;
        let (yes, no, not) = (pool.tt(), pool.ff(), pool.not(cond));
        if cond == yes || holds.contains(&cond) {
            never_taken.insert(EdgeId { from: block, index: 1 });
        } else if cond == no || holds.contains(&not) {
            never_taken.insert(EdgeId { from: block, index: 0 });
        }
    }
    Paths::without(func, never_taken)
}

impl ThreadZero<'_> {
    /// Does the first thread pass the barrier in every run in which others do?
    ///
    /// SOUNDNESS: it does not return before (kernels/order/gate-zero-returns-bug).
    pub(super) fn passes(&self, barrier: Inst) -> bool {
        self.paths.may_reach(None, barrier, |_| false)
            && !self.paths.starts_and_returns(|inst| inst == barrier)
    }
}

/// Which pairs of threads are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PairScope {
    SameBlock,
    OtherBlocks,
    Any,
}

impl PairScope {
    fn holds(self, row: &Row) -> bool {
        match self {
            PairScope::SameBlock => row.scope != Scope::Grid,
            PairScope::OtherBlocks => row.scope == Scope::Grid,
            PairScope::Any => true,
        }
    }
}

/// Is what a thread acquires by `read` released by the `write` that it makes later? It
/// acquires, by the read itself or by a fence, and what releases comes behind that, or
/// is the same fence.
pub(super) fn is_passed_on(
    argument: &Argument<'_, '_, '_>,
    read: Inst,
    write: Inst,
    reach: Reach,
) -> bool {
    let (facts, paths) = (argument.facts(), argument.paths);
    let order = |inst: Inst| fence_order(facts, inst, reach, argument.space);
    let acquires = |inst: Inst| order(inst).is_some_and(MemoryOrder::acquires);
    if order_of(facts, read, reach).acquires() {
        return argument.is_published_by(paths, read, write, reach);
    }
    let is_released = |fence: Inst| {
        order(fence).is_some_and(MemoryOrder::releases)
            || argument.is_published_by(paths, fence, write, reach)
    };
    let mut behind = facts.func.insts_in_order().filter(|&inst| acquires(inst));
    !paths.may_reach(Some(read), write, acquires)
        && behind.all(|fence| !paths.may_reach(Some(read), fence, |_| false) || is_released(fence))
}
