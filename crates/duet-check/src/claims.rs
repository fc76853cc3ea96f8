//! Which claims about memory at barriers are in force.
//!
//! A claim that is in force is assumed after its barrier and proved before it. One that
//! speaks of memory of which nothing can be known is neither: it is a finding.
//!
//! SOUNDNESS: what a claim rests on is that races are absent, so not of arrays that atomics,
//! copies or volatile accesses touch, or that others may overlap
//! (kernels/claims/11-atomic-is-no-permission), nor of spaces that the barrier does not
//! order, nor where races are not checked or threads of a warp run in lock step.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{
    AnnotationKind, Array, BinaryOp, Const, GhostKind, Inst, InstData, Rule, Space, Value, ValueDef,
};
use duet_product::{KernelFacts, Scope, Start, ghosts_of};

use crate::options::CheckOptions;
use crate::properties::obstacle_of_cells;
use crate::report::{Construct, Why};
use crate::strategies::may_be_carried;

/// Puts the claims of a kernel in force, as far as they can be.
pub(crate) fn put_in_force(facts: &mut KernelFacts<'_>, options: &CheckOptions) {
    let has_claims = facts.func.insts_in_order().any(|inst| is_claim(facts, inst));
    let has_snapshots = facts.func.insts_in_order().any(|inst| is_snapshot(facts, inst));
    if !has_claims && !has_snapshots {
        return;
    }
    facts.claims = facts.find_claims();
    // Both rest on races being absent.
    if options.warp_sync.is_none() && !options.only_divergence {
        facts.snapshots = facts.find_snapshots();
    }
    let mut claims = facts.claims.clone();
    let mut arrays = BTreeSet::new();
    for (barrier, list) in claims.places.iter() {
        let read = arrays_read(facts, &claims.places, barrier);
        for &claim in list {
            if obstacle(facts, options, barrier, claim, &read).is_none() {
                claims.in_force.insert(claim);
                arrays.extend(&read);
            }
        }
    }
    facts.claims = claims;
    let is_written = |array: &Array| !facts.uses.is_never_written(*array);
    facts.carried.extend(arrays.into_iter().filter(is_written));
    facts.settled = settled(facts, options);
    let snapshots = facts.snapshots.iter().map(|(&copy, one)| (copy, one.barrier));
    facts.settled.extend(snapshots);
}

/// Is the instruction a snapshot of an array?
fn is_snapshot(facts: &KernelFacts<'_>, inst: Inst) -> bool {
    let data = &facts.func.insts[inst];
    matches!(data, InstData::Annotation { kind: AnnotationKind::ArraySnapshot, .. })
}

/// The arrays of sums that are written before a barrier only, with that barrier: one at which
/// something is claimed of their elements, if there is one.
fn settled(facts: &KernelFacts<'_>, options: &CheckOptions) -> BTreeMap<Array, Inst> {
    let summed = facts.func.insts_in_order().filter_map(|inst| {
        let InstData::Ghost { kind: GhostKind::Fold, args, .. } = &facts.func.insts[inst] else {
            return None;
        };
        let Some(Const::Array(array)) = facts.func.const_of(args[0]) else { return None };
        Some(array)
    });
    let summed: BTreeSet<Array> = summed.collect();
    let mut settled = BTreeMap::new();
    if options.warp_sync.is_some() || options.only_divergence {
        return settled;
    }
    for array in summed.into_iter().filter(|&array| may_be_carried(facts, options, array)) {
        let mut barriers: Vec<Inst> = facts
            .func
            .insts_in_order()
            .filter(|&inst| matches!(facts.func.insts[inst], InstData::Barrier { .. }))
            .filter(|&inst| is_ordered_at(facts, array, inst) && facts.may_settle(array, inst))
            .collect();
        let is_told = |barrier: &Inst| {
            let claims = facts.claims_at(*barrier);
            claims.into_iter().any(|claim| duet_vc::array_of_cells(facts, claim) == Some(array))
        };
        barriers.sort_by_key(|barrier| !is_told(barrier));
        settled.extend(barriers.first().map(|&barrier| (array, barrier)));
    }
    settled
}

/// The claims that are not in force, each with the reason.
pub(crate) fn rejected(facts: &KernelFacts<'_>, options: &CheckOptions) -> Vec<(Inst, Rule, Why)> {
    let mut rejected = vec![];
    for &claim in facts.claims.places.misplaced() {
        let why = "something stands between it and the barrier, or not all threads pass it";
        let rule = Rule::MisplacedBarrierInvariant;
        rejected.push((claim, rule, Why::Stated(why.to_string())));
    }
    for (barrier, list) in facts.claims.places.iter() {
        let read = arrays_read(facts, &facts.claims.places, barrier);
        for &claim in list {
            if let Some(why) = obstacle(facts, options, barrier, claim, &read) {
                rejected.push((claim, Rule::NotModelled, why));
            }
        }
    }
    rejected
}

/// Is the instruction a claim about memory at a barrier?
pub(crate) fn is_claim(facts: &KernelFacts<'_>, inst: Inst) -> bool {
    use AnnotationKind::{BarrierInvariant, BarrierInvariantBinary, CellInvariant};
    matches!(
        facts.func.insts[inst],
        InstData::Annotation {
            kind: BarrierInvariant | BarrierInvariantBinary | CellInvariant,
            ..
        }
    )
}

