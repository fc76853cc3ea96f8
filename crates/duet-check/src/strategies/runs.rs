//! Between findings and runs: `duet-refute` knows suspicions and evidence, a report has
//! findings. Only what a run showed becomes refuted here.

use std::collections::BTreeSet;

use duet_analysis::Paths;
use duet_ask::Obstacle;
use duet_interp::Key;
use duet_ir::{AccessMode, Inst, ParamKind, Rule, Severity};
use duet_product::KernelFacts;
use duet_refute::{Evidence, Refuted, Run, Subject, Suspicion};
use duet_vc::{Scalar, Witness};

use super::conclude;
use crate::options::{CheckOptions, HostLaunch};
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
    if let Some(host) = options.host.as_ref() {
        report.findings.iter_mut().for_each(|finding| doubt(facts, host, finding));
    }
    if let Some(obstacle) = about_two_threads(facts) {
        let open = report.findings.iter_mut().filter(|finding| !finding.is_refuted());
        open.for_each(|finding| finding.obstacles.insert(0, obstacle.clone()));
    }
    conclude(facts, options, report);
}

/// Says of races that no run shows which flags and fences may order the accesses. Runs know
/// that order, proofs don't.
pub(crate) fn point_at_fences(facts: &KernelFacts<'_>, report: &mut KernelReport) {
    let is_fence = |inst: &Inst| facts.func.insts[*inst].may_order_others();
    let fences = facts.func.insts_in_order().filter(is_fence);
    let lines: BTreeSet<u32> = fences.filter_map(|inst| facts.line_of(inst)).collect();
    if lines.is_empty() {
        return;
    }
    let lines: Vec<u32> = lines.into_iter().collect();
    let paths = Paths::new(facts.func);
    let is_open = |finding: &&mut Finding| finding.rule.is_race() && !finding.is_refuted();
    for finding in report.findings.iter_mut().filter(is_open) {
        let flags = flags_between(facts, &paths, finding);
        finding.obstacles.insert(0, Obstacle::Fences { lines: lines.clone(), flags });
    }
}

/// The lines of strong reads behind which one of the two accesses may come, of words that a
/// thread may write behind the other one.
fn flags_between(facts: &KernelFacts<'_>, paths: &Paths<'_>, finding: &Finding) -> Vec<u32> {
    let Some(one) = finding.primary else { return vec![] };
    let other = finding.secondary.unwrap_or(one);
    let reads = |kind: AccessMode| kind != AccessMode::Store;
    let mut lines = BTreeSet::new();
    for array in facts.func.arrays_used() {
        let sites = || facts.uses.sites(array).iter().filter(|site| !site.ghost);
        let is_data = sites().any(|site| site.inst == one || site.inst == other);
        let strong = || sites().filter(|site| site.kind.is_atomic() || site.volatile);
        for (before, behind) in [(one, other), (other, one)] {
            let leads = |from: Inst, to: Inst| paths.may_reach(Some(from), to, |_| false);
            let is_set = strong().any(|site| site.kind.may_write() && leads(before, site.inst));
            if is_data || !is_set {
                continue;
            }
            let reads = strong().filter(|site| reads(site.kind) && leads(site.inst, behind));
            lines.extend(reads.filter_map(|site| facts.line_of(site.inst)));
        }
    }
    lines.into_iter().collect()
}

/// Takes back a refutation that rests on values of the host program that are not its
/// input: whether it ever passes them is unknown.
///
/// SOUNDNESS: a launch that the program does not make is no error
/// (kernels/programs/unknown-width.cu).
fn doubt(facts: &KernelFacts<'_>, host: &HostLaunch, finding: &mut Finding) {
    let Why::Run(evidence) = &finding.why else { return };
    let of_sizes = match finding.rule == Rule::OutOfBounds {
        true => host.hypothetical_sizes.as_slice(),
        false => &[],
    };
    let names: Vec<&str> = host.hypothetical.iter().chain(of_sizes).map(String::as_str).collect();
    if names.is_empty() {
        return;
    }
    let names = names.join("`, `");
    let values = arguments_in_words(facts, evidence);
    let text = format!(
        "it fails if {values}; the host code does not show whether that can be (`{names}`)"
    );
    finding.why = Why::Stated(text);
}

/// The launch and the scalar arguments of a run.
fn arguments_in_words(facts: &KernelFacts<'_>, evidence: &Evidence) -> String {
    let launch = &evidence.run.launch;
    let mut words = vec![format!("blockDim is {:?}, gridDim is {:?}", launch.block, launch.grid)];
    for (key, &bits) in &evidence.run.inputs.scalars {
        let Key::Index(index) = key else { continue };
        let param = &facts.func.params[*index];
        if let ParamKind::Scalar(value) = param.kind {
            let unsigned = facts.func.unsigned.contains(index);
            let scalar = Scalar { bits, ty: facts.func.type_of(value), unsigned };
            words.push(format!("{} is {scalar}", param.name));
        }
    }
    words.join(", ")
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
