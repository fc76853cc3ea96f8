//! Threads that a claim is used for without being listed.
//!
//! After a barrier, what each thread of the block claims that comes to it holds of the contents
//! that the barrier left. A thread that then loads an element wants to know
//! what was claimed by the thread to which the element belongs. That thread is found by
//! solving the places that the claim reads for the thread's ids; whatever the solution is,
//! the claim holds of it if it is a thread of the block, so a wrong solution only says
//! nothing of use.
//!
//! As for elements ([`super::cells`]), the claim is kept as a term over symbols for the ids
//! until there is a load. Nothing is quantified.
//!
//! SOUNDNESS: that the ids are those of a thread of the block is a premise of each instance
//! (kernels/contents/other-beyond-bug), and so is that the thread comes to the barrier
//! (kernels/claims/74-left-neighbour).

use duet_ir::{AnnotationKind, Array, Inst, InstData};
use duet_smt::TermId;

use super::claims::{OfThreads, arrives_at};
use super::values::Values;
use crate::any_thread::{ids_of_any, if_in_block, solve};
use crate::claim_terms::ClaimTerms;
use crate::memory::Memory;
use crate::symbols::Origin;

/// Places that a claim reads which are solved, at most.
const MAX_PLACES: usize = 4;

/// What is claimed of any thread of the block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OfAnyThread {
    /// Symbols for the thread's ids, with the sizes of the block.
    ids: Vec<(TermId, TermId)>,
    /// The places that the claim reads.
    places: Vec<(Array, TermId)>,
    /// If there is such a thread, its claim.
    holds: TermId,
}

/// The claim at a barrier that was just passed, of any thread.
pub(super) fn of_any_thread(
    values: &mut Values,
    memory: &Memory,
    barrier: Inst,
    claim: Inst,
) -> Option<OfAnyThread> {
    let facts = values.kernel.facts;
    let InstData::Annotation { kind: AnnotationKind::BarrierInvariant, args } =
        &facts.func.insts[claim]
    else {
        return None;
    };
    let sizes = values.kernel.geometry.block;
    let symbols = ["x", "y", "z"].map(|dim| {
        let name = values.symbol(&format!("any:{claim}.{dim}"), false);
        let id = values.pool.bv_var(&name, 32);
        values.note(id, Origin::Cell, false)
    });
    let (ids, unknowns) = ids_of_any(values.pool, sizes, symbols);
    let comes = arrives_at(values, barrier, ids)?;
    let cond = args[0];
    let own = values.thread.thread;
    let loads = facts.claims.places.reads_of(facts.func, barrier, cond);
    let mut leaves = OfThreads { values, memory, barrier, ids: [ids, own] };
    let mut terms = ClaimTerms::new(facts, barrier, &mut leaves);
    let holds = terms.value(false, cond)?;
    let mut places = vec![];
    for load in loads {
        for (_, access) in facts.func.insts[load].accesses() {
            let offset = terms.value(false, access.offset);
            places.extend(offset.map(|offset| (access.array, offset)));
        }
    }
    places.truncate(MAX_PLACES);
    let holds = values.pool.implies(comes, holds);
    let holds = if_in_block(values.pool, &unknowns, holds);
    Some(OfAnyThread { ids: unknowns, places, holds })
}

impl OfAnyThread {
    /// A place is loaded: what is claimed by the threads that it may belong to.
    pub(super) fn load(&self, values: &mut Values, array: Array, place: TermId) {
        let sizes = values.kernel.geometry.block;
        let own: Vec<(TermId, TermId)> = values.thread.thread.into_iter().zip(sizes).collect();
        let mut used = vec![];
        for &(_, offset) in self.places.iter().filter(|(of, _)| *of == array) {
            for found in solve(values.pool, &self.ids, &own, offset, place) {
                let fact = found.apply(values.pool, self.holds);
                if !used.contains(&fact) {
                    used.push(fact);
                    values.assume_derived(fact);
                }
            }
        }
    }
}