/// Does a claim that is in force add up what it reads? Such claims are asked about with data as
/// integers.
pub(crate) fn adds_cells(facts: &KernelFacts<'_>) -> bool {
    facts.claims.in_force.iter().any(|&claim| {
        let InstData::Annotation { args, .. } = &facts.func.insts[claim] else { return false };
        let (mut open, mut seen) = (vec![args[0]], BTreeSet::new());
        while let Some(value) = open.pop() {
            let ValueDef::Result(inst, _) = facts.func.values[value] else { continue };
            let data = &facts.func.insts[inst];
            if let InstData::Binary { op: BinaryOp::Add, args: [a, b], .. } = data
                && [a, b].iter().all(|&&arg| is_of_read(facts, arg))
            {
                return true;
            }
            if seen.insert(inst) && !matches!(data, InstData::Load { .. }) {
                open.extend(data.values());
            }
        }
        false
    })
}

/// Is the value one that was read, or a sum or a choice of such?
fn is_of_read(facts: &KernelFacts<'_>, value: Value) -> bool {
    let ValueDef::Result(inst, _) = facts.func.values[value] else { return false };
    let data = &facts.func.insts[inst];
    if let InstData::Binary { op: BinaryOp::Add, args, .. } | InstData::Select { args, .. } = data {
        return args.iter().any(|&arg| is_of_read(facts, arg));
    }
    matches!(data, InstData::Load { .. })
}

/// Is it a claim about every element of an array?
pub(crate) fn is_of_cells(facts: &KernelFacts<'_>, inst: Inst) -> bool {
    let data = &facts.func.insts[inst];
    matches!(data, InstData::Annotation { kind: AnnotationKind::CellInvariant, .. })
}

/// Is it a claim about two threads?
pub(crate) fn is_binary(facts: &KernelFacts<'_>, inst: Inst) -> bool {
    let data = &facts.func.insts[inst];
    matches!(data, InstData::Annotation { kind: AnnotationKind::BarrierInvariantBinary, .. })
}

/// The arrays that are read before a barrier for what is claimed there.
fn arrays_read(
    facts: &KernelFacts<'_>,
    places: &duet_analysis::BarrierClaims,
    barrier: Inst,
) -> BTreeSet<Array> {
    let reads = facts.func.insts_in_order().filter(|&inst| places.is_read_at(barrier, inst));
    let arrays = reads.flat_map(|inst| facts.func.insts[inst].accesses());
    let arrays = arrays.map(|(_, access)| access.array);
    arrays.filter(|&array| facts.module.arrays[array].space != Space::Private).collect()
}

/// Why a claim cannot be in force.
fn obstacle(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    barrier: Inst,
    claim: Inst,
    read: &BTreeSet<Array>,
) -> Option<Why> {
    let stated = |why: &str| Some(Why::Stated(why.to_string()));
    if options.warp_sync.is_some() || options.only_divergence {
        return stated("barrier invariants rest on races being absent, which is not checked");
    }
    if !matches!(facts.func.insts[barrier], InstData::Barrier { .. }) {
        return Some(Why::NotModelled(Construct::BarrierInvariants));
    }
    if is_of_cells(facts, claim)
        && let Some(why) = obstacle_of_cells(facts, claim)
    {
        return Some(why);
    }
    let ghosts = ghosts_of(facts.func, claim);
    let is_allowed = |ghost: &GhostKind| match ghost {
        GhostKind::Enabled | GhostKind::SameBlock | GhostKind::Fold => true,
        GhostKind::Cell => is_of_cells(facts, claim),
        GhostKind::Other => is_binary(facts, claim),
        GhostKind::DominatorEnabled
        | GhostKind::HasRead
        | GhostKind::HasWritten
        | GhostKind::ReadOffset
        | GhostKind::WriteOffset
        | GhostKind::ArrayIdentity
        | GhostKind::ReturnValue
        | GhostKind::Old
        | GhostKind::AtomicHasTakenValue => false,
    };
    if !ghosts.iter().all(is_allowed) {
        return stated("it speaks of another thread or of logged accesses");
    }
    let is_constant = |array| {
        facts.uses.is_never_written(array) && facts.module.arrays[array].space != Space::Shared
            || facts.snapshots.contains_key(&array)
    };
    let mut written = read.iter().copied().filter(|&array| !is_constant(array));
    if !written.clone().all(|array| may_be_carried(facts, options, array)) {
        return stated("it reads memory that atomics, copies or volatile accesses touch");
    }
    if !written.all(|array| is_ordered_at(facts, array, barrier)) {
        return stated("the barrier does not order the memory that it reads");
    }
    None
}

/// Does the barrier order accesses of its block to the array?
fn is_ordered_at(facts: &KernelFacts<'_>, array: Array, barrier: Inst) -> bool {
    let rows = facts.program.rows.iter().filter(|row| row.scope == Scope::Block);
    let mut families = rows.flat_map(|row| &row.families);
    families.any(|family| {
        let starts = |start| start == Start::Barrier(barrier);
        facts.is_ordered_by(array, family)
            && family.intervals.iter().any(|interval| starts(interval.start))
    })
}
