//! *Publish and consume*: a flag that is set behind the data, and waited for.
//!
//! What is read off the instructions: every access to the array of flags is strong, and puts
//! a literal there or leaves it as it is. A *consumer* of an access is a read of a flag that
//! comes before it, with a fence between the two: in the same thread, or, through a barrier
//! of the block, in the block's first thread. The *sources* of what it has read are the
//! instructions that put such a literal there. An access is *published* by a source if
//! each thread that does both does the access first, then a fence, then sets the flag; or if
//! a barrier of the block and then a fence come between the two.
//!
//! A variable may hold what several reads of one flag have found: one before a loop that
//! waits, and one in it. Then the first of them is on every way to the others, and to the
//! access. So what the place is computed from was computed before the first, and not again
//! behind it, and the variable holds what one of them found since.
//!
//! What is asked of the solver: what was read is not 0; which literals it can be; that no
//! other thread than the one that made the access (no thread of another block, where there
//! is a barrier) can set the flag that the one of the access sets; and, pair by pair, that it
//! is this flag that the consumer has read.
//!
//! *Argument.* Flags are 0 at launch (a precondition, or an assumption that is printed), and
//! the consumer has read something else, so it has read what a source wrote, or a chain of
//! read-modify-writes that leave the word as it is and that the source heads. The only thread
//! (or block) that writes there is the one of the access, so the source was executed by it,
//! behind the access and its fence. Source and read are strong and in each other's scope, or
//! they race. So the access happens before what comes behind the consumer's fence.
//!
//! A place of a queue that was drawn from a counter has one owner: what two threads draw is
//! different, so the flag of the place has one writer. The counter itself publishes nothing.
//!
//! SOUNDNESS: kernels/order/message-no-release-bug, message-no-acquire-bug,
//! flags-neighbour-bug, queue-next-place-bug, lookback-state-bug, and their neighbours.

use std::collections::BTreeSet;

use duet_analysis::Paths;
use duet_ir::{Array, Inst, Space, Value, ValueDef};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{Reading, ThreadTerms};

use super::argument::{Argument, PairScope, thread_zero_at};
use super::words::{Does, Reach, Word, words};

/// The flags of an array.
#[derive(Clone, Debug)]
pub(super) struct Flags {
    pub(super) array: Array,
    sets: Vec<(Word, u128)>,
    reads: Vec<Word>,
}

/// A read of a flag whose value an access waits for.
#[derive(Clone, Debug)]
pub(super) struct Consumer {
    /// The place of the flag.
    pub(super) offset: Value,
    /// It was read by the first thread of the block.
    pub(super) by_first_thread: bool,
    /// Who may have written what was read.
    pub(super) sources: Vec<Word>,
    /// The reads that may have found it.
    pub(super) reads: Vec<Inst>,
}

/// What a thread that waits for a flag has read.
struct Wait {
    /// The read that comes before the others.
    first: Inst,
    reads: Vec<Inst>,
    /// What one of them has found.
    value: Value,
    /// The place of the flag.
    offset: Value,
}

impl Wait {
    fn consumer(&self, sources: Vec<Word>, by_first_thread: bool) -> Consumer {
        let (offset, reads) = (self.offset, self.reads.clone());
        Consumer { offset, by_first_thread, sources, reads }
    }

    /// Was there a read whenever a thread comes to an instruction, and then a fence?
    ///
    /// SOUNDNESS: behind each of the reads (kernels/order/lookback-one-fence-bug).
    fn is_before(
        &self,
        argument: &Argument<'_, '_, '_>,
        paths: &Paths<'_>,
        at: Inst,
        reach: Reach,
    ) -> bool {
        paths.must_precede(self.first, at)
            && self.reads.iter().all(|&read| argument.is_acquired(paths, read, at, reach))
    }
}

