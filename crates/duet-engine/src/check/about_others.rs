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

use std::collections::HashMap;

use duet_ir::{AnnotationKind, EntityRef, Inst, InstData, Value, ValueDef};
use duet_product::Context;
use duet_smt::TermId;
use duet_vc::{AboutOthers, Point, Walk};

use super::annotations::ghost_insts_of;
use super::session::{Check, KernelFacts};

/// What is assumed of two threads that have both passed it.
pub(super) struct OfTwo {
    /// Where each of them passed it.
    places: [Point; 2],
    fact: TermId,
}

/// The facts of those that the threads at these points have passed.
pub(super) fn passed(
    assumed: &[OfTwo],
    has_passed: impl Fn(usize, Point) -> bool,
) -> impl Iterator<Item = TermId> {
    let both = move |one: &&OfTwo| (0..2).all(|thread| has_passed(thread, one.places[thread]));
    assumed.iter().filter(both).map(|one| one.fact)
}

impl KernelFacts<'_> {
    /// Is it an assumption about two threads that can be used: in code that is visited
    /// once, about values that are computed once?
    pub(super) fn is_usable_of_two(&self, inst: Inst) -> bool {
        use AnnotationKind::{Assume, GlobalRequires, Requires};
        let InstData::Annotation { kind: Requires | GlobalRequires | Assume, .. } =
            self.func.insts[inst]
        else {
            return false;
        };
        let ghosts = ghost_insts_of(self.func, inst);
        self.is_about_two_threads(inst)
            && self.is_visited_once(inst)
            && ghosts.iter().all(|&ghost| {
                let mut args = self.func.insts[ghost].values().into_iter();
                self.is_visited_once(ghost) && args.all(|arg| self.is_computed_once(arg))
            })
    }

    fn is_visited_once(&self, inst: Inst) -> bool {
        self.block_of(inst).is_some_and(|block| self.loops.around(block).next().is_none())
    }

    fn is_computed_once(&self, value: Value) -> bool {
        match self.func.values[value] {
            ValueDef::BlockParam(block, _) => self.loops.around(block).next().is_none(),
            ValueDef::Result(inst, _) => self.is_visited_once(inst),
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => true,
        }
    }
}

/// Two threads.
pub(super) struct Two<F: Fn(bool, Value) -> Option<TermId>> {
    /// The term of a value for the first or the second, in code that no loop goes round.
    pub(super) value: F,
    /// Are they of one block?
    pub(super) same_block: bool,
}

impl Check<'_, '_, '_> {
    /// What is assumed of two threads, among what each has met that is about others.
    pub(super) fn assumed_of_two<F: Fn(bool, Value) -> Option<TermId>>(
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
    pub(super) fn assumed_of_walks(
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
}
