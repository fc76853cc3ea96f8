//! What a check has to show, as the renderers of whole runs take it, with what the
//! user accepts (comments in the source, the baseline) marked.

use std::path::Path;

use super::fixes;
use super::replay::Replay;
use super::witness::witness;
use crate::run::{KernelResult, Reported, Run};
use crate::source::Sources;
use crate::suppress::{Baseline, suppress_by_comments};
use duet_engine::Report;
use duet_engine::check::{
    Finding, Why, describe_finding, describe_launch, describe_other_places, missing_restrict,
};
use duet_engine::load::LoadedFile;
use duet_ir::{Diagnostic, Func, Module};

/// The findings of a run, and what is to be said about accepting them.
pub struct Findings {
    /// As renderers take it.
    pub run: Run,
    /// Lines about comments and the baseline.
    pub notes: Vec<String>,
}

/// Collects the findings and marks those that are accepted.
pub fn collect(
    file: &Path,
    loaded: &LoadedFile,
    reports: &[(Func, Report)],
    replay: &Replay,
    baseline: Option<&Baseline>,
) -> Findings {
    let module = &loaded.module;
    let mut run = Run {
        file: file.to_path_buf(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        exit_code: 0,
        kernels: reports.iter().map(|(id, report)| kernel(module, *id, report, replay)).collect(),
        messages: loaded.diagnostics.clone(),
    };
    let mut sources = Sources::default();
    let without_reason = suppress_by_comments(&mut run, &mut sources);
    let mut notes: Vec<String> = without_reason
        .iter()
        .map(|span| {
            let file = span.file.display();
            format!("{file}:{}: `duet: allow(...)` needs a reason; it has no effect", span.line)
        })
        .collect();
    let stale = baseline.map_or(0, |baseline| baseline.apply(&mut run, &mut sources));
    if stale > 0 {
        notes.push(format!("{stale} findings of the baseline occur no more"));
    }
    Findings { run, notes }
}

fn kernel(module: &Module, id: Func, report: &Report, replay: &Replay) -> KernelResult {
    let plain = |diagnostic: Diagnostic, is_refuted: bool| Reported {
        diagnostic,
        is_refuted,
        suppression: None,
        witness: None,
    };
    let is_distinct = report.site.as_ref().is_some_and(|site| site.is_distinct);
    let warnings = missing_restrict(module, id, report).filter(|_| !is_distinct);
    let warnings = warnings.into_iter().map(|one| plain(one, false));
    let findings = report.findings.iter().enumerate().map(|(number, finding)| {
        let mut diagnostic = describe(module, id, report, finding, replay);
        let others = report.other_places.get(&number).map_or(&[][..], Vec::as_slice);
        if let Some(note) = describe_other_places(module, id, others) {
            diagnostic = diagnostic.note(note);
        }
        if let Some(fix) = report.suggestions.iter().find(|one| one.finding == number) {
            diagnostic = fixes::attach(diagnostic, fix);
        }
        let witness = match &finding.why {
            Why::Run(evidence) => Some(witness(module, id, report, evidence, replay)),
            _ => None,
        };
        Reported { witness, ..plain(diagnostic, finding.is_refuted()) }
    });
    KernelResult {
        name: report.name.clone(),
        verdict: report.verdict.word().to_string(),
        launch: describe_launch(module.language, &report.launch),
        assumptions: report.assumptions.clone(),
        findings: warnings.chain(findings).collect(),
    }
}

/// A finding in words, with the command that shows it again.
fn describe(
    module: &Module,
    id: Func,
    report: &Report,
    finding: &Finding,
    replay: &Replay,
) -> Diagnostic {
    let diagnostic = describe_finding(module, id, finding);
    let command = match &finding.why {
        Why::Run(evidence) => replay.line(module, id, report, evidence),
        _ => None,
    };
    match command {
        Some(command) => diagnostic.note(format!("to see it again:\n{command}")),
        None => diagnostic,
    }
}

/// A line for each finding that is accepted.
pub fn accepted(kernel: &KernelResult) -> String {
    let mut text = String::new();
    for one in &kernel.findings {
        let Some(suppression) = &one.suppression else { continue };
        let line = one.diagnostic.primary.as_ref().map(|span| format!(" (line {})", span.line));
        text.push_str(&format!(
            "  suppressed by {}: {}{}: {}\n",
            suppression.by.word(),
            one.diagnostic.rule,
            line.unwrap_or_default(),
            suppression.reason
        ));
    }
    text
}
