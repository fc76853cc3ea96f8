//! Between findings and runs: `duet-refute` knows suspicions and evidence, a report has
//! findings. Only what a run showed becomes refuted here.

use duet_ir::Severity;
use duet_refute::{Evidence, Refuted, Subject, Suspicion};

use crate::check::{Finding, Why, Witness};

/// Looks for runs that show the findings, and puts them into the findings. Defects that
/// runs show beside them become findings of their own.
pub(crate) fn refute(
    subject: &Subject<'_>,
    example: Option<&Witness>,
    findings: &mut Vec<Finding>,
) {
    let refuted = duet_refute::refute(subject, &suspicions(findings), example);
    for Refuted { confirmed, further } in refuted {
        for (number, evidence) in confirmed {
            findings[number].why = Why::Run(Box::new(evidence));
        }
        findings.extend(further.into_iter().map(|evidence| unsuspected(subject, evidence)));
    }
}

/// Do a few small runs show an error?
pub(crate) fn fails_soon(
    subject: &Subject<'_>,
    findings: &[Finding],
    example: Option<&Witness>,
) -> bool {
    subject.fails_soon(&suspicions(findings), example)
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
