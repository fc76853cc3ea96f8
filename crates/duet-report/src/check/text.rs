//! The result of a check as text for people.

use std::time::Duration;

use duet_engine::Report;
use duet_engine::check::{Finding, PropertyStatus, Verdict, describe_launch};
use duet_engine::programs::SiteReport;
use duet_ir::{Diagnostic, Func, Module, Rule, Severity};

use super::json::milliseconds;
use super::requires;
use crate::run::{KernelResult, Reported};

/// The findings of a kernel as messages, at most so many (0: all), and its
/// warnings. What the user accepts is left out.
pub fn diagnostics(kernel: &KernelResult, limit: usize) -> Vec<Diagnostic> {
    let open = kernel.findings.iter().filter(|one| one.suppression.is_none());
    let (warnings, findings): (Vec<&Reported>, Vec<&Reported>) =
        open.partition(|one| one.diagnostic.rule == Rule::MissingRestrict);
    let shown = if limit == 0 { findings.len() } else { limit };
    let all = warnings.into_iter().chain(findings.into_iter().take(shown));
    all.map(|one| one.diagnostic.clone()).collect()
}

/// The verdict, the launch and the assumptions of a kernel.
pub fn summary(module: &Module, report: &Report, limit: usize) -> String {
    let mut text = format!("{}: {}", report.name, verdict(report));
    let more = report.findings.len().saturating_sub(if limit == 0 { usize::MAX } else { limit });
    if more > 0 {
        text.push_str(&format!(" ({more} further findings are not shown)"));
    }
    match &report.site {
        Some(site) => text.push_str(&about_site(report, site)),
        None => {
            let launch = describe_launch(module.language, &report.launch);
            text.push_str(&format!("\n  launch: {launch}\n"));
        }
    }
    if !report.stages.is_empty() {
        let stages = report.stages.iter().map(|one| format!("{}: {}", one.about, one.result));
        text.push_str(&format!("  stages: {}\n", stages.collect::<Vec<_>>().join("; ")));
    }
    if report.verdict == Verdict::Proved {
        text.push_str(&assuming(report));
    }
    text.push_str(&requires::help(report));
    text
}

/// For which values the verdict is, and what the host code says about them.
fn about_site(report: &Report, site: &SiteReport) -> String {
    let mut text = String::new();
    if report.verdict == Verdict::Proved && !site.for_every.is_empty() {
        text.push_str(&format!(" (for every {})", site.for_every.join(", ")));
    }
    text.push('\n');
    if site.places.len() > 1 {
        text.push_str(&format!("  also launched so at {}\n", site.places[1..].join(", ")));
    }
    if !site.facts.is_empty() {
        text.push_str(&format!("  where {}\n", site.facts.join("; ")));
    }
    if !site.missing.is_empty() {
        text.push_str(&format!("  not followed in the host code: {}\n", site.missing.join(", ")));
    }
    text
}

fn verdict(report: &Report) -> String {
    match report.verdict {
        Verdict::Proved => "proved".to_string(),
        Verdict::Vacuous => "unproven, vacuous".to_string(),
        Verdict::Unproven => format!("unproven, {}", counted(errors(report).count())),
        Verdict::Refuted => {
            let (refuted, open): (Vec<&Finding>, Vec<&Finding>) =
                errors(report).partition(|finding| finding.is_refuted());
            let more = match open.len() {
                0 => String::new(),
                open => format!(", {open} more not proved"),
            };
            format!("refuted, {} shown by a run{more}", counted(refuted.len()))
        }
    }
}

/// `1 finding`, `2 findings`.
fn counted(findings: usize) -> String {
    format!("{findings} finding{}", if findings == 1 { "" } else { "s" })
}

/// Findings that stand against the verdict.
fn errors(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| finding.severity == Severity::Error)
}

/// A kernel judged for any launch, beside the launches that the host code makes.
pub fn aside(report: &Report) -> String {
    format!("{}, for any launch: {} (not counted)\n", report.name, verdict(report))
}