impl Argument<'_, '_, '_> {
    /// The flags that an array holds, if all that is done to it fits.
    pub(super) fn flags(&mut self, array: Array) -> Option<Flags> {
        let (mut sets, mut reads) = (vec![], vec![]);
        for word in words(self.facts(), array)? {
            match word.does {
                Does::Set { to, .. } => sets.push((word, to)),
                Does::Read => reads.push(word),
                Does::Start => {}
                Does::Swap { .. } | Does::Add(_) | Does::Increment | Does::Reset | Does::Other => {
                    return None;
                }
            }
        }
        (!sets.is_empty() && !reads.is_empty()).then_some(Flags { array, sets, reads })
    }

    /// The reads of flags that an access comes behind.
    pub(super) fn consumers(
        &mut self,
        flags: &Flags,
        b: Inst,
        reach: Reach,
    ) -> Result<Vec<Consumer>, SolverError> {
        let mut found = vec![];
        let (thread, given) = self.one_thread();
        let waits = waits(self, flags, &thread);
        let paths = self.paths;
        for wait in &waits {
            if wait.is_before(self, paths, b, reach) {
                let sources = self.sources(flags, wait, paths, &thread, b, &given)?;
                found.extend(sources.map(|sources| wait.consumer(sources, false)));
            }
        }
        let zero = thread_zero_at(self, &thread, b);
        for wait in &waits {
            for barrier in self.block_barriers() {
                let is_gate = self.is_gate(&zero, wait.first, barrier, b)
                    && wait.is_before(self, &zero.paths, barrier, Reach::Device);
                if !is_gate {
                    continue;
                }
                let sources =
                    self.sources(flags, wait, &zero.paths, &zero.thread, barrier, &given)?;
                found.extend(sources.map(|sources| wait.consumer(sources, true)));
            }
        }
        Ok(found)
    }

    /// Who may have written what was read, where a thread comes to an instruction; nothing
    /// if it may be what was there at launch.
    fn sources(
        &mut self,
        flags: &Flags,
        wait: &Wait,
        paths: &Paths<'_>,
        thread: &ThreadTerms,
        at: Inst,
        given: &[TermId],
    ) -> Result<Option<Vec<Word>>, SolverError> {
        let mut reading = Reading::of(thread, "seen");
        let goal = self.conditions(paths, &mut reading, at);
        let seen = reading.term(&mut self.check.walker, wait.value);
        // SOUNDNESS: seeing what was there at launch is no message
        // (kernels/order/message-initial-bug).
        if !self.cannot_be(seen, 0, given, &goal, wait.first)? {
            return Ok(None);
        }
        let (mut sources, mut impossible) = (vec![], BTreeSet::new());
        for (word, to) in &flags.sets {
            if impossible.contains(to) || self.cannot_be(seen, *to, given, &goal, wait.first)? {
                impossible.insert(*to);
            } else {
                sources.push(*word);
            }
        }
        Ok((!sources.is_empty()).then_some(sources))
    }

    fn cannot_be(
        &mut self,
        seen: TermId,
        bits: u128,
        given: &[TermId],
        goal: &[TermId],
        place: Inst,
    ) -> Result<bool, SolverError> {
        let pool = &mut self.check.walker.pool;
        let width = pool.width(seen);
        let number = pool.bv(width, bits);
        let is_it = pool.eq(seen, number);
        let goal = goal.iter().copied().chain([is_it]).collect();
        self.is_impossible(given.to_vec(), goal, vec![place])
    }

    /// Does the source publish the access, and is it set by its thread (or block) only?
    ///
    /// Flags in shared memory are those of one block: threads of others set other ones.
    pub(super) fn is_published(
        &mut self,
        flags: &Flags,
        a: Inst,
        source: &Word,
        reach: Reach,
    ) -> Result<bool, SolverError> {
        let (thread, _) = self.one_thread();
        let mut reading = Reading::of(&thread, "place");
        reading.term(&mut self.check.walker, source.offset);
        // The place of the flag is the one that the thread sets later, so what it is
        // computed from is computed before the access, and not again.
        if !reading.unknown.keys().all(|&value| self.is_settled_at(value, a)) {
            return Ok(false);
        }
        let offset = source.offset;
        let mut same_flag = |this: &mut Self, x: &mut Reading, y: &mut Reading| {
            let walker = &mut this.check.walker;
            let (one, other) = (x.term(walker, offset), y.term(walker, offset));
            vec![walker.pool.eq(one, other)]
        };
        let is_shared = self.facts().module.arrays[flags.array].space == Space::Shared;
        let users = if is_shared { PairScope::SameBlock } else { PairScope::Any };
        if self.is_released(a, source.inst, reach)
            && self.are_never_two(users, a, source.inst, &mut same_flag)?
        {
            return Ok(true);
        }
        // SOUNDNESS: the threads of a block mean the same flag
        // (kernels/order/flags-of-threads-bug).
        let mut other_flag = |this: &mut Self, x: &mut Reading, y: &mut Reading| {
            let walker = &mut this.check.walker;
            let (one, other) = (x.term(walker, offset), y.term(walker, offset));
            vec![walker.pool.ne(one, other)]
        };
        Ok(reading.is_known()
            && self.is_gathered(a, source.inst, reach)
            && self.are_never_two(PairScope::SameBlock, a, source.inst, &mut other_flag)?
            && (is_shared
                || self.are_never_two(PairScope::OtherBlocks, a, source.inst, &mut same_flag)?))
    }

    /// Is the value computed before the access, and not again behind it?
    fn is_settled_at(&self, value: Value, a: Inst) -> bool {
        let Some(inst) = self.facts().func.inst_of(value) else { return false };
        self.paths.must_precede(inst, a) && !self.paths.may_reach(Some(a), inst, |_| false)
    }
}

