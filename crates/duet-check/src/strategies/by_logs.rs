//! The comparison of the two encodings.
//!
//! The two share terms, questions and solvers, and nothing of how a kernel is made
//! questions. So a kernel that one proves and that a run refutes, which is looked for when
//! the other is tried, shows an error in the first.

use duet_ask::Session;
use duet_ir::{Func, Rule, Severity, WellFormed};
use duet_logs::LogOptions;
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_vc::InRange;

use super::{check_kernel, check_under, conclude};
use crate::check::Case;
use crate::options::{CheckOptions, Encoding};
use crate::report::{Finding, KernelReport, Verdict, Why};

/// The same options for the encoding by logs.
fn by_logs(options: &CheckOptions) -> CheckOptions {
    let encoding = Encoding::Logs(LogOptions::default());
    CheckOptions { encoding, cross_check: false, ..options.clone() }
}

/// The part of the work for claims that pairs did not show.
const SHARE: u64 = 8;

/// A proof by logs of a kernel whose invariants about logged accesses pairs did not show: it
/// shows them too. What pairs prove they prove without them, so nothing rests on it.
///
/// SOUNDNESS: only an exact proof without findings counts (test
/// `claims_beyond_pairs_are_decided_by_logs`).
pub(super) fn prove_claims(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    report: &KernelReport,
) -> Result<Option<KernelReport>, SolverError> {
    let is_open = matches!(report.verdict, Verdict::Proved | Verdict::Unproven);
    if !(report.is_left_to_logs && is_open && report.is_exact) {
        return Ok(None);
    }
    let options = by_logs(&options.with_work(options.work / SHARE));
    let options = CheckOptions { verdict_only: true, ..options };
    let proved = check_under(session, case, &options, InRange::new(), None)?;
    let is_proved = proved.verdict == Verdict::Proved && proved.findings.is_empty();
    Ok(is_proved.then_some(proved))
}

/// Checks in both ways. A kernel that one way proves is proved, unless a run refutes it:
/// then the two disagree, which is an error of ours and no verdict.
///
/// SOUNDNESS: test `a_disagreement_is_an_internal_error`.
pub(super) fn check_both_ways(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<KernelReport, SolverError> {
    let alone = CheckOptions { cross_check: false, ..options.clone() };
    let pairs = CheckOptions { encoding: Encoding::Pairs, ..alone.clone() };
    let logs = match &options.encoding {
        Encoding::Logs(_) => alone,
        Encoding::Pairs => by_logs(&alone),
    };
    let first = check_kernel(session, module, kernel, &pairs)?;
    let second = check_kernel(session, module, kernel, &logs)?;
    let case = Case::new(module, kernel, options);
    Ok(compare(&case.facts, options, first, second))
}

/// What the two reports come to.
pub(crate) fn compare(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    pairs: KernelReport,
    logs: KernelReport,
) -> KernelReport {
    match (pairs.verdict, logs.verdict) {
        (Verdict::Proved, Verdict::Refuted) => disagreement(facts, options, logs, "pairs prove"),
        (Verdict::Refuted, Verdict::Proved) => disagreement(facts, options, pairs, "logs prove"),
        (Verdict::Proved | Verdict::Refuted | Verdict::Vacuous, _)
        | (Verdict::Unproven, Verdict::Unproven | Verdict::Vacuous) => pairs,
        (Verdict::Unproven, Verdict::Proved | Verdict::Refuted) => {
            KernelReport { decided_by: "logs", ..logs }
        }
    }
}

/// The report that a run refutes, with an error that says that the other proves it.
fn disagreement(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    refuted: KernelReport,
    who: &str,
) -> KernelReport {
    let mut report = refuted;
    let why = format!(
        "{who} what the run of another finding refutes; please report the file, the options and \
         this output"
    );
    report.findings.push(Finding {
        rule: Rule::InternalError,
        severity: Severity::Error,
        primary: None,
        secondary: None,
        why: Why::Stated(why),
        obstacles: vec![],
    });
    conclude(facts, options, &mut report);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use duet_ir::{Module, check_well_formed};
    use duet_vc::LaunchSpec;

    const EMPTY: &str = "module cuda 64\n\nkernel k symbol k () {\nbb0:\n  return\n}\n";

    fn report(verdict: Verdict) -> KernelReport {
        KernelReport {
            verdict,
            ..KernelReport::stopped("k", LaunchSpec::any(), Rule::TimeLimit, String::new())
        }
    }

    /// One proves, the other is refuted: whichever it is, that is an error and no proof.
    #[test]
    fn a_disagreement_is_an_internal_error() {
        let module = Module::parse(EMPTY).expect("a module");
        let module = check_well_formed(module).expect("a well-formed module");
        let options = CheckOptions::new(LaunchSpec::any());
        let kernel = module.kernels().map(|(kernel, _)| kernel).next().expect("a kernel");
        let case = Case::new(&module, kernel, &options);
        let (proved, refuted) = (Verdict::Proved, Verdict::Refuted);
        for (pairs, logs) in [(proved, refuted), (refuted, proved)] {
            let joint = compare(&case.facts, &options, report(pairs), report(logs));
            assert!(joint.findings.iter().any(|one| one.rule == Rule::InternalError));
            assert_ne!(joint.verdict, Verdict::Proved);
        }
        let joint = compare(&case.facts, &options, report(Verdict::Unproven), report(proved));
        assert_eq!((joint.verdict, joint.decided_by), (Verdict::Proved, "logs"));
    }
}