/// A kernel judged under the weakest precondition that admits so many recorded launches.
pub fn generalised(report: &Report, launches: usize) -> String {
    let name = &report.name;
    let admitted = match launches {
        1 => "the recorded launch".to_string(),
        count => format!("the {count} recorded launches"),
    };
    match (&report.precondition, report.verdict) {
        (_, Verdict::Proved) => {
            format!("{name}: proved for every launch, {admitted} among them\n{}", assuming(report))
        }
        (Some(found), _) => {
            let help = requires::help(report);
            format!("{name}: proved if {}; that admits {admitted}\n{help}", found.text())
        }
        (None, _) => format!("{name}: no precondition was found that admits {admitted}\n"),
    }
}

fn assuming(report: &Report) -> String {
    match report.assumptions.is_empty() {
        true => String::new(),
        false => format!("  assuming that {}\n", report.assumptions.join("; ")),
    }
}

/// How many kernels got which verdict.
pub fn total(reports: &[(Func, Report)]) -> String {
    let count = |verdict| reports.iter().filter(|(_, one)| one.verdict == verdict).count();
    let (proved, refuted) = (count(Verdict::Proved), count(Verdict::Refuted));
    let unproven = reports.len() - proved - refuted;
    let refuted = if refuted > 0 { format!(", {refuted} refuted") } else { String::new() };
    format!("{} kernels: {proved} proved{refuted}, {unproven} unproven\n", reports.len())
}

/// The properties one by one, and what went into the verdict.
pub fn details(module: &Module, kernel: Func, report: &Report) -> String {
    let mut text = String::new();
    for one in &report.properties {
        let status = match one.status {
            PropertyStatus::Proved => "proved".to_string(),
            PropertyStatus::Refuted => "refuted".to_string(),
            PropertyStatus::Unproven => "unproven".to_string(),
            PropertyStatus::NotChecked => "not checked".to_string(),
            PropertyStatus::DependsOn(finding) => {
                match line(module, kernel, &report.findings[finding]) {
                    Some(line) => format!("unproven (depends on line {line})"),
                    None => "unproven".to_string(),
                }
            }
        };
        text.push_str(&format!("  {}: {status}\n", one.property.name()));
    }
    if report.verdict != Verdict::Proved {
        for assumption in &report.assumptions {
            text.push_str(&format!("  assumed: {assumption}\n"));
        }
    }
    if let Some(example) = &report.example {
        text.push_str(&format!(
            "  a possible launch: {:?} threads a block, {:?} blocks\n",
            example.block_dim, example.grid_dim
        ));
    }
    text.push_str(&format!("  loop invariants found: {}\n", report.inference.kept.len()));
    text
}

/// The loop invariants that hold, in the words of the source, with the rule that
/// each comes from; and what became of the others.
pub fn invariants(report: &Report) -> String {
    let inference = &report.inference;
    let mut text = format!("{}: loop invariants\n", report.name);
    for invariant in &inference.kept {
        let line = invariant.line.map_or("?".to_string(), |line| line.to_string());
        let rule = invariant.rule.unwrap_or("user");
        text.push_str(&format!("  line {line}: {} [{rule}]\n", invariant.text));
    }
    let guessed: usize = report.rules.iter().map(|one| one.candidates).sum();
    text.push_str(&format!(
        "  {guessed} guessed, {} hold, {} undecided, {} rounds\n",
        inference.kept.len(),
        inference.undecided,
        inference.rounds
    ));
    text
}

fn line(module: &Module, kernel: Func, finding: &Finding) -> Option<u32> {
    let func = &module.functions[kernel];
    let loc = func.inst_locs[finding.primary?];
    module.source_span(loc).map(|span| span.line)
}

/// Where the time went.
pub fn timings(report: &Report, clang: Duration) -> String {
    let decided: Vec<String> =
        report.decided.iter().map(|(who, count)| format!("{who} {count}")).collect();
    format!(
        "{}: clang {:.0} ms, check {:.0} ms, decided by: {}",
        report.name,
        milliseconds(clang),
        milliseconds(report.took),
        decided.join(", ")
    )
}
