//! *Numbers that blocks draw*: one thread of a block draws from a counter and tells the others
//! by a shared variable. Two blocks are never told the same number.
//!
//! What is read off the instructions: every store to the variable is plain, at one literal
//! place, and puts there what an addition to a counter in global memory has returned, always
//! at the same literal place of the same counter. Loads that count come behind a barrier of
//! the block, before which the first thread of the block has stored; no branch that its ids
//! decide leads that thread round the store, and it does not return before the barrier.
//!
//! *Argument.* The variable of a block holds only what threads of that block have drawn, from
//! the first store on; and a load that counts comes behind a store: its thread has passed the
//! barrier together with the first thread of its block, or after that thread had passed it
//! and returned. What different threads draw from one place of a counter is different (that it
//! does not wrap around is an assumption that is printed), so loads in two blocks yield
//! different numbers, whatever the iterations.
//!
//! SOUNDNESS: kernels/atomics/draws-told-unset-bug (no store before the load),
//! draws-told-other-bug (not all that is stored was drawn), draws-told-reset-bug (the counter
//! is set back).

use duet_analysis::Paths;
use duet_ir::{Array, AtomicOp, Inst, InstData, Space, Value};
use duet_product::{KernelFacts, Row, Scope};
use duet_smt::TermId;
use duet_vc::{PairWalk, SiteTerm, Walk};

use super::argument::Argument;
use crate::check::Check;

/// The loads of variables by which blocks are told numbers from one counter.
#[derive(Default)]
pub(crate) struct Told {
    loads: Vec<(Array, Vec<Inst>)>,
}

impl Told {
    /// Looks for such variables.
    pub(crate) fn find(check: &mut Check<'_, '_>) -> Told {
        let facts = check.facts;
        let is_shared = |array: &Array| facts.module.arrays[*array].space == Space::Shared;
        let shared = facts.func.arrays_used().into_iter().filter(is_shared);
        let drawn: Vec<(Array, Vec<Inst>, Vec<Inst>)> = shared
            .filter_map(|array| stores_and_loads(facts, array).map(|(s, l)| (array, s, l)))
            .collect();
        if drawn.is_empty() {
            return Told::default();
        }
        let paths = Paths::new(facts.func);
        let mut argument = Argument { check, paths: &paths, space: Space::Global };
        let (thread, _) = argument.one_thread();
        let zero = argument.thread_zero(&thread);
        let barriers: Vec<Inst> =
            argument.barriers().into_iter().filter(|&one| zero.passes(one)).collect();
        let behind_store = |stores: &[Inst], load: Inst| {
            barriers.iter().any(|&barrier| {
                paths.must_precede(barrier, load)
                    && stores.iter().any(|&one| zero.paths.must_precede(one, barrier))
            })
        };
        let loads = drawn.into_iter().map(|(array, stores, loads)| {
            (array, loads.into_iter().filter(|&load| behind_store(&stores, load)).collect())
        });
        Told { loads: loads.collect() }
    }

    /// What threads of two blocks were told is different.
    pub(crate) fn facts(
        &self,
        check: &mut Check<'_, '_>,
        row: &Row,
        pair: &PairWalk,
    ) -> Vec<TermId> {
        let mut facts = vec![];
        if row.scope != Scope::Grid {
            return facts;
        }
        for (_, loads) in &self.loads {
            let func = check.facts.func;
            let told = |walk: &Walk| -> Vec<(TermId, TermId)> {
                let sites = walk.sites.iter().filter(|site| loads.contains(&site.inst));
                let value = |site: &SiteTerm| {
                    walk.values.get(&(site.context, func.result(site.inst))).copied()
                };
                sites.filter_map(|site| Some((site.guard, value(site)?))).collect()
            };
            let (first, second) = (told(&pair.first), told(&pair.second));
            let pool = &mut check.walker.pool;
            for &(here, one) in &first {
                for &(there, other) in &second {
                    let both = pool.and(&[here, there]);
                    let differ = pool.ne(one, other);
                    facts.push(pool.implies(both, differ));
                }
            }
        }
        facts
    }
}

/// The stores to a shared variable and its loads, if all that is stored was drawn from one
/// place of a counter.
fn stores_and_loads(facts: &KernelFacts<'_>, array: Array) -> Option<(Vec<Inst>, Vec<Inst>)> {
    let func = facts.func;
    if facts.uses.aliases(array).next().is_some() {
        return None;
    }
    let (mut stores, mut loads) = (vec![], vec![]);
    let (mut places, mut origins) = (vec![], vec![]);
    for site in facts.uses.sites(array).iter().filter(|site| !site.ghost) {
        let data = &func.insts[site.inst];
        if site.inner.is_some() {
            return None;
        }
        if let InstData::Load { access, lanes: 1, .. } = data {
            places.push(func.const_bits(access.offset)?);
            loads.push(site.inst);
        } else if let InstData::Store { access, values } = data
            && let &[value] = &values[..]
        {
            places.push(func.const_bits(access.offset)?);
            origins.push(drawn_from(facts, value)?);
            stores.push(site.inst);
        } else {
            return None;
        }
    }
    let is_one = places.iter().all(|place| *place == places[0])
        && origins.iter().all(|origin| *origin == origins[0]);
    let types: Vec<_> = (loads.iter().map(|&load| func.type_of(func.result(load)))).collect();
    let is_whole = types.iter().all(|ty| ty.bytes() == Some(facts.module.arrays[array].granule));
    (is_one && is_whole && !stores.is_empty() && !loads.is_empty()).then_some((stores, loads))
}

/// The counter and its place, if the value is what an addition to it has returned.
fn drawn_from(facts: &KernelFacts<'_>, value: Value) -> Option<(Array, u128)> {
    let InstData::Atomic { op: AtomicOp::Add, access, .. } = facts.func.definition(value)? else {
        return None;
    };
    let place = facts.func.const_bits(access.offset)?;
    let is_global = facts.module.arrays[access.array].space == Space::Global;
    (is_global && facts.is_counter(access.array)).then_some((access.array, place))
}
