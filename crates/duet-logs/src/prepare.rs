//! What a walk starts from: threads, an empty log, what the user claims.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{AnnotationKind, Block, Inst, InstData};
use duet_product::KernelFacts;
use duet_smt::{Sort, TermPool};
use duet_vc::{Geometry, Side, ThreadTerms};

use crate::facts::Known;
use crate::log::{Entry, Key, Site};
use crate::options::Instrumenter;
use crate::statement::{Candidate, Statement};
use crate::walk::instructions::depends_on_two;
use crate::walk::states::nothing_remembered;
use crate::walk::{Lockstep, Row, Thread, kind_in};

/// The threads of a row, with what is known of them.
pub(crate) fn threads(row: Row, geometry: &Geometry, pool: &mut TermPool) -> (Vec<Thread>, Known) {
    let first = match row {
        Row::Alone => geometry.thread(pool, Side::Alone, None),
        Row::Block | Row::Grid => geometry.thread(pool, Side::First, None),
    };
    let mut known = Known::default();
    for &fact in geometry.facts.iter().chain(&first.facts) {
        known.push(fact, None);
    }
    let second = match row {
        Row::Alone => None,
        Row::Block => Some(geometry.thread(pool, Side::Second, Some(&first))),
        Row::Grid => Some(geometry.thread(pool, Side::Second, None)),
    };
    if let Some(second) = &second {
        second.facts.iter().for_each(|&fact| known.push(fact, None));
        let differ = match row {
            Row::Grid => first.differs_in_block(pool, second),
            Row::Alone | Row::Block => first.differs_in_thread(pool, second),
        };
        known.push(differ, None);
    }
    let alive = pool.tt();
    let thread = |terms: ThreadTerms| Thread {
        terms,
        values: Default::default(),
        alive,
        private: BTreeMap::new(),
    };
    (std::iter::once(first).chain(second).map(thread).collect(), known)
}

/// Blocks from which a barrier can be reached, themselves included.
pub(crate) fn before_barriers(facts: &KernelFacts<'_>) -> BTreeSet<Block> {
    let func = facts.func;
    let has_barrier = |block: Block| {
        func.blocks[block].insts.iter().any(|&inst| func.insts[inst].barrier_scope().is_some())
    };
    let mut found: BTreeSet<Block> =
        func.layout.iter().copied().filter(|&block| has_barrier(block)).collect();
    loop {
        let leads = |&block: &Block| {
            let edges = func.blocks[block].terminator.edges();
            !found.contains(&block) && edges.iter().any(|edge| found.contains(&edge.block))
        };
        let more: Vec<Block> = func.layout.iter().copied().filter(leads).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Finds the places that are logged, and makes an empty log.
pub(crate) fn prepare_log(lockstep: &mut Lockstep<'_>) {
    let facts = lockstep.setting.facts;
    for inst in facts.func.insts_in_order() {
        let Some((key, bytes)) = kind_in(lockstep, inst) else { continue };
        let accesses = facts.func.insts[inst].accesses();
        let Some((_, access)) = accesses.first() else { continue };
        lockstep.sites.push(Site { inst, key, offset: access.offset, bytes });
    }
    let keys: BTreeSet<Key> = lockstep.sites.iter().map(|site| site.key).collect();
    let width = u32::from(facts.module.pointer_width);
    for key in keys {
        let insts: Vec<Inst> =
            lockstep.sites.iter().filter(|site| site.key == key).map(|site| site.inst).collect();
        let (params, visits) = nothing_remembered(lockstep, &insts);
        let name = match lockstep.setting.options.instrumenter {
            Instrumenter::WatchdogSingle => "watched".to_string(),
            Instrumenter::WatchdogMultiple | Instrumenter::Original => {
                format!("watched.{}", key.0)
            }
        };
        let granule = facts.module.arrays[key.0].granule.max(1);
        let never = lockstep.pool.ff();
        let entry = Entry {
            flag: never,
            offset: lockstep.pool.bv_var(&name, width),
            valued: never,
            value: lockstep.pool.bv_var(&format!("watched.value.{}", key.0), 8 * granule),
            site: lockstep.pool.fresh("site", Sort::BitVec(16)),
            params,
            visits,
        };
        lockstep.log.insert(key, entry);
    }
}

/// What the user wrote at the heads of loops: what must hold, and what may.
pub(crate) fn user_candidates(lockstep: &Lockstep<'_>) -> Vec<Candidate> {
    use AnnotationKind::*;
    let facts = lockstep.setting.facts;
    let mut found = vec![];
    for (block, inst) in facts.func.insts_with_blocks() {
        let InstData::Annotation { kind, .. } = facts.func.insts[inst] else { continue };
        if depends_on_two(lockstep, inst) == (lockstep.row == Row::Alone) {
            continue;
        }
        let statement = Statement::User(inst);
        match kind {
            Invariant | GlobalInvariant | CandidateInvariant | CandidateGlobalInvariant => {
                let id = facts.loops.headed_by(block);
                found.extend(id.map(|id| Candidate { id, rule: "user", statement }));
            }
            FunctionWideInvariant | FunctionWideCandidateInvariant => {
                for (id, _) in facts.loops.iter() {
                    let statement = statement.clone();
                    found.push(Candidate { id, rule: "user", statement });
                }
            }
            Requires
            | GlobalRequires
            | Ensures
            | GlobalEnsures
            | Assume
            | CandidateAssert
            | CandidateGlobalAssert
            | BarrierInvariant
            | BarrierInvariantBinary
            | CellInvariant
            | Axiom
            | Contract
            | Verified
            | ReadsFrom
            | WritesTo
            | ArraySnapshot
            | Captured => {}
        }
    }
    found
}
