//! Arrays that threads hand over to each other by fences and flags.
//!
//! Where races are not excluded, and the kernel has fences, it is checked again with
//! the contents of the arrays of these races unknown, and with the protocols of
//! `properties/order` looked for. Kernels without fences are checked as ever. What a thread
//! knows of other arrays over a barrier is known here too, as in `carry`: a kernel may fetch
//! its work under a lock and tell the block through shared memory. What else is open, such as divergence by a value in shared memory, may
//! be so because of these races only, and is asked again.

use std::collections::BTreeSet;

use duet_ask::Session;
use duet_ir::{Array, Severity};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_vc::InRange;

use super::carry::arrays_to_carry;
use super::check_under;
use crate::check::Case;
use crate::options::CheckOptions;
use crate::properties::may_be_ordered;
use crate::report::{KernelReport, Verdict};

/// Is a race open, in a kernel with fences that is followed as a whole?
pub(crate) fn is_worth_a_try(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    report: &KernelReport,
) -> bool {
    let mut errors = report.findings.iter().filter(|one| one.severity == Severity::Error);
    is_looked_at(facts, options) && errors.any(|one| one.rule.is_race() && one.primary.is_some())
}

/// Is it a kernel whose protocols are looked at?
pub(super) fn is_looked_at(facts: &KernelFacts<'_>, options: &CheckOptions) -> bool {
    let is_other = options.may_alias || options.warp_sync.is_some() || options.only_divergence;
    !is_other && facts.claims.in_force.is_empty() && may_be_ordered(facts)
}

/// A proof in which fences and flags order accesses, where `report` says that there is none
/// without; both assume the same of arithmetic.
pub(crate) fn prove(
    session: &mut Session,
    case: &mut Case<'_>,
    options: &CheckOptions,
    in_range: &InRange,
    report: &KernelReport,
) -> Result<Option<KernelReport>, SolverError> {
    let is_taken = |again: &KernelReport| again.verdict == Verdict::Proved;
    prove_if(session, case, options, in_range, report, is_taken)
}

/// The same with machine integers, and only if there is nothing to warn of either: a longer
/// look may find that a warning is needless.
pub(super) fn prove_without_findings(
    session: &mut Session,
    case: &mut Case<'_>,
    options: &CheckOptions,
    report: &KernelReport,
) -> Result<Option<KernelReport>, SolverError> {
    let is_taken =
        |again: &KernelReport| again.verdict == Verdict::Proved && again.findings.is_empty();
    prove_if(session, case, options, &InRange::new(), report, is_taken)
}

/// The report under protocols, if it is taken; else the kernel's facts are as before.
fn prove_if(
    session: &mut Session,
    case: &mut Case<'_>,
    options: &CheckOptions,
    in_range: &InRange,
    report: &KernelReport,
    is_taken: impl Fn(&KernelReport) -> bool,
) -> Result<Option<KernelReport>, SolverError> {
    let (carried, single_writers) = (case.facts.carried.clone(), case.facts.single_writers.clone());
    case.facts.carried.extend(arrays_to_carry(&case.facts, options, report));
    let arrays = arrays_of_races(&case.facts, report);
    hand_over(case, arrays);
    let again = check_under(session, case, options, in_range.clone(), None)?;
    if is_taken(&again) {
        return Ok(Some(again));
    }
    case.facts.ordered.clear();
    (case.facts.carried, case.facts.single_writers) = (carried, single_writers);
    Ok(None)
}

/// Lets protocols order the accesses to these arrays, whose contents are unknown from now on.
///
/// SOUNDNESS: what a thread knows over barriers of such arrays is void
/// (kernels/order/stale-index-bug).
pub(super) fn hand_over(case: &mut Case<'_>, arrays: BTreeSet<Array>) {
    case.facts.carried.retain(|array| !arrays.contains(array));
    case.facts.single_writers.retain(|array| !arrays.contains(array));
    case.facts.ordered = arrays;
}

/// The arrays that two threads may access without an order.
pub(super) fn arrays_of_races(facts: &KernelFacts<'_>, report: &KernelReport) -> BTreeSet<Array> {
    let races = report.findings.iter().filter(|one| one.rule.is_race());
    let places = races.flat_map(|one| one.primary.into_iter().chain(one.secondary));
    let accesses = places.flat_map(|inst| facts.func.insts[inst].accesses());
    accesses.map(|(_, access)| access.array).collect()
}
