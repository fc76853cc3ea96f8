//! Proofs that assume signed arithmetic to stay in its range.
//!
//! Signed arithmetic that overflows is undefined in the source languages, and unsigned
//! results that don't fit the signed variables they are put into are hardly ever meant.
//! Where sizes are free, wrap-around makes hard questions of easy ones, so they are asked
//! under the assumption that there is none
//! ([`comes_first`]). Elsewhere only what is not proved exactly is tried once more under
//! it. From a proof lines are dropped as long as it remains one, all of them first; the
//! rest is listed with the verdict. Every attempt is a check of the whole kernel with the
//! assumption stated where the operation is executed, so that the last one is the proof.
//!
//! SOUNDNESS: the assumption is a fact of a thread only after it executed the
//! operation (`Encoder::assume_in_range`), and all assumptions together must have a
//! model (`satisfy_assumptions`). This is asked of one thread, with loops cut, so the proof
//! is accepted only if interpreted runs meet the assumption, with all threads of a launch
//! ([`is_met`]; kernels/soundness/43-overflow-in-every-launch, 121-overflow-in-the-middle),
//! and if small runs of the kernel as it is show no defect ([`Accepted`]).

use duet_ask::{Patience, Session};
use duet_infer::of_more;
use duet_ir::Severity;
use duet_smt::solver::SolverError;
use duet_vc::{InRange, Witness};

use super::check_under;
use crate::check::{Case, Check};
use crate::in_range::{assumable, everything, in_words, multiplies_unknowns, union};
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, Property, Verdict, Why};
use crate::vacuity::Vacuity;

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
    /// No proof, but a report with a state in which it fails although no arithmetic overflows.
    Fails(Box<KernelReport>),
    /// No proof, or one that would be of no use.
    Nothing,
}

/// Is the kernel asked about under the assumption before it is asked about without?
///
/// Where all sizes are given it is not: bit-vectors decide most products as they are,
/// and each operation that is assumed about adds a condition at twice its width. With the
/// assumption first, 18 of 351 public kernels were not proved within 15 s on a busy
/// machine that are proved without. Only of a kernel that `fails` in a run anyway, what
/// else may be wrong is asked so.
pub(crate) fn comes_first(case: &Case<'_>, options: &CheckOptions, fails: bool) -> bool {
    !options.strict
        && options.patience == Patience::Full
        && (options.premises().is_size_free() || fails && multiplies_unknowns(&case.facts))
        && !everything(&case.facts).is_empty()
}

