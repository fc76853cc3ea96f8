//! Assumptions that name the other thread: `__requires(__distinct_int(a[i]))`.
//!
//! They mean something where two threads are at the same visit of the place. Code that
//! no loop goes round is visited once by each thread, so there it is clear which visits
//! are meant; elsewhere such an assumption is not used, and the kernel is not proved.
//! Outside of loops it is a fact about every two threads that have both passed it:
//! runs in which it fails do not count.
//!
//! SOUNDNESS: a thread that has not got there yet is not excused
//! (kernels/contracts/assumed-later-bug); what is assumed in a loop is of no visit in
//! particular (assumed-of-other-bug); what no three threads can meet is vacuous
//! (assumed-of-three-bug).

use std::collections::{BTreeSet, HashMap};

use duet_ir::{Const, EntityRef, GhostKind, Inst, InstData, Value, ValueDef};
use duet_product::{Context, ghost_insts_of};
use duet_smt::TermId;

use super::Walker;
use crate::{AboutOthers, Point, Walk, argument_name, ops};

/// What is assumed of two threads that have both passed it.
pub struct OfTwo {
    /// Where each of them passed it.
    places: [Point; 2],
    fact: TermId,
}

/// The facts of those that the threads at these points have passed.
pub fn passed(
    assumed: &[OfTwo],
    has_passed: impl Fn(usize, Point) -> bool,
) -> impl Iterator<Item = TermId> {
    let both = move |one: &&OfTwo| (0..2).all(|thread| has_passed(thread, one.places[thread]));
    assumed.iter().filter(both).map(|one| one.fact)
}

/// Two threads.
pub struct Two<F: Fn(bool, Value) -> Option<TermId>> {
    /// The term of a value for the first or the second, in code that no loop goes round.
    pub value: F,
    /// Are they of one block?
    pub same_block: bool,
}

impl Walker<'_> {
    /// What is assumed of two threads, among what each has met that is about others.
    pub fn assumed_of_two<F: Fn(bool, Value) -> Option<TermId>>(
        &mut self,
        two: &Two<F>,
        [first, second]: [&[AboutOthers]; 2],
    ) -> Vec<OfTwo> {
        let mut assumed = vec![];
        for one in first {
            let same =
                |other: &&AboutOthers| other.inst == one.inst && other.at.node == one.at.node;
            let Some(other) = second.iter().find(same) else { continue };
            if !self.facts.is_usable_of_two(one.inst) {
                continue;
            }
            let ghosts = ghost_insts_of(self.facts.func, one.inst);
            let meanings: Option<HashMap<TermId, TermId>> =
                self.meanings(&ghosts, two).into_iter().collect();
            let Some(meanings) = meanings else { continue };
            let met = self.pool.and2(one.guard, other.guard);
            let both = self.pool.and2(one.holds, other.holds);
            let holds = self.with_meanings(both, &meanings);
            let fact = self.pool.implies(met, holds);
            assumed.push(OfTwo { places: [one.at, other.at], fact });
        }
        assumed
    }

    /// The same of two threads that went through the whole kernel.
    pub fn assumed_of_walks(
        &mut self,
        first: &Walk,
        second: &Walk,
        same_block: bool,
    ) -> Vec<TermId> {
        let value = |is_second, value| {
            let walk = if is_second { second } else { first };
            walk.values.get(&(Context::new(0), value)).copied()
        };
        let two = Two { value, same_block };
        let assumed = self.assumed_of_two(&two, [&first.about_others, &second.about_others]);
        passed(&assumed, |_, _| true).collect()
    }

    /// What ghost values mean to each of two threads, as far as it can be told: each term
    /// and what it stands for.
    pub fn meanings<F: Fn(bool, Value) -> Option<TermId>>(
        &mut self,
        ghosts: &BTreeSet<Inst>,
        two: &Two<F>,
    ) -> Vec<Option<(TermId, TermId)>> {
        let mut meanings = vec![];
        for &ghost in ghosts {
            meanings.extend([false, true].map(|second| self.meaning(ghost, second, two)));
        }
        meanings
    }

    fn meaning<F: Fn(bool, Value) -> Option<TermId>>(
        &mut self,
        ghost: Inst,
        second: bool,
        two: &Two<F>,
    ) -> Option<(TermId, TermId)> {
        let func = self.facts.func;
        let InstData::Ghost { kind, args, .. } = &func.insts[ghost] else { return None };
        let value = (two.value)(second, *func.results_of[ghost].first()?)?;
        let meaning = match kind {
            GhostKind::Other => match func.values[args[0]] {
                ValueDef::FunctionParam(_) => {
                    let name = argument_name(func, args[0]);
                    self.pool.constant(&name, self.pool.sort(value))
                }
                ValueDef::Const(Const::Bits(bits)) => {
                    ops::constant(&mut self.pool, bits, func.type_of(args[0]))
                }
                ValueDef::Result(..) | ValueDef::BlockParam(..) | ValueDef::Const(_) => {
                    (two.value)(!second, args[0])?
                }
            },
            GhostKind::SameBlock => self.pool.bool(two.same_block),
            GhostKind::Enabled => self.pool.tt(),
            GhostKind::DominatorEnabled
            | GhostKind::HasRead
            | GhostKind::HasWritten
            | GhostKind::ReadOffset
            | GhostKind::WriteOffset
            | GhostKind::ArrayIdentity
            | GhostKind::ReturnValue
            | GhostKind::Old
            | GhostKind::Fold
            | GhostKind::Cell
            | GhostKind::AtomicHasTakenValue => return None,
        };
        (self.pool.sort(meaning) == self.pool.sort(value)).then_some((value, meaning))
    }

    /// The term with ghost values replaced by what they stand for.
    pub fn with_meanings(&mut self, term: TermId, meanings: &HashMap<TermId, TermId>) -> TermId {
        self.pool.rebuild(&[term], |_, part, _| meanings.get(&part).copied())[0]
    }
}
