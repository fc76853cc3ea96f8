//! *A barrier of the grid by hand in a loop*: each iteration passes it once.
//!
//! What is read off the instructions: an outermost loop with two barriers of the block, an
//! entry and an exit of the gate, of which each iteration passes the one and then the other,
//! once. Between the two the first thread of the block adds 1 to a counter, once; a fence
//! comes between the entry and the addition, and another between what it reads and the exit.
//! It does not return before the loop. The waiting is of one of two kinds:
//!
//! * *counted*: nothing else changes the counter, and at the exit the first thread has read, in
//!   this iteration, at least as many as all blocks have added by the end of it, as a number
//!   without bound. The loop has a counter of its iterations that does not wrap around;
//! * *by generation*: who finds that it is the last to add puts 0 there (or `atomicInc` does),
//!   and then, behind a fence that acquires and releases, adds 1 to a second word, the
//!   generation, which nothing else changes. Every other way to the exit takes an edge on which
//!   two reads of the generation, both of this iteration, differ.
//!
//! An access is of *generation g* if its thread has passed g exits before it and comes to the
//! next entry before the next exit: it is before the loop (0), in front of the entry (as many as
//! iterations are over), or behind the exit (one more). Two accesses of different generations
//! are ordered, so what is asked of a pair is whether the generations may be equal: whether the
//! loop's own variable has one value (less a step behind an exit).
//!
//! *Argument.* Write m-th addition for that of a block in its m-th iteration. Claim: whoever
//! passes the exit for the m-th time has the m-th additions of all blocks before it, in coherence
//! order and by happens-before; so every (m+1)-th addition comes behind all m-th ones.
//!
//! Counted: the claim is that of `phases`, with a wait in each iteration.
//!
//! By generation: in the m-th iteration a block adds behind the (m-1)-th exit, so all (m-1)-th
//! additions are over, and so is what put 0 there, for it comes before the fence and the
//! addition to the generation that let it pass. The first to find N - 1 therefore has N - 1
//! others of the m-th additions before it, unless a (m+1)-th is among them; but that one comes
//! behind an exit, and its block passed it because it has read a generation later than what it
//! read earlier in this iteration, which by coherence is the m-th at least; and the m-th addition
//! to the generation comes behind the one that found N - 1. A generation is not equal to one
//! that it was before for want of bits only; two different numbers are different places of the
//! coherence order, whatever the word held at launch.
//!
//! An access of generation g happens before the next entry of its block, by the barrier, and so
//! before its (g+1)-th addition; every access of a higher generation comes behind the (g+1)-th
//! exit of its block. A thread that leaves the loop while others go on is divergence, and no
//! block goes on without the others.
//!
//! SOUNDNESS: kernels/order/gate-loop-reset-bug (the wait asks for too little), gate-loop-late-bug
//! (an access between entry and exit), gate-generation-bug (no fence before the addition),
//! gate-generation-no-release-bug (none before the generation), gate-generation-stale-bug (the
//! generation is read before the loop only), gate-generation-early-bug (0 is put there too late),
//! gate-generation-return-bug (a thread returns before the loop).

use duet_analysis::{ClosedForm, EdgeId, Loop, Paths};
use duet_ir::{Array, Block, Inst, InstData, IntCc, Space, Terminator, Value};
use duet_product::KernelFacts;
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::Reading;

use super::argument::{Argument, ThreadZero, is_passed_on};
use super::counter::{Counter, Unit};
use super::words::{Does, Reach, Word, words};

/// Bits for the additions of all blocks: those of three sizes and of a count of iterations.
const WIDE: u32 = 128;

/// A barrier of the grid by hand in a loop.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    /// The arrays of its words.
    pub(super) arrays: Vec<Array>,
    /// Stands for the beginning of each iteration.
    head: Inst,
    entry: Inst,
    exit: Inst,
    /// The variable that tells iterations apart, and what is added to it.
    pub(super) variable: Value,
    step: u128,
    start: u128,
}

/// What the loop's variable is for the generation of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Generation {
    /// Before the loop: as at its start.
    Start(u128),
    /// As it is, plus a number.
    Variable(u128),
}

/// A gate with what is needed to find it.
struct Look<'a, 'f> {
    gate: Gate,
    add: Word,
    zero: &'a ThreadZero<'f>,
    of_word: &'a [Word],
}

