//! Proofs without guesses, with solvers and without.

use duet_ask::{Patience, Session};
use duet_smt::solver::SolverError;
use duet_vc::InRange;

use super::check_under;
use crate::check::Case;
use crate::options::CheckOptions;
use crate::report::{KernelReport, Verdict};

/// The part of the work for an attempt with solvers but without guesses.
const BRIEF: u64 = 8;

/// The same where protocols are looked for.
const BRIEF_WITH_PROTOCOLS: u64 = 2;

/// A proof without guessed loop invariants and without solvers, if there is one: the
/// empty set of guesses is inductive, and closed forms are often enough for the algebra.
///
/// Measured over 45 kernels with loops, the better of two runs each: 8 are proved so, in
/// 94 ms instead of 1067 ms; the other 37 take 16.0 s instead of 15.2 s. In all that is
/// neither gain nor loss. Asking solvers too (300,000 units each) proves three in four,
/// and the processor time over 50 kernels was the same as without (10.8 s). A larger set
/// that is closed and might be enough is tried only if an earlier proof names one
/// ([`super::cached`]): over 26 kernels the search is 4.7 s of 42.4 s, so guessing such a
/// set could save a tenth at most, and a wrong guess costs a check.
///
/// SOUNDNESS: with `Patience::None` warnings are not asked about again, so only reports
/// without findings are accepted (test `no_patience_accepts_no_warning`).
pub(super) fn prove_plainly(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<Option<KernelReport>, SolverError> {
    if !(options.infer && options.shortcuts.plain_first) {
        return Ok(None);
    }
    let plain = CheckOptions {
        infer: false,
        verdict_only: true,
        patience: Patience::None,
        ..options.clone()
    };
    let report = check_under(session, case, &plain, InRange::new(), None)?;
    let is_proved = report.verdict == Verdict::Proved && report.findings.is_empty();
    Ok(is_proved.then_some(report))
}

/// Is a proof without guesses looked for with solvers too? Where sizes are free, candidates for
/// invariants of products are the hardest of all questions (a sum over a grid-stride loop took
/// 50 s for races that have nothing to do with that loop), so they are put off until the closed
/// forms were tried.
pub(super) fn is_tried_briefly(case: &Case<'_>, options: &CheckOptions) -> bool {
    let shortcuts = options.shortcuts;
    options.infer
        && shortcuts.plain_first
        && shortcuts.plain_in_range
        && options.patience == Patience::Full
        && options.premises().is_size_free()
        && !case.facts.loops.is_empty()
}

/// Options for an attempt without guesses and with a moment of a solver for each question.
pub(super) fn briefly(options: &CheckOptions) -> CheckOptions {
    let patience = Patience::Glance;
    CheckOptions { infer: false, patience, ..options.with_work(options.work / BRIEF) }
}

/// The same where protocols are looked for: counters whose few values can be listed are known
/// besides, for the steps of a reduction in shared memory come before most of them. Questions are
/// as short, but there are many more of them.
pub(super) fn briefly_with_states(options: &CheckOptions) -> CheckOptions {
    let rules = options.rules.only_states();
    let brief = briefly(options).with_work(options.work / BRIEF_WITH_PROTOCOLS);
    CheckOptions { infer: rules.is_some(), rules: rules.unwrap_or_default(), ..brief }
}

/// The same as [`prove_plainly`] with a moment of a solver for each question; the first that is
/// left open ends it. A longer look may find that there is nothing to warn of, so only a report
/// without findings is accepted.
pub(super) fn prove_briefly(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<Option<KernelReport>, SolverError> {
    let brief = CheckOptions { verdict_only: true, ..briefly(options) };
    let report = check_under(session, case, &brief, InRange::new(), None)?;
    let is_proved = report.verdict == Verdict::Proved && report.findings.is_empty();
    Ok(is_proved.then_some(report))
}
