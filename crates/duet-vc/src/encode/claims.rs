//! Claims about memory at barriers: noted where they are passed, assumed after the barrier.
//!
//! When a barrier of the block is complete, memory is one map from cells to contents. A
//! thread that came to it has checked its claims in its own view, where the cells that it
//! mentions are known to it, or no thread writes them ([`super::known`]); such cells are in the
//! map what they are in the view. So what each thread claims holds of the map. A thread
//! that passes the barrier may rely on what its own thread claims, and on what any other
//! thread of the block claims that came to the barrier as well.
//!
//! All claims of a kernel are proved by one induction: the first claim that fails, and the
//! first race, in the order of a run, comes before everything that relies on them.
//!
//! SOUNDNESS: another thread's claim is used only under the condition that it comes to the
//! barrier (kernels/claims/02-instance-that-left), and only with values that are the same
//! in all of them (kernels/claims/14-own-variable).

use duet_ir::{AnnotationKind, Array, Dim, GeometryKind, Inst, InstData, Value};
use duet_smt::{TermId, TermPool};

use super::values::Values;
use crate::arrivals::arrives;
use crate::claim_terms::{ClaimTerms, Leaves, is_reference, thread_with_number};
use crate::memory::Memory;
use crate::symbols::{Side, Symbol};
use crate::walk::{CellTerm, ClaimTerm, OtherTerm};

/// Notes a claim that is passed.
pub(super) fn note(values: &mut Values, inst: Inst, args: &[Value], cell: Option<CellTerm>) {
    let holds = values.term(args[0]);
    let listed = if cell.is_some() { &[] } else { &args[1..] };
    let instances = listed.iter().map(|&arg| values.term(arg)).collect();
    let (context, guard) = (values.context(), values.walk.reach[&values.node]);
    let at = values.point();
    values.walk.claims.push(ClaimTerm { inst, at, context, guard, holds, instances, cell });
}

/// Notes a value of the other thread that is named.
pub(super) fn note_other(values: &mut Values, inst: Inst, arg: Value) {
    if is_reference(values.kernel.facts, arg) {
        return;
    }
    let symbol = values.term(values.kernel.func.result(inst));
    let (own, context) = (values.term(arg), values.context());
    values.walk.others.push(OtherTerm { inst, context, symbol, own });
}

/// Assumes what is claimed at a barrier that was just passed, of the contents after it.
pub(super) fn assume(values: &mut Values, memory: &Memory, barrier: Inst) {
    let facts = values.kernel.facts;
    for claim in facts.claims_at(barrier) {
        let InstData::Annotation { kind, args } = &facts.func.insts[claim] else { continue };
        if *kind == AnnotationKind::BarrierInvariant {
            assume_unary(values, memory, barrier, args);
        } else if *kind == AnnotationKind::BarrierInvariantBinary {
            assume_binary(values, memory, barrier, args);
        }
    }
}

fn assume_unary(values: &mut Values, memory: &Memory, barrier: Inst, args: &[Value]) {
    let own = [values.thread.thread; 2];
    if let Some(holds) = evaluate(values, memory, barrier, args[0], own) {
        values.assume_derived(holds);
    }
    for &instance in &args[1..] {
        let (ids, in_range) = thread_of(values, barrier, instance);
        if ids == own[0] {
            continue;
        }
        if let Some(holds) = evaluate(values, memory, barrier, args[0], [ids, own[0]]) {
            let fact = values.pool.implies(in_range, holds);
            values.assume_derived(fact);
        }
    }
}

fn assume_binary(values: &mut Values, memory: &Memory, barrier: Inst, args: &[Value]) {
    for pair in args[1..].chunks_exact(2) {
        let (one, is_one) = thread_of(values, barrier, pair[0]);
        let (other, is_other) = thread_of(values, barrier, pair[1]);
        let Some(holds) = evaluate(values, memory, barrier, args[0], [one, other]) else {
            continue;
        };
        // SOUNDNESS: a claim about two says nothing of a thread and itself
        // (kernels/claims/08-equal-instances).
        let differ = (0..3).map(|dim| values.pool.ne(one[dim], other[dim])).collect::<Vec<_>>();
        let differ = values.pool.or(&differ);
        let premise = values.pool.and(&[is_one, is_other, differ]);
        let fact = values.pool.implies(premise, holds);
        values.assume_derived(fact);
    }
}

/// The thread that an instance names, and that there is one which comes to the barrier.
fn thread_of(values: &mut Values, barrier: Inst, instance: Value) -> ([TermId; 3], TermId) {
    let number = values.term(instance);
    let sizes = values.kernel.geometry.block;
    let (ids, in_range) = thread_with_number(values.pool, sizes, number);
    let comes = arrives_at(values, barrier, ids).unwrap_or_else(|| values.pool.ff());
    (ids, values.pool.and2(in_range, comes))
}

/// The condition under which a thread of the block comes to the barrier, if it can be told.
pub(super) fn arrives_at(values: &mut Values, barrier: Inst, ids: [TermId; 3]) -> Option<TermId> {
    let (facts, geometry) = (values.kernel.facts, values.kernel.geometry);
    arrives(values.pool, facts, geometry, values.thread, (barrier, ids))
}

/// What a claim says of one or two threads of the block, of the contents after the barrier.
fn evaluate(
    values: &mut Values,
    memory: &Memory,
    barrier: Inst,
    cond: Value,
    ids: [[TermId; 3]; 2],
) -> Option<TermId> {
    let facts = values.kernel.facts;
    let mut leaves = OfThreads { values, memory, barrier, ids };
    ClaimTerms::new(facts, barrier, &mut leaves).value(false, cond)
}

/// The leaves of a claim for threads of this thread's block.
pub(super) struct OfThreads<'v, 'a, 'm> {
    pub values: &'v mut Values<'a>,
    pub memory: &'m Memory,
    pub barrier: Inst,
    pub ids: [[TermId; 3]; 2],
}

impl Leaves for OfThreads<'_, '_, '_> {
    fn pool(&mut self) -> &mut TermPool {
        self.values.pool
    }

    fn id(&mut self, other: bool, dim: Dim) -> Option<TermId> {
        Some(self.ids[usize::from(other)][dim.index()])
    }

    fn geometry(&mut self, kind: GeometryKind, dim: Dim) -> TermId {
        self.values.kernel.geometry.term(self.values.thread, kind, dim)
    }

    fn leaf(&mut self, other: bool, value: Value) -> Option<TermId> {
        let is_own = self.ids[usize::from(other)] == self.values.thread.thread;
        let facts = self.values.kernel.facts;
        (is_own || facts.is_common_at(self.barrier, value)).then(|| self.values.term(value))
    }

    fn note(&mut self, term: TermId, symbol: Symbol) {
        self.values.walk.symbols.push((term, symbol));
    }

    fn side(&mut self, _other: bool, array: Array) -> Option<Side> {
        self.values.side_of(array)
    }

    fn contents(&mut self, _other: bool, array: Array, _offset: TermId) -> Option<TermId> {
        self.memory.arrays.get(&array).copied()
    }
}