/// The gate that an array counts for, if it does.
pub(super) fn find(
    argument: &mut Argument<'_, '_, '_>,
    array: Array,
) -> Result<Option<Gate>, SolverError> {
    let facts = argument.facts();
    let Some(of_word) = one_word(facts, array) else { return Ok(None) };
    let adds = |word: &&Word| matches!(word.does, Does::Add(1) | Does::Increment);
    let additions: Vec<Word> = of_word.iter().filter(adds).copied().collect();
    let &[add] = &additions[..] else { return Ok(None) };
    let Some((id, head)) = outermost_loop(facts, add.inst) else { return Ok(None) };
    let Some((variable, start, step)) = variable(facts, id) else { return Ok(None) };
    if !argument.is_only_first(add.inst)? {
        return Ok(None);
    }
    let (thread, _) = argument.one_thread();
    let zero = argument.thread_zero(&thread);
    if zero.paths.starts_and_returns(|inst| inst == head) {
        return Ok(None);
    }
    let barriers = argument.barriers();
    for &entry in &barriers {
        for &exit in &barriers {
            let arrays = vec![array];
            let gate = Gate { arrays, head, entry, exit, variable, step, start };
            if !is_passed_once(argument, &gate, add.inst, &zero) {
                continue;
            }
            let mut look = Look { gate, add, zero: &zero, of_word: &of_word };
            if look.is_counted(argument)? || look.is_by_generation(argument)? {
                return Ok(Some(look.gate));
            }
        }
    }
    Ok(None)
}

impl Gate {
    /// The generation of an access, if it has one.
    ///
    /// SOUNDNESS: between entry and exit it has none (kernels/order/gate-loop-late-bug); who
    /// returns before the loop comes to no entry (kernels/order/gate-generation-return-bug).
    pub(super) fn generation(&self, paths: &Paths<'_>, at: Inst) -> Option<Generation> {
        let is_head = |inst: Inst| inst == self.head;
        if !paths.may_reach(Some(self.head), at, |_| false) {
            let is_before = at != self.head && !paths.may_return(at, is_head);
            return is_before.then_some(Generation::Start(self.start));
        }
        if !paths.must_precede(self.head, at) {
            return None;
        }
        if !paths.may_reach(Some(self.entry), at, is_head) {
            return Some(Generation::Variable(0));
        }
        let is_behind = !paths.may_reach(Some(self.head), at, |inst| inst == self.exit);
        is_behind.then_some(Generation::Variable(self.step))
    }
}

