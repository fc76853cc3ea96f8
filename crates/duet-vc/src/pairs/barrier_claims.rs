//! What claims at barriers say of the two threads of a pair.
//!
//! At the start of an interval that begins with a barrier of the block, both threads have
//! come to that barrier together. So what is claimed of two threads holds of them, in both
//! orders, of the memory that the barrier left; and of the pairs of threads that the claim
//! lists, where the list may name the partner.
//!
//! SOUNDNESS: threads of different blocks are at no barrier together
//! (kernels/claims/10-across-blocks).

use std::collections::HashMap;

use duet_ir::{
    AnnotationKind, Array, Const, Dim, EntityRef, GeometryKind, Inst, InstData, Value, ValueDef,
};
use duet_parametric::writer::Inverse;
use duet_product::{Context, Interval, KernelFacts, Row, Scope, Start};
use duet_smt::{TermId, TermPool};

use crate::any_thread::{ids_of_any, if_in_block, solve};
use crate::arrivals::arrives;
use crate::claim_terms::{ClaimTerms, Leaves, thread_with_number};
use crate::memory::Memory;
use crate::symbols::{Side, Symbol, Symbols};
use crate::{Geometry, ThreadTerms, argument_name, ops};

/// The two threads at a barrier.
pub(super) struct AtBarrier<'a> {
    pub facts: &'a KernelFacts<'a>,
    pub geometry: &'a Geometry,
    pub pool: &'a mut TermPool,
    pub symbols: &'a mut Symbols,
    pub threads: [&'a ThreadTerms; 2],
    /// The values of each on the way there.
    pub values: [&'a HashMap<(Context, Value), TermId>; 2],
    /// The memory that each finds after it.
    pub memory: [&'a Memory; 2],
    /// What each loads in the interval: arrays and byte offsets.
    pub loads: [Vec<(Array, TermId)>; 2],
}

/// Loads of each thread that claims are used for, at most.
const MAX_LOADS: usize = 4;

/// The arrays and places that a walk loads.
pub(super) fn loads_of(walk: &crate::Walk) -> Vec<(Array, TermId)> {
    let is_load = |site: &&crate::SiteTerm| !site.writes && site.atomic.is_none() && !site.by_agent;
    walk.sites.iter().filter(is_load).map(|site| (site.array, site.offset)).collect()
}

impl AtBarrier<'_> {
    /// What is claimed of the two, and of the pairs of threads that the claims list.
    pub fn claimed(&mut self, row: &Row, interval: &Interval) -> Vec<TermId> {
        let Start::Barrier(barrier) = interval.start else { return vec![] };
        let mut facts = vec![];
        if row.scope == Scope::Grid {
            return facts;
        }
        for claim in self.facts.claims_at(barrier) {
            let InstData::Annotation { kind: AnnotationKind::BarrierInvariantBinary, args } =
                &self.facts.func.insts[claim]
            else {
                continue;
            };
            let [one, other] = self.threads.map(|thread| thread.thread);
            for ids in [[one, other], [other, one]] {
                facts.extend(self.evaluate(barrier, args[0], ids));
                facts.extend(self.listed(barrier, args, ids));
            }
            facts.extend(self.loaded(barrier, args[0]));
        }
        facts
    }

    /// The claim for the pairs that it lists, as the first of two threads reads the list.
    fn listed(&mut self, barrier: Inst, args: &[Value], ids: [[TermId; 3]; 2]) -> Vec<TermId> {
        let mut facts = vec![];
        for pair in args[1..].chunks_exact(2) {
            let numbers = [pair[0], pair[1]].map(|one| self.evaluate(barrier, one, ids));
            let [Some(one), Some(other)] = numbers else { continue };
            let sizes = self.geometry.block;
            let (one, is_one) = thread_with_number(self.pool, sizes, one);
            let (other, is_other) = thread_with_number(self.pool, sizes, other);
            let Some(holds) = self.evaluate(barrier, args[0], [one, other]) else { continue };
            let Some(come) = self.arrive(barrier, [one, other]) else { continue };
            let differ: Vec<TermId> =
                (0..3).map(|dim| self.pool.ne(one[dim], other[dim])).collect();
            let differ = self.pool.or(&differ);
            let premise = self.pool.and(&[is_one, is_other, come, differ]);
            facts.push(self.pool.implies(premise, holds));
        }
        facts
    }

    /// The claim for the two threads to which the places belong that the two of the pair
    /// load. Whichever threads these are, it holds of them if they are two of the block.
    ///
    /// SOUNDNESS: that they are, and that they differ, is a premise
    /// (kernels/contents/other-counter-twice-bug).
    fn loaded(&mut self, barrier: Inst, cond: Value) -> Vec<TermId> {
        let sizes = self.geometry.block;
        let [(one, ones), (other, others)] = ["one", "other"].map(|who| {
            let symbols = ["x", "y", "z"]
                .map(|dim| self.pool.bv_var(&format!("any:{barrier}.{who}.{dim}"), 32));
            ids_of_any(self.pool, sizes, symbols)
        });
        let Some(holds) = self.evaluate(barrier, cond, [one, other]) else { return vec![] };
        let Some(come) = self.arrive(barrier, [one, other]) else { return vec![] };
        let differ: Vec<TermId> = (0..3).map(|dim| self.pool.ne(one[dim], other[dim])).collect();
        let differ = self.pool.or(&differ);
        let premise = self.pool.and2(come, differ);
        let holds = self.pool.implies(premise, holds);
        let all: Vec<(TermId, TermId)> = ones.iter().chain(&others).copied().collect();
        let holds = if_in_block(self.pool, &all, holds);
        let mut facts = vec![];
        for load in self.facts.claims.places.reads_of(self.facts.func, barrier, cond) {
            for (_, access) in self.facts.func.insts[load].accesses() {
                let places = [[one, other], [other, one]]
                    .map(|ids| self.evaluate(barrier, access.offset, ids));
                let [Some(its), Some(others_)] = places else { continue };
                let one = self.solutions(0, access.array, &ones, its);
                let other = self.solutions(1, access.array, &others, others_);
                for (one, other) in one.iter().flat_map(|one| other.iter().map(move |it| (one, it)))
                {
                    let half = one.apply(self.pool, holds);
                    facts.push(other.apply(self.pool, half));
                }
            }
        }
        facts
    }

    /// The threads to which the places belong that one of the pair loads.
    fn solutions(
        &mut self,
        of: usize,
        array: Array,
        ids: &[(TermId, TermId)],
        offset: TermId,
    ) -> Vec<Inverse> {
        let own: Vec<(TermId, TermId)> =
            self.threads[of].thread.into_iter().zip(self.geometry.block).collect();
        let loads = self.loads[of].iter().filter(|(loaded, _)| *loaded == array);
        let places: Vec<TermId> = loads.map(|&(_, place)| place).take(MAX_LOADS).collect();
        let mut found = vec![];
        for place in places {
            found.extend(solve(self.pool, ids, &own, offset, place));
        }
        found
    }

    /// The condition under which two threads of the block come to the barrier.
    ///
    /// SOUNDNESS: both must (kernels/claims/75-pair-that-left).
    fn arrive(&mut self, barrier: Inst, both: [[TermId; 3]; 2]) -> Option<TermId> {
        let [one, other] = both.map(|ids| {
            arrives(self.pool, self.facts, self.geometry, self.threads[0], (barrier, ids))
        });
        Some(self.pool.and2(one?, other?))
    }

    fn evaluate(&mut self, barrier: Inst, value: Value, ids: [[TermId; 3]; 2]) -> Option<TermId> {
        let facts = self.facts;
        let mut leaves = OfPair { at: self, barrier, ids };
        ClaimTerms::new(facts, barrier, &mut leaves).value(false, value)
    }
}

/// The leaves of a claim about two threads.
struct OfPair<'b, 'a> {
    at: &'b mut AtBarrier<'a>,
    barrier: Inst,
    ids: [[TermId; 3]; 2],
}

impl OfPair<'_, '_> {
    /// Which of the pair a thread of the claim is.
    fn position(&self, other: bool) -> Option<usize> {
        let ids = self.ids[usize::from(other)];
        self.at.threads.iter().position(|thread| thread.thread == ids)
    }
}

impl Leaves for OfPair<'_, '_> {
    fn pool(&mut self) -> &mut TermPool {
        self.at.pool
    }

    fn id(&mut self, other: bool, dim: Dim) -> Option<TermId> {
        Some(self.ids[usize::from(other)][dim.index()])
    }

    fn geometry(&mut self, kind: GeometryKind, dim: Dim) -> TermId {
        self.at.geometry.term(self.at.threads[0], kind, dim)
    }

    fn leaf(&mut self, other: bool, value: Value) -> Option<TermId> {
        let func = self.at.facts.func;
        let ty = func.type_of(value);
        match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => Some(ops::constant(self.at.pool, bits, ty)),
            ValueDef::Const(Const::Null | Const::Array(_)) => None,
            ValueDef::FunctionParam(_) => {
                let name = argument_name(func, value);
                Some(self.at.pool.constant(&name, ops::sort_of(ty)))
            }
            ValueDef::Result(..) | ValueDef::BlockParam(..) => {
                let of = match self.position(other) {
                    Some(position) => position,
                    None if self.at.facts.is_common_at(self.barrier, value) => 0,
                    None => return None,
                };
                self.at.values[of].get(&(Context::new(0), value)).copied()
            }
        }
    }

    fn note(&mut self, term: TermId, symbol: Symbol) {
        self.at.symbols.note(self.at.pool, term, symbol);
    }

    fn side(&mut self, other: bool, array: Array) -> Option<Side> {
        let [one, two] = self.at.memory.map(|memory| memory.arrays.get(&array));
        let of = self.position(other).unwrap_or(0);
        (one != two).then_some(self.at.threads[of].side)
    }

    fn contents(&mut self, other: bool, array: Array, _offset: TermId) -> Option<TermId> {
        let of = self.position(other).unwrap_or(0);
        self.at.memory[of].arrays.get(&array).copied()
    }
}
