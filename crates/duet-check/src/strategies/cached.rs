//! What an earlier proof of the kernel kept is tried first, and what this one kept is
//! written down.

use duet_ask::Session;
use duet_infer::{Composition, proof_cache};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_vc::InRange;

use super::check_under;
use crate::check::Case;
use crate::options::CheckOptions;
use crate::report::{KernelReport, Verdict};

/// Work for the attempt, however little the earlier proof needed.
const LEAST_WORK: u64 = 5_000_000;

/// A proof from what an earlier one kept, if there is one.
pub(super) fn prove_as_before(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<Option<KernelReport>, SolverError> {
    let facts = &case.facts;
    let folder = options.proof_cache.as_deref();
    let Some(entry) = folder.and_then(|folder| proof_cache::read(folder, facts)) else {
        return Ok(None);
    };
    let limit = entry.work * 2 + LEAST_WORK;
    let quick = CheckOptions {
        verdict_only: true,
        engines: Composition::houdini(),
        ..options.with_work(limit)
    };
    let among = proof_cache::chosen(facts, &options.infer_options(), &entry);
    let report = check_under(session, case, &quick, InRange::new(), Some(&among))?;
    Ok((report.verdict == Verdict::Proved).then_some(report))
}

/// Writes down what an exact proof kept.
pub(super) fn keep(facts: &KernelFacts<'_>, options: &CheckOptions, report: &KernelReport) {
    let Some(folder) = &options.proof_cache else { return };
    if report.verdict == Verdict::Proved && report.is_exact && !facts.loops.is_empty() {
        proof_cache::keep(folder, facts, report.work, &report.invariants);
    }
}
