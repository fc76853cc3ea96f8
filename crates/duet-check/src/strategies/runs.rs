//! Between findings and runs: `duet-refute` knows suspicions and evidence, a report has
//! findings. Only what a run showed becomes refuted here.

use duet_ask::Obstacle;
use duet_ir::Severity;
use duet_product::KernelFacts;
use duet_refute::{Evidence, Refuted, Run, Subject, Suspicion};
use duet_vc::Witness;

use super::conclude;
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, Why};

/// Looks for runs that show what is not proved; `known` are runs that show something.
pub(crate) fn look_for_runs(
    facts: &KernelFacts<'_>,
    subject: &Subject<'_>,
    options: &CheckOptions,
    report: &mut KernelReport,
    known: &[Run],
) {
    refute(subject, report.example.as_ref(), known, &mut report.findings);
    if let Some(obstacle) = about_two_threads(facts) {
        let open = report.findings.iter_mut().filter(|finding| !finding.is_refuted());
        open.for_each(|finding| finding.obstacles.insert(0, obstacle.clone()));
    }
    conclude(facts, options, report);
}

/// The obstacle that assumptions about two threads are, if there are any: of a
/// finding that is not proved.
fn about_two_threads(facts: &KernelFacts<'_>) -> Option<Obstacle> {
    let skipped = duet_interp::skipped_assumptions(facts.module, facts.kernel);
    let mut lines: Vec<u32> = skipped.iter().filter_map(|&inst| facts.line_of(inst)).collect();
    lines.sort_unstable();
    lines.dedup();
    (!lines.is_empty()).then_some(Obstacle::AboutTwoThreads { lines })
}

/// Looks for runs that show the findings, and puts them into the findings. Defects that
/// runs show beside them become findings of their own.
fn refute(
    subject: &Subject<'_>,
    example: Option<&Witness>,
    known: &[Run],
    findings: &mut Vec<Finding>,
) {
    let refuted = duet_refute::refute(subject, &suspicions(findings), example, known);
    for Refuted { confirmed, further } in refuted {
        for (number, evidence) in confirmed {
            findings[number].why = Why::Run(Box::new(evidence));
        }
        findings.extend(further.into_iter().map(|evidence| unsuspected(subject, evidence)));
    }
}

/// Do runs of the states that solvers gave show an error?
pub(crate) fn fail_in_models(
    subject: &Subject<'_>,
    findings: &[Finding],
    example: Option<&Witness>,
) -> bool {
    subject.fails_in_models(&suspicions(findings), example)
}

/// What runs are looked for, by the numbers of the findings.
fn suspicions(findings: &[Finding]) -> Vec<Suspicion<'_>> {
    findings.iter().map(suspicion).collect()
}

fn suspicion(finding: &Finding) -> Suspicion<'_> {
    Suspicion {
        rule: finding.rule,
        primary: finding.primary,
        secondary: finding.secondary,
        witness: match &finding.why {
            Why::Model(witness) => Some(witness),
            Why::Run(_) | Why::Solver(_) | Why::NotModelled(_) | Why::Stated(_) => None,
        },
    }
}

/// A defect that no finding was about, as a finding. As for findings of proofs, leaving
/// before a barrier is a warning where it is tolerated.
fn unsuspected(subject: &Subject<'_>, evidence: Evidence) -> Finding {
    let defect = &evidence.defect;
    let severity = match subject.is_tolerated(defect) {
        true => Severity::Warning,
        false => Severity::Error,
    };
    Finding {
        rule: defect.rule,
        severity,
        primary: Some(defect.primary),
        secondary: defect.secondary,
        why: Why::Run(Box::new(evidence)),
        obstacles: vec![],
    }
}
