//! What the words of a protocol hold at launch: 0, by what the host program puts there, by a
//! precondition, or by an assumption that is printed with the verdict.
//!
//! SOUNDNESS: a precondition that says otherwise makes the protocol none
//! (kernels/order/message-initial-bug, last-block-not-zero-bug).
//!
//! Shared memory holds nothing known at launch. Its words are 0 if the first thread of a
//! block puts 0 there before a barrier of the block, all strong accesses come behind that
//! barrier, and no plain one does. SOUNDNESS: kernels/order/message-in-shared-late-bug,
//! message-in-shared-unset-bug.

use std::collections::BTreeSet;

use duet_ir::{AnnotationKind, Array, Found, Function, Inst, InstData, Space, Value};
use duet_product::KernelFacts;
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::Reading;

use super::argument::Argument;
use super::words::{Does, Word, words};

/// What is known of the words at launch.
#[derive(Clone, Debug)]
pub(super) enum AtLaunch {
    /// Preconditions or the host program say that they are 0.
    Required,
    /// It has to be assumed, in these words.
    Assumed(String),
    /// Preconditions speak of them, and may say otherwise.
    Unknown,
}

impl Argument<'_, '_, '_> {
    pub(super) fn at_launch(&mut self, array: Array) -> Result<AtLaunch, SolverError> {
        let facts = self.facts();
        let func = facts.func;
        if facts.module.arrays[array].space == Space::Shared {
            let is_zero = self.starts_at_zero(array);
            return Ok(if is_zero { AtLaunch::Required } else { AtLaunch::Unknown });
        }
        let name = func.array_name(facts.module, array).to_string();
        let found = found(facts, array);
        if let Some(AtLaunch::Unknown) = found {
            return Ok(AtLaunch::Unknown);
        }
        let places: BTreeSet<Option<u128>> = words(facts, array)
            .into_iter()
            .flatten()
            .map(|word| func.const_bits(word.offset))
            .collect();
        let reads = self.ghost_reads(array);
        if !reads.is_empty() && !places.contains(&None) {
            let mut is_required = true;
            for place in places.iter().flatten() {
                is_required &= self.is_required(array, &reads, *place)?;
            }
            if is_required {
                return Ok(AtLaunch::Required);
            }
        }
        if !self.is_admitted(&reads) {
            return Ok(AtLaunch::Unknown);
        }
        if let Some(found) = found {
            return Ok(found);
        }
        Ok(AtLaunch::Assumed(match places.len() {
            1 if !places.contains(&None) => format!("`{name}` is 0 at launch"),
            _ => format!("all of `{name}` is 0 at launch"),
        }))
    }

    /// Are the words of a shared array 0 when the first strong access comes?
    fn starts_at_zero(&mut self, array: Array) -> bool {
        let func = self.facts().func;
        let words = words(self.facts(), array).unwrap_or_default();
        let is_start = |word: &&Word| word.does == Does::Start;
        let (starts, strong): (Vec<&Word>, Vec<&Word>) = words.iter().partition(is_start);
        let (thread, _) = self.one_thread();
        let zero = self.thread_zero(&thread);
        self.block_barriers().into_iter().any(|barrier| {
            let is_set = |word: &&Word| {
                let place = func.const_bits(word.offset);
                let sets = |start: &&Word| {
                    func.const_bits(start.offset) == place
                        && zero.paths.must_precede(start.inst, barrier)
                };
                place.is_some() && starts.iter().any(sets)
            };
            let is_first =
                |start: &&Word| !self.paths.may_reach(Some(barrier), start.inst, |_| false);
            zero.passes(barrier)
                && strong.iter().all(|word| self.paths.must_precede(barrier, word.inst))
                && strong.iter().all(is_set)
                && starts.iter().all(is_first)
        })
    }

    /// What annotations read of the array, with the place.
    fn ghost_reads(&self, array: Array) -> Vec<(Value, Option<u128>)> {
        let func = self.facts().func;
        let read = |inst: Inst| {
            let InstData::Load { access, lanes: 1, .. } = &func.insts[inst] else { return None };
            let is_read = access.ghost && access.array == array;
            is_read.then(|| (func.result(inst), func.const_bits(access.offset)))
        };
        func.insts_in_order().filter_map(read).collect()
    }

    /// The preconditions, with what they say.
    fn requirements(&self) -> Vec<(Inst, Value)> {
        let func = self.facts().func;
        let condition = |inst: Inst| {
            if let InstData::Annotation { kind: AnnotationKind::Requires, args } = &func.insts[inst]
            {
                return Some((inst, *args.first()?));
            }
            None
        };
        func.insts_in_order().filter_map(condition).collect()
    }

    /// Do preconditions say that the place is 0?
    ///
    /// Only those count that every thread has passed which uses the words.
    fn is_required(
        &mut self,
        array: Array,
        reads: &[(Value, Option<u128>)],
        place: u128,
    ) -> Result<bool, SolverError> {
        let (thread, given) = self.one_thread();
        let mut reading = Reading::of(&thread, "launch");
        let mut goal: Vec<TermId> = vec![];
        let used = words(self.facts(), array).unwrap_or_default();
        for (inst, condition) in self.requirements() {
            if !used.iter().all(|word| self.paths.must_precede(inst, word.inst)) {
                continue;
            }
            goal.push(reading.term(&mut self.check.walker, condition));
        }
        for &(read, _) in reads.iter().filter(|(_, at)| *at == Some(place)) {
            let held = reading.term(&mut self.check.walker, read);
            let pool = &mut self.check.walker.pool;
            let width = pool.width(held);
            let zero = pool.bv(width, 0);
            let is_not = pool.ne(held, zero);
            let goal = goal.iter().copied().chain([is_not]).collect();
            if self.is_impossible(given.clone(), goal, vec![])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Are all preconditions that read the array true if it holds 0?
    fn is_admitted(&mut self, reads: &[(Value, Option<u128>)]) -> bool {
        if reads.is_empty() {
            return true;
        }
        let (thread, _) = self.one_thread();
        let mut reading = Reading::of(&thread, "zeros");
        for &(read, _) in reads {
            let Some(bits) = self.facts().func.type_of(read).bits() else { return false };
            let zero = self.check.walker.pool.bv(bits, 0);
            reading.given.insert(read, zero);
        }
        let truth = self.check.walker.pool.tt();
        let conditions = self.requirements();
        are_all_requirements(self.facts().func)
            && (conditions.into_iter())
                .all(|(_, one)| reading.term(&mut self.check.walker, one) == truth)
    }
}

/// What the host program shows of the words, if it shows something.
///
/// SOUNDNESS: words that it sets to another number, and words that it never sets, are not
/// 0 (kernels/programs/last-block-filled-bug.cu, last-block-unset-bug.cu and
/// last-block-partly-bug.cu).
fn found(facts: &KernelFacts<'_>, array: Array) -> Option<AtLaunch> {
    let data = &facts.module.arrays[array];
    if data.init.is_none() && data.found == Found::Unknown {
        return None;
    }
    let is_zero = |word: Word| {
        if data.filled_at_launch() == Some(0) {
            return true;
        }
        // A word is an element.
        let Some(place) = facts.func.const_bits(word.offset) else { return false };
        let bytes = 0..u128::from(data.granule);
        let byte = |at: u128| data.byte_at_launch(u64::try_from(place + at).ok()?);
        bytes.map(byte).all(|byte| byte == Some(0))
    };
    let words = words(facts, array).unwrap_or_default();
    let are_zero = words.into_iter().all(is_zero);
    Some(if are_zero { AtLaunch::Required } else { AtLaunch::Unknown })
}

/// Are preconditions all that the source states?
fn are_all_requirements(func: &Function) -> bool {
    func.insts_in_order().all(|inst| {
        let InstData::Annotation { kind, .. } = &func.insts[inst] else { return true };
        *kind == AnnotationKind::Requires
    })
}