/// A proof that takes little.
pub(crate) fn prove_soon(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<Accepted, SolverError> {
    // Most of the work is for those who ask at length and look for runs.
    let work = options.with_work(options.work / SOON);
    prove(session, case, &CheckOptions { patience: Patience::Little, ..work })
}

/// A proof under an assumption about as few lines as could be found.
///
/// SOUNDNESS: the caller has made small runs and they show no defect: what a run shows is not
/// assumed away. A conversion that changes a value is no undefined behaviour
/// (kernels/soundness/91-generator-converts).
pub(crate) fn prove(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<Accepted, SolverError> {
    let assumed = everything(&case.facts);
    if options.strict || assumed.is_empty() {
        return Ok(Accepted::Nothing);
    }
    let attempt = CheckOptions { verdict_only: true, ..options.with_work(FIRST_WORK) };
    // Where sizes are free, guesses of invariants are hard questions, and the closed forms are
    // often enough for the algebra once products are known not to wrap.
    if options.infer && options.shortcuts.plain_in_range && !case.facts.loops.is_empty() {
        let plain = CheckOptions { infer: false, patience: Patience::Algebra, ..attempt.clone() };
        let report = check_under(session, case, &plain, assumed.clone(), None)?;
        if report.verdict == Verdict::Proved && report.findings.is_empty() {
            return accept(session, case, &plain, report);
        }
    }
    let report = check_under(session, case, &attempt, assumed, None)?;
    match report.verdict {
        Verdict::Proved => accept(session, case, &attempt, report),
        Verdict::Unproven if fails_anyway(&report) => Ok(Accepted::Fails(Box::new(report))),
        Verdict::Refuted | Verdict::Unproven | Verdict::Vacuous => Ok(Accepted::Nothing),
    }
}

/// Did a solver find a state in which it fails, that no loop, memory or unknown result is to
/// blame for?
fn fails_anyway(report: &KernelReport) -> bool {
    let is_state = |one: &Finding| {
        one.severity == Severity::Error
            && matches!(one.why, Why::Model(_))
            && one.obstacles.is_empty()
    };
    report.findings.iter().any(is_state)
}

/// What a proof under all assumptions is worth: lines are dropped from them, and runs have
/// to meet the rest.
pub(crate) fn accept(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    mut best: KernelReport,
) -> Result<Accepted, SolverError> {
    let facts = &case.facts;
    let all = assumable(facts);
    let mut kept = all.clone();
    // Lines are dropped for the user's sake; without the runs there is no proof at all, so
    // some of the time is theirs.
    let unhurried = options;
    let options = &CheckOptions { fence: options.fence.part(1, 2), ..options.clone() };
    // The algebra alone first: what it proved it proves without the rest, and solvers look
    // long for a proof that there is not.
    let patience: &[Patience] = match multiplies_unknowns(facts) {
        true => &[Patience::Algebra, Patience::Glance],
        false => &[Patience::Little],
    };
    for &patience in patience {
        if kept == all {
            let options = CheckOptions { patience, ..options.clone() };
            kept = fewer_lines(session, case, &options, &mut best)?;
        }
    }
    let assumed = union(&kept);
    if assumed.is_empty() {
        return Ok(Accepted::Proof(Box::new(best)));
    }
    Ok(match is_met(session, case, unhurried, &assumed, best.example.as_ref())? {
        true => Accepted::Proof(Box::new(best)),
        false => Accepted::NotMet(in_words(facts, &assumed)),
    })
}

/// Do runs meet what is assumed of arithmetic?
pub(crate) fn is_met(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    assumed: &InRange,
    example: Option<&Witness>,
) -> Result<bool, SolverError> {
    let subject = case.subject(options);
    let Some(runs) = subject.met_by_runs(assumed, &case.facts.loops, example) else {
        return Ok(false);
    };
    let mut check = Check::new(session, case, options, assumed.clone());
    Vacuity { check: &mut check }.is_met_by(&runs)
}

/// The lines that are left if as many as possible are dropped; `best` becomes the proof
/// without them.
fn fewer_lines(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    best: &mut KernelReport,
) -> Result<Vec<InRange>, SolverError> {
    let end = session.work() + MIN_WORK.max(best.work * 4);
    let work = options.with_work(best.work * 2 + ATTEMPT_WORK);
    let attempt = CheckOptions { verdict_only: true, ..work };
    drop_lines(assumable(&case.facts), |fewer, attempts| {
        if attempts > MAX_ATTEMPTS || session.work() > end || options.fence.is_past() {
            return Ok(false);
        }
        // What is not inductive under more assumptions is not under fewer.
        let among = best.invariants.clone();
        let report = check_under(session, case, &attempt, union(fewer), Some(&among))?;
        // A warning is no price for an assumption less.
        let as_good =
            report.verdict == Verdict::Proved && report.findings.len() <= best.findings.len();
        if as_good {
            *best = KernelReport { rules: of_more(&best.rules, &report.rules), ..report };
        }
        Ok(as_good)
    })
}

/// Drops what is not needed, large parts first.
fn drop_lines(
    mut lines: Vec<InRange>,
    mut is_enough: impl FnMut(&[InRange], usize) -> Result<bool, SolverError>,
) -> Result<Vec<InRange>, SolverError> {
    let mut attempts = 0;
    let mut size = lines.len();
    while size > 0 {
        let mut from = 0;
        while from < lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(from..(from + size).min(lines.len()));
            // That there is no proof without any is known from the first attempt.
            let is_known = fewer.is_empty() && attempts > 0;
            attempts += 1;
            match !is_known && is_enough(&fewer, attempts)? {
                true => lines = fewer,
                false => from += size,
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    Ok(lines)
}

/// Could an assumption about values turn the findings into a proof?
pub(crate) fn may_help(report: &KernelReport) -> bool {
    let about_values = |finding: &Finding| {
        finding.severity == Severity::Warning
            || Property::of_rule(finding.rule).is_some()
                && !matches!(finding.why, Why::NotModelled(_))
    };
    report.verdict == Verdict::Unproven && report.findings.iter().all(about_values)
}