impl Look<'_, '_> {
    /// Has the first thread read, at the exit, as many as all have added by then?
    fn is_counted(&self, argument: &mut Argument<'_, '_, '_>) -> Result<bool, SolverError> {
        let Gate { head, exit, variable, .. } = self.gate;
        let facts = argument.facts();
        let fits = |word: &Word| word.inst == self.add.inst || word.does == Does::Read;
        // Iterations are counted from 0, without a gap.
        let is_count = self.add.does == Does::Add(1) && self.gate.start == 0 && self.gate.step == 1;
        if !is_count || !self.of_word.iter().all(fits) {
            return Ok(false);
        }
        let Some(block) = block_of(facts, self.add.inst) else { return Ok(false) };
        let Some(most) = facts.ranges.at(variable, block).map(|range| range.unsigned().1) else {
            return Ok(false);
        };
        let bits = facts.func.type_of(variable).bits().unwrap_or(0);
        // SOUNDNESS: the variable is the number of iterations, not its remainder
        // (kernels/order/gate-loop-endless-bug).
        if bits == 0 || bits > 32 || most >= (1u128 << bits) - 1 {
            return Ok(false);
        }
        for word in self.of_word {
            let paths = &self.zero.paths;
            if paths.may_reach(Some(head), exit, |inst| inst == word.inst)
                || !argument.is_acquired(paths, word.inst, exit, Reach::Device)
            {
                continue;
            }
            if self.has_seen_iteration(argument, word.inst, most)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is what was read at least the number of additions by the end of this iteration?
    fn has_seen_iteration(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        read: Inst,
        most: u128,
    ) -> Result<bool, SolverError> {
        let (_, mut given) = argument.one_thread();
        let func = argument.facts().func;
        let mut reading = Reading::of(&self.zero.thread, "gate");
        let count = reading.term(&mut argument.check.walker, self.gate.variable);
        self.give_sums(argument, &mut reading, count);
        let mut goal = argument.conditions(&self.zero.paths, &mut reading, self.gate.exit);
        let found = reading.term(&mut argument.check.walker, func.result(read));
        let units = argument.units(Unit::Block);
        let pool = &mut argument.check.walker.pool;
        let bound = pool.bv(pool.width(count), most);
        given.push(pool.compare().ule(count, bound));
        let [units, found, count] =
            [units, found, count].map(|term| pool.bits().zext_or_trunc(term, WIDE));
        let one = pool.bv(WIDE, 1);
        let over = pool.bits().add(count, one);
        let added = pool.bits().mul(over, units);
        let seen = if read == self.add.inst { pool.bits().add(found, one) } else { found };
        goal.push(pool.compare().ult(seen, added));
        argument.is_impossible(given, goal, vec![read])
    }

    /// Other variables of the loop that begin with a literal and grow by the same each time.
    fn give_sums(&self, argument: &mut Argument<'_, '_, '_>, reading: &mut Reading, count: TermId) {
        let facts = argument.facts();
        let Some((id, _)) = outermost_loop(facts, self.add.inst) else { return };
        let header = facts.loops.data(id).header;
        for &param in &facts.func.blocks[header].params {
            let Some(ClosedForm::Affine { step }) = facts.forms.get(param) else { continue };
            let start = entry_literal(facts, id, param);
            let (Some(start), Some(by)) = (start, step.as_value()) else { continue };
            let walker = &mut argument.check.walker;
            let by = reading.term(walker, by);
            let width = walker.pool.width(by);
            let count = walker.pool.bits().zext_or_trunc(count, width);
            let grown = walker.pool.bits().mul(count, by);
            let start = walker.pool.bv(width, start);
            let sum = walker.pool.bits().add(start, grown);
            reading.given.insert(param, sum);
        }
    }

    /// Does the last to add begin a generation, for which all others wait?
    fn is_by_generation(
        &mut self,
        argument: &mut Argument<'_, '_, '_>,
    ) -> Result<bool, SolverError> {
        let facts = argument.facts();
        let (paths, zero) = (argument.paths, self.zero);
        let Gate { exit, .. } = self.gate;
        let add = self.add.inst;
        if !argument.is_acquired(&zero.paths, add, exit, Reach::Device) {
            return Ok(false);
        }
        for array in facts.func.arrays_used() {
            let Some(of_generation) =
                one_word(facts, array).filter(|_| array != self.gate.arrays[0])
            else {
                continue;
            };
            let Some(bump) = only_addition(&of_generation) else { continue };
            let waits = self.waits(argument, &of_generation);
            let never = waits.iter().map(|&(edge, _)| edge).collect();
            let is_waited = !zero.paths.but(never).may_reach(Some(add), exit, |one| one == bump)
                && waits
                    .iter()
                    .all(|&(_, read)| argument.is_acquired(&zero.paths, read, exit, Reach::Device));
            // SOUNDNESS: what came before the last addition is passed on, and what put 0 there
            // is over (kernels/order/gate-generation-no-release-bug).
            if is_waited
                && self.is_between(paths, bump)
                && is_passed_on(argument, add, bump, Reach::Device)
                && argument.is_only_first(bump)?
                && self.is_by_last(argument, bump)?
                && self.starts_again(argument, bump)?
            {
                self.gate.arrays.push(array);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is the instruction executed behind the addition and before the exit, once?
    fn is_between(&self, paths: &Paths<'_>, inst: Inst) -> bool {
        let Gate { head, exit, .. } = self.gate;
        let (add, is_head) = (self.add.inst, |one: Inst| one == head);
        paths.must_precede(head, inst)
            && !paths.may_reach(Some(head), inst, |one| one == add)
            && !paths.may_reach(Some(inst), inst, is_head)
            && !paths.may_reach(Some(exit), inst, is_head)
    }

    /// Does a thread that executes the instruction know that it was the last to add?
    fn is_by_last(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        inst: Inst,
    ) -> Result<bool, SolverError> {
        let add = self.add.inst;
        let counter = Counter {
            array: self.gate.arrays[0],
            unit: Unit::Block,
            phase: 1,
            add,
            readers: vec![add],
            adds: vec![add],
            resets: vec![],
        };
        let (_, given) = argument.one_thread();
        let mut reading = Reading::of(&self.zero.thread, "last");
        let goal = argument.conditions(&self.zero.paths, &mut reading, inst);
        argument.has_seen_all(&counter, add, &mut reading, given, goal)
    }

    /// Is the counter 0 again before the next generation begins, and by the last only?
    ///
    /// SOUNDNESS: behind the generation others may have added
    /// (kernels/order/gate-generation-early-bug).
    fn starts_again(
        &self,
        argument: &mut Argument<'_, '_, '_>,
        bump: Inst,
    ) -> Result<bool, SolverError> {
        let (paths, add, head) = (argument.paths, self.add.inst, self.gate.head);
        let others = self.of_word.iter().filter(|word| word.inst != add);
        let (mut resets, mut fits) = (vec![], true);
        for word in others {
            match word.does {
                Does::Set { to: 0, .. } => resets.push(word.inst),
                Does::Read => {}
                Does::Set { .. }
                | Does::Swap { .. }
                | Does::Add(_)
                | Does::Increment
                | Does::Start
                | Does::Reset
                | Does::Other => fits = false,
            }
        }
        if !fits {
            return Ok(false);
        }
        if self.add.does == Does::Increment {
            return Ok(resets.is_empty() && self.wraps_at_last(argument)?);
        }
        for &reset in &resets {
            let is_in_time = self.is_between(paths, reset)
                && !paths.may_reach(Some(bump), reset, |one| one == head)
                && argument.is_published_by(paths, reset, bump, Reach::Device);
            if !is_in_time
                || !argument.is_only_first(reset)?
                || !self.is_by_last(argument, reset)?
            {
                return Ok(false);
            }
        }
        Ok(!paths.may_reach(Some(add), bump, |one| resets.contains(&one)))
    }

    /// Does `atomicInc` start again at 0 behind the last of all blocks?
    fn wraps_at_last(&self, argument: &mut Argument<'_, '_, '_>) -> Result<bool, SolverError> {
        let func = argument.facts().func;
        let InstData::Atomic { args, .. } = &func.insts[self.add.inst] else { return Ok(false) };
        let &[bound] = &args[..] else { return Ok(false) };
        let (_, given) = argument.one_thread();
        let mut reading = Reading::of(&self.zero.thread, "bound");
        let bound = reading.term(&mut argument.check.walker, bound);
        let units = argument.units(Unit::Block);
        let pool = &mut argument.check.walker.pool;
        let width = pool.width(units).max(pool.width(bound)) + 1;
        let [units, bound] = [units, bound].map(|term| pool.bits().zext_or_trunc(term, width));
        let one = pool.bv(width, 1);
        let next = pool.bits().add(bound, one);
        let differs = pool.ne(next, units);
        argument.is_impossible(given, vec![differs], vec![self.add.inst])
    }

    /// The edges on which two reads of the generation differ that are both made in this
    /// iteration, with the later read.
    ///
    /// SOUNDNESS: kernels/order/gate-generation-stale-bug.
    fn waits(&self, argument: &Argument<'_, '_, '_>, words: &[Word]) -> Vec<(EdgeId, Inst)> {
        let (func, paths, head) = (argument.facts().func, argument.paths, self.gate.head);
        let is_read = |value: Value| {
            let reads = words.iter().filter(|word| word.does == Does::Read);
            reads.map(|word| word.inst).find(|&inst| func.result(inst) == value)
        };
        let mut edges = vec![];
        for &from in &func.layout {
            let Terminator::Branch { cond, .. } = func.blocks[from].terminator else { continue };
            let Some(InstData::IntCompare { cc, args }) = func.definition(cond) else { continue };
            let index = match cc {
                IntCc::Ne => 0,
                IntCc::Eq => 1,
                IntCc::Ult
                | IntCc::Ule
                | IntCc::Ugt
                | IntCc::Uge
                | IntCc::Slt
                | IntCc::Sle
                | IntCc::Sgt
                | IntCc::Sge => continue,
            };
            let [Some(one), Some(other)] = args.map(is_read) else { continue };
            for (early, late) in [(one, other), (other, one)] {
                let is_later = early != late
                    && paths.must_precede(head, late)
                    && !paths.may_reach(Some(head), late, |inst| inst == early);
                if is_later {
                    edges.push((EdgeId { from, index }, late));
                }
            }
        }
        edges
    }
}

/// Does each iteration pass the entry, the addition by the first thread, and the exit, once and
/// in this order, with a fence behind the entry?
fn is_passed_once(
    argument: &Argument<'_, '_, '_>,
    gate: &Gate,
    add: Inst,
    zero: &ThreadZero<'_>,
) -> bool {
    let &Gate { head, entry, exit, .. } = gate;
    let paths = argument.paths;
    let is = |wanted: Inst| move |inst: Inst| inst == wanted;
    let in_order = |one: Inst, next: Inst| !paths.may_reach(Some(head), next, is(one));
    let is_once =
        |one: Inst| paths.must_precede(head, one) && !paths.may_reach(Some(one), one, is(head));
    entry != exit
        && [entry, add, exit].into_iter().all(is_once)
        && in_order(entry, head)
        && in_order(exit, head)
        && in_order(entry, exit)
        && in_order(entry, add)
        && !paths.may_reach(Some(exit), add, is(head))
        && !zero.paths.may_reach(Some(entry), exit, is(add))
        && argument.is_published_by(&zero.paths, entry, add, Reach::Device)
}

/// The accesses to an array of global memory, if they are strong and at one literal place.
fn one_word(facts: &KernelFacts<'_>, array: Array) -> Option<Vec<Word>> {
    let words = words(facts, array)?;
    let place = words.first().and_then(|word| facts.func.const_bits(word.offset))?;
    let is_there = |word: &Word| facts.func.const_bits(word.offset) == Some(place);
    let is_global = facts.module.arrays[array].space == Space::Global;
    (is_global && words.iter().all(is_there)).then_some(words)
}

/// The one addition of 1, if all others only read.
fn only_addition(words: &[Word]) -> Option<Inst> {
    let (reads, others): (Vec<&Word>, Vec<&Word>) =
        words.iter().partition(|word| word.does == Does::Read);
    let &[bump] = &others[..] else { return None };
    (bump.does == Does::Add(1) && !reads.is_empty()).then_some(bump.inst)
}

fn block_of(facts: &KernelFacts<'_>, inst: Inst) -> Option<Block> {
    let func = facts.func;
    func.layout.iter().copied().find(|&block| func.blocks[block].insts.contains(&inst))
}

/// The outermost loop around an instruction, and the first instruction of its head.
fn outermost_loop(facts: &KernelFacts<'_>, inst: Inst) -> Option<(Loop, Inst)> {
    let id = facts.loops.around(block_of(facts, inst)?).last()?;
    let data = facts.loops.data(id);
    let head = facts.func.blocks[data.header].insts.first()?;
    (data.parent.is_none() && facts.loops.is_reducible()).then_some((id, *head))
}

/// A variable of the loop that begins with a literal and changes by another in each iteration.
fn variable(facts: &KernelFacts<'_>, id: Loop) -> Option<(Value, u128, u128)> {
    let header = facts.loops.data(id).header;
    let params = facts.func.blocks[header].params.iter();
    params.copied().find_map(|param| {
        let Some(ClosedForm::Affine { step }) = facts.forms.get(param) else { return None };
        let step = step.as_constant().filter(|&step| step != 0)?;
        Some((param, entry_literal(facts, id, param)?, step))
    })
}

/// What a variable of the loop begins with, if it is one literal.
fn entry_literal(facts: &KernelFacts<'_>, id: Loop, param: Value) -> Option<u128> {
    let func = facts.func;
    let data = facts.loops.data(id);
    let index = func.blocks[data.header].params.iter().position(|&one| one == param)?;
    let outside = func.layout.iter().filter(|&&block| !facts.loops.contains(id, block));
    let edges = outside.flat_map(|&from| func.blocks[from].terminator.edges());
    let entries = edges.filter(|edge| edge.block == data.header);
    let literals: Vec<Option<u128>> =
        entries.map(|edge| func.const_bits(*edge.args.get(index)?)).collect();
    let first = literals.first().copied().flatten()?;
    literals.iter().all(|one| *one == Some(first)).then_some(first)
}
