//! `--findbugs` and `--loop-unwind`: looks for defects in the first iterations of each
//! loop.
//!
//! The kernel is checked with its loops followed for a number of iterations
//! ([`unwind()`]), where nothing has to be guessed about them; what is found is looked
//! for in runs of the kernel as it is. SOUNDNESS: what happens in later iterations is not
//! looked at, so the answer is never *proved*: every report has a finding that says
//! so (test `nothing_is_proved_by_a_few_passes`).

use std::time::Instant;

use duet_ask::Session;
use duet_ir::{Func, Function, InstData, Rule, Severity, WellFormed};
use duet_smt::solver::SolverError;
use duet_transform::{Unwound, unwind};
use duet_vc::InRange;

use super::runs::look_for_runs;
use super::{check_under, conclude};
use crate::check::Case;
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, Verdict, Why};

/// Checks the first iterations of a kernel's loops.
pub(crate) fn check_passes(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
    iterations: u32,
) -> Result<KernelReport, SolverError> {
    let start = Instant::now();
    let options = &options.begun();
    let case = Case::new(module, kernel, options);
    let facts = &case.facts;
    let unwound = unwind(module, kernel, iterations);
    let mut report = match &unwound {
        Some(unwound) => {
            let without_loops = Case::new(&unwound.module, kernel, options);
            check_under(session, &without_loops, options, InRange::new(), None)?
        }
        None => check_under(session, &case, options, InRange::new(), None)?,
    };
    if let Some(unwound) = &unwound {
        report.findings = in_terms_of_source(facts.func, unwound, report.findings);
        report.loops = facts.loops.iter().count();
    }
    report.findings.push(only_some_iterations(iterations));
    match options.refute && report.verdict != Verdict::Vacuous {
        true => {
            let subject = case.subject(options);
            look_for_runs(facts, &subject, options, &mut report, &[]);
        }
        false => conclude(facts, options, &mut report),
    }
    report.took = start.elapsed();
    Ok(report)
}

/// Findings about copies, as findings about what they are copies of, each once.
fn in_terms_of_source(func: &Function, unwound: &Unwound, findings: Vec<Finding>) -> Vec<Finding> {
    let mut all: Vec<Finding> = vec![];
    for mut finding in findings {
        finding.primary = finding.primary.map(|inst| unwound.origin(inst));
        finding.secondary = finding.secondary.map(|inst| unwound.origin(inst));
        let is_invariant = finding
            .primary
            .is_some_and(|inst| matches!(func.insts[inst], InstData::Annotation { .. }));
        if finding.rule == Rule::AssertionFailed && is_invariant {
            finding.rule = Rule::InvariantFailed;
        }
        let places = |other: &Finding| (other.rule, other.primary, other.secondary);
        if all.iter().all(|other| places(other) != places(&finding)) {
            all.push(finding);
        }
    }
    all
}

fn only_some_iterations(iterations: u32) -> Finding {
    let plural = if iterations == 1 { "" } else { "s" };
    let why = format!(
        "each loop was followed for {iterations} iteration{plural}; later ones were not looked at"
    );
    Finding {
        rule: Rule::BoundedSearch,
        severity: Severity::Error,
        primary: None,
        secondary: None,
        why: Why::Stated(why),
        obstacles: vec![],
    }
}