/// The reads of flags, and the variables that hold what several reads of one flag found.
fn waits(argument: &mut Argument<'_, '_, '_>, flags: &Flags, thread: &ThreadTerms) -> Vec<Wait> {
    let func = argument.facts().func;
    let single = |read: &Word| Wait {
        first: read.inst,
        reads: vec![read.inst],
        value: func.result(read.inst),
        offset: read.offset,
    };
    let mut waits: Vec<Wait> = flags.reads.iter().map(single).collect();
    for &block in &func.layout {
        for &param in &func.blocks[block].params {
            let reads = reads_in(argument, flags, param).filter(|reads| reads.len() > 1);
            waits.extend(reads.and_then(|reads| wait_of(argument, thread, param, &reads)));
        }
    }
    waits
}

/// The reads that a variable may hold what was found by, if it holds nothing else.
fn reads_in(argument: &Argument<'_, '_, '_>, flags: &Flags, variable: Value) -> Option<Vec<Word>> {
    let func = argument.facts().func;
    let (mut work, mut seen, mut reads) = (vec![variable], BTreeSet::from([variable]), vec![]);
    while let Some(value) = work.pop() {
        let ValueDef::BlockParam(block, index) = func.values[value] else {
            let read = flags.reads.iter().find(|read| func.result(read.inst) == value)?;
            reads.push(*read);
            continue;
        };
        let edges = func.layout.iter().flat_map(|&from| func.blocks[from].terminator.edges());
        for edge in edges.filter(|edge| edge.block == block) {
            let arg = *edge.args.get(index as usize)?;
            if seen.insert(arg) {
                work.push(arg);
            }
        }
    }
    Some(reads)
}

fn wait_of(
    argument: &mut Argument<'_, '_, '_>,
    thread: &ThreadTerms,
    value: Value,
    reads: &[Word],
) -> Option<Wait> {
    let is_first = |one: &&Word| {
        let mut others = reads.iter().filter(|other| other.inst != one.inst);
        others.all(|other| argument.paths.must_precede(one.inst, other.inst))
    };
    let first = *reads.iter().find(is_first)?;
    let mut reading = Reading::of(thread, "wait");
    let mut place = |word: &Word| reading.term(&mut argument.check.walker, word.offset);
    let at = place(&first);
    // SOUNDNESS: each of them is of the same flag (kernels/order/lookback-next-bug).
    let is_one = reads.iter().all(|read| place(read) == at);
    let insts = reads.iter().map(|read| read.inst).collect();
    is_one.then_some(Wait { first: first.inst, reads: insts, value, offset: first.offset })
}
