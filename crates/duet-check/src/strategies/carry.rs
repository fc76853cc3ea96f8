//! What a thread knows of memory over a barrier.
//!
//! After a barrier the contents of shared memory are unknown, and most kernels need no
//! more. Those whose addresses or branches depend on what they stored do: a thread writes a
//! cell, waits, and takes an index from it. So do those in which all threads store what they
//! read from one cell, which is tolerated. For these the kernel is checked again, with the
//! cells that a thread accessed before a barrier known after it (duet-vc/src/encode/known.rs
//! says why that is sound), and with contents after a barrier that are the same for the
//! pair.
//!
//! SOUNDNESS: not for arrays that atomics, copies or volatile accesses touch, or that others
//! may overlap, nor in lock step, where a write of a warp-mate is no race
//! (kernels/soundness/95-carry-atomic, 95-carry-volatile, 95-carry-alias). Freedom from races
//! is what it rests on: not if races are not checked, and not for global memory if those
//! between blocks are not (95-carry-other-block).

use std::collections::BTreeSet;

use duet_analysis::DataDependence;
use duet_ask::Session;
use duet_interp::Site;
use duet_ir::{AccessMode, Array, Inst, InstData, Rule, Space, Value, ValueDef};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_vc::InRange;

use super::check_under;
use crate::check::Case;
use crate::options::CheckOptions;
use crate::report::{KernelReport, Verdict};

/// A proof that knows of memory over barriers, where `report` says that there is none
/// without; both assume the same of arithmetic. If there is none, what is carried stays
/// known to the strategies that follow.
pub(crate) fn prove(
    session: &mut Session,
    case: &mut Case<'_>,
    options: &CheckOptions,
    in_range: &InRange,
    report: &KernelReport,
) -> Result<Option<KernelReport>, SolverError> {
    if report.verdict != Verdict::Unproven || options.warp_sync.is_some() || options.only_divergence
    {
        return Ok(None);
    }
    let carried = arrays_to_carry(&case.facts, options, report);
    if carried.is_subset(&case.facts.carried) {
        return Ok(None);
    }
    case.facts.carried.extend(carried);
    let again = check_under(session, case, options, in_range.clone(), None)?;
    Ok((again.verdict == Verdict::Proved).then_some(again))
}

/// The arrays whose contents, stored before a barrier, may decide what is accessed, or
/// whether two writes are of the same value.
pub(crate) fn arrays_to_carry(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    report: &KernelReport,
) -> BTreeSet<Array> {
    let is_barrier = |inst: Inst| facts.func.insts[inst].barrier_scope().is_some();
    if !facts.func.insts_in_order().any(is_barrier) {
        return BTreeSet::new();
    }
    let compared = loads_compared(facts, report);
    let arrays = facts.func.arrays_used().into_iter();
    let matters = |array| decides(facts, array, &compared);
    arrays.filter(|&array| may_be_carried(facts, options, array) && matters(array)).collect()
}

/// The loads on which values depend that two threads may write to one place.
fn loads_compared(facts: &KernelFacts<'_>, report: &KernelReport) -> BTreeSet<Inst> {
    let races = report.findings.iter().filter(|one| one.rule == Rule::WriteWriteRace);
    let writes = races.flat_map(|race| race.primary.into_iter().chain(race.secondary));
    let stored = writes.flat_map(|inst| {
        let InstData::Store { values, .. } = &facts.func.insts[inst] else { return vec![] };
        values.clone()
    });
    let sources = DataDependence::of(facts.func, stored.collect());
    let definition = |value: Value| match facts.func.values[value] {
        ValueDef::Result(inst, _) => Some(inst),
        ValueDef::BlockParam(..) | ValueDef::Const(_) | ValueDef::FunctionParam(_) => None,
    };
    sources.values().filter_map(definition).collect()
}

pub(crate) fn may_be_carried(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    array: Array,
) -> bool {
    let is_plain = |kind: AccessMode| matches!(kind, AccessMode::Load | AccessMode::Store);
    let sites = facts.uses.sites(array);
    let can_be_shared = match facts.module.arrays[array].space {
        Space::Shared => true,
        Space::Global => !options.only_intra_group,
        Space::Constant | Space::Private => false,
    };
    can_be_shared
        && sites.iter().all(|site| is_plain(site.kind) && !site.volatile)
        && sites.iter().any(|site| site.kind == AccessMode::Store)
        && facts.uses.aliases(array).next().is_none()
}

/// Does what is loaded from the array reach an address, a branch or an assertion, or is it
/// among what is compared?
fn decides(facts: &KernelFacts<'_>, array: Array, compared: &BTreeSet<Inst>) -> bool {
    let loads = facts.uses.sites(array).iter().filter(|site| site.kind == AccessMode::Load);
    loads.into_iter().any(|site| {
        let place = Site { func: facts.kernel, inst: site.inst };
        compared.contains(&site.inst) || duet_interp::decides(facts.module, place)
    })
}
