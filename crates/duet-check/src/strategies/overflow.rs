//! Proofs that assume signed arithmetic to stay in its range.
//!
//! What is not proved exactly is tried once more under the assumption that signed
//! arithmetic does not overflow (undefined in the source languages), and that
//! unsigned results fit the signed variables they are put into. If that is a
//! proof, lines are dropped from the assumption as long as it remains one; the
//! rest is listed with the verdict. Every attempt is a check of the whole kernel
//! with the assumption stated where the operation is executed, so that the last
//! one is the proof.
//!
//! SOUNDNESS: the assumption is a fact of a thread only after it executed the
//! operation (`Encoder::assume_in_range`), and all assumptions together must have a
//! model, in which all threads of a launch can meet them (`satisfy_assumptions`;
//! kernels/soundness/43-overflow-in-every-launch). These questions are asked with loops
//! cut, so the proof is accepted only if interpreted runs meet the assumption, and if
//! small runs of the kernel as it is show no defect ([`Accepted`]).

use duet_ask::{Patience, Session};
use duet_infer::of_more;
use duet_ir::Severity;
use duet_smt::solver::SolverError;
use duet_vc::InRange;

use super::{check_under, runs};
use crate::check::Case;
use crate::in_range::{assumable, in_words, union};
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, Property, Verdict, Why};

/// Attempts at dropping lines.
const MAX_ATTEMPTS: usize = 24;
/// Work for the proof under all assumptions.
const FIRST_WORK: u64 = 150_000_000;
/// The part of the work with which a proof must be found to be found soon.
const SOON: u64 = 3;
/// Work for dropping lines, whatever the proof took.
const MIN_WORK: u64 = 20_000_000;
/// Work for one attempt at that, on top of twice what the proof took.
const ATTEMPT_WORK: u64 = 5_000_000;

/// What came of an attempt under such an assumption.
pub(crate) enum Accepted {
    /// A proof, under an assumption that runs meet.
    Proof(Box<KernelReport>),
    /// A proof, but no run that was tried meets the assumption: in words, what was
    /// assumed.
    NotMet(Vec<String>),
    /// No proof, or one that would be of no use.
    Nothing,
}

/// A proof that takes little: exact, or else under such an assumption; nothing if there
/// is no arithmetic to assume anything of.
///
/// A counter that might wrap makes hard questions of what is easy without, or a model
/// that no run confirms: both are better asked under the assumption before solvers are
/// asked at length. Where the sizes are numbers the exact way decides almost always.
pub(crate) fn prove_soon(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<Accepted, SolverError> {
    let is_free = options.premises().is_size_free();
    let wanted = is_free && !options.strict && options.patience == Patience::Full;
    if !wanted || assumable(&case.facts).is_empty() {
        return Ok(Accepted::Nothing);
    }
    // Most of the work is for those who ask at length and look for runs.
    let quick = CheckOptions {
        patience: Patience::Little,
        verdict_only: true,
        ..options.with_work(options.work / SOON)
    };
    let exact = check_under(session, case, &quick, InRange::new(), None)?;
    if exact.verdict == Verdict::Proved {
        return Ok(Accepted::Proof(Box::new(exact)));
    }
    prove(session, case, &quick, &exact)
}

/// A proof under an assumption about as few lines as could be found.
pub(crate) fn prove(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    exact: &KernelReport,
) -> Result<Accepted, SolverError> {
    let facts = &case.facts;
    let lines = assumable(facts);
    if options.strict || lines.is_empty() || !may_help(exact) {
        return Ok(Accepted::Nothing);
    }
    // SOUNDNESS: what a run shows is not assumed away. A conversion that changes a value
    // is no undefined behaviour (kernels/soundness/91-generator-converts).
    let subject = case.subject(options);
    if runs::fail_soon(&subject, &exact.findings, exact.example.as_ref()) {
        return Ok(Accepted::Nothing);
    }
    let left = options.work.saturating_sub(exact.work);
    let mut attempt =
        CheckOptions { verdict_only: true, ..options.with_work(left.min(FIRST_WORK)) };
    let mut best = check_under(session, case, &attempt, union(&lines), None)?;
    if best.verdict != Verdict::Proved {
        return Ok(Accepted::Nothing);
    }
    let end = session.work() + MIN_WORK.max(best.work * 4);
    attempt.work = best.work * 2 + ATTEMPT_WORK;
    let kept = drop_lines(lines, |fewer, attempts| {
        if attempts >= MAX_ATTEMPTS || session.work() > end || options.fence.is_past() {
            return Ok(false);
        }
        // What is not inductive under more assumptions is not under fewer.
        let among = best.invariants.clone();
        let report = check_under(session, case, &attempt, union(fewer), Some(&among))?;
        let proved = report.verdict == Verdict::Proved;
        if proved {
            best = KernelReport { rules: of_more(&best.rules, &report.rules), ..report };
        }
        Ok(proved)
    })?;
    let assumed = union(&kept);
    Ok(match subject.is_met_by_runs(&assumed, &facts.loops, best.example.as_ref()) {
        true => Accepted::Proof(Box::new(best)),
        false => Accepted::NotMet(in_words(facts, &assumed)),
    })
}

/// Drops what is not needed, large parts first.
fn drop_lines(
    mut lines: Vec<InRange>,
    mut is_enough: impl FnMut(&[InRange], usize) -> Result<bool, SolverError>,
) -> Result<Vec<InRange>, SolverError> {
    let mut attempts = 0;
    let mut size = lines.len().div_ceil(2);
    while size > 0 {
        let mut from = 0;
        while from < lines.len() && lines.len() > 1 {
            let mut fewer = lines.clone();
            fewer.drain(from..(from + size).min(lines.len()));
            attempts += 1;
            match !fewer.is_empty() && is_enough(&fewer, attempts)? {
                true => lines = fewer,
                false => from += size,
            }
        }
        size /= 2;
    }
    Ok(lines)
}

/// Could an assumption about values turn the findings into a proof?
fn may_help(report: &KernelReport) -> bool {
    let about_values = |finding: &Finding| {
        finding.severity == Severity::Warning
            || Property::of_rule(finding.rule).is_some()
                && !matches!(finding.why, Why::NotModelled(_))
    };
    report.verdict == Verdict::Unproven && report.findings.iter().all(about_values)
}
