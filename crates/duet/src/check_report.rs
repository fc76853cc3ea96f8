//! What `duet check` says: text for people, and JSON.

use std::time::Duration;

use duet_engine::Report;
use duet_engine::check::{
    Finding, Obstacle, PropertyStatus, Verdict, Why, Witness, array_name, describe_finding,
    describe_launch, missing_restrict,
};
use duet_engine::load::LoadedFile;
use duet_ir::{Diagnostic, Func, Module, Rule, Severity};
use duet_report::{KernelResult, Reported, Run};
use serde_json::{Value, json};

use crate::explain;
use crate::replay::{Replay, evidence_json, position_json, scalar_json};
use crate::requires;

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
    text.push_str(&format!("\n  launch: {}\n", describe_launch(module.language, &report.launch)));
    if report.verdict == Verdict::Proved && !report.assumptions.is_empty() {
        text.push_str(&format!("  assuming that {}\n", report.assumptions.join("; ")));
    }
    text.push_str(&requires::help(report));
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

/// The whole result. docs/check.md describes the fields; they are only ever
/// added to.
pub fn json(replay: &Replay, loaded: &LoadedFile, reports: &[(Func, Report)], run: &Run) -> Value {
    let module = &loaded.module;
    let mut kernels: Vec<Value> = reports
        .iter()
        .map(|(kernel, report)| kernel_json(module, *kernel, report, replay))
        .collect();
    for (value, kernel) in kernels.iter_mut().zip(&run.kernels) {
        mark_suppressed(value, kernel);
        add_fixes(value, kernel);
    }
    let messages: Vec<Value> =
        loaded.diagnostics.iter().map(duet_report::diagnostic_to_json).collect();
    json!({
        "version": 1,
        "file": replay.file,
        "kernels": kernels,
        "diagnostics": messages,
        "timings": {
            "clang_ms": milliseconds(loaded.timings.clang),
            "prepare_ms": milliseconds(loaded.timings.prepare),
            "translate_ms": milliseconds(loaded.timings.translate),
        },
    })
}

/// The result for a file that could not be read: no kernels, the messages.
pub fn unreadable_json(run: &Run) -> Value {
    let messages: Vec<Value> = run.messages.iter().map(duet_report::diagnostic_to_json).collect();
    json!({
        "version": 1,
        "file": run.file.display().to_string(),
        "kernels": [],
        "diagnostics": messages,
        "timings": null,
    })
}

/// Adds to each finding whether, where and why the user accepts it.
fn mark_suppressed(value: &mut Value, kernel: &KernelResult) {
    let findings =
        kernel.findings.iter().filter(|one| one.diagnostic.rule != Rule::MissingRestrict);
    let Some(values) = value["findings"].as_array_mut() else { return };
    for (value, one) in values.iter_mut().zip(findings) {
        value["suppressed"] = match &one.suppression {
            Some(known) => json!({ "by": known.by.word(), "reason": known.reason }),
            None => Value::Null,
        };
    }
}

/// Adds to each finding the line that mends it, and says so in its help.
fn add_fixes(value: &mut Value, kernel: &KernelResult) {
    let findings =
        kernel.findings.iter().filter(|one| one.diagnostic.rule != Rule::MissingRestrict);
    let Some(values) = value["findings"].as_array_mut() else { return };
    for (value, one) in values.iter_mut().zip(findings) {
        if one.diagnostic.fix.is_some() {
            let whole = duet_report::diagnostic_to_json(&one.diagnostic);
            value["fix"] = whole["fix"].clone();
            value["help"] = whole["help"].clone();
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

fn kernel_json(module: &Module, kernel: Func, report: &Report, replay: &Replay) -> Value {
    let one = |finding| finding_json(module, kernel, finding, replay);
    let findings: Vec<Value> = report.findings.iter().map(one).collect();
    let warnings: Vec<Value> = missing_restrict(module, kernel, report)
        .iter()
        .map(duet_report::diagnostic_to_json)
        .collect();
    let properties: Vec<Value> = report
        .properties
        .iter()
        .map(|one| {
            let (verdict, depends) = match one.status {
                PropertyStatus::Proved => ("proved", None),
                PropertyStatus::Refuted => ("refuted", None),
                PropertyStatus::Unproven => ("unproven", None),
                PropertyStatus::DependsOn(finding) => ("unproven", Some(finding)),
                PropertyStatus::NotChecked => ("not-checked", None),
            };
            json!({ "property": one.property.name(), "verdict": verdict, "depends_on": depends })
        })
        .collect();
    json!({
        "name": report.name,
        "verdict": report.verdict.word(),
        "launch": describe_launch(module.language, &report.launch),
        "properties": properties,
        "assumptions": report.assumptions,
        "findings": findings,
        "warnings": warnings,
        "example": report.example.as_ref().map(|witness| witness_json(module, kernel, witness)),
        "questions": explain::json(module, kernel, &report.asked),
        "requires": requires::json(module, kernel, report, replay),
        "loops": report.loops,
        "invariants": report.inference.kept.len(),
        "inference": inference_json(report),
        "timings": {
            "check_ms": milliseconds(report.took),
            "solver_ms": milliseconds(report.in_solvers),
            "infer_ms": milliseconds(report.in_inference),
            "decided": report.decided.iter().map(|(who, count)| (who.to_string(), json!(count))).collect::<serde_json::Map<_, _>>(),
        },
    })
}

/// What came of the candidates of each rule.
fn inference_json(report: &Report) -> Value {
    let rules = report.rules.iter().map(|one| {
        let counts = json!({ "candidates": one.candidates, "kept": one.kept });
        (one.rule.to_string(), counts)
    });
    let kept = report.inference.kept.iter().map(|one| {
        let rule = one.rule.unwrap_or("user");
        json!({ "line": one.line, "rule": rule, "text": one.text })
    });
    let engines = report.inference.engines.iter().map(|one| {
        let done = json!({ "ms": milliseconds(one.took), "refuted": one.refuted });
        (one.name.clone(), done)
    });
    json!({
        "engines": engines.collect::<serde_json::Map<_, _>>(),
        "rules": rules.collect::<serde_json::Map<_, _>>(),
        "undecided": report.inference.undecided,
        "rounds": report.inference.rounds,
        "kept": kept.collect::<Vec<Value>>(),
    })
}

fn finding_json(module: &Module, kernel: Func, finding: &Finding, replay: &Replay) -> Value {
    let mut value = duet_report::diagnostic_to_json(&describe_finding(module, kernel, finding));
    value["status"] = json!(if finding.is_refuted() { "refuted" } else { "unproven" });
    // The second access: one place or none.
    let secondary = value["secondary"].as_array().and_then(|places| places.first()).cloned();
    value["secondary"] = match (secondary, finding.secondary) {
        (Some(place), _) => place,
        // The same place as the first.
        (None, Some(_)) => value["primary"].clone(),
        (None, None) => Value::Null,
    };
    let obstacles = finding.obstacles.iter().filter(|_| !finding.is_refuted());
    value["obstacles"] = obstacles.map(|one| obstacle_json(module, kernel, one)).collect();
    value["witness"] = match &finding.why {
        Why::Run(evidence) => evidence_json(module, kernel, evidence, replay),
        Why::Model(witness) => witness_json(module, kernel, witness),
        _ => Value::Null,
    };
    value
}

/// What stood in the way of a proof. docs/check.md describes the fields.
fn obstacle_json(module: &Module, kernel: Func, obstacle: &Obstacle) -> Value {
    match obstacle {
        Obstacle::Loop { line, variables, invariants, guard } => {
            let state = variables
                .iter()
                .map(|one| json!({ "name": one.name, "thread": one.thread, "value": one.value }));
            json!({
                "kind": "loop",
                "line": line,
                "state": state.collect::<Vec<_>>(),
                "invariants": invariants,
                "guard": guard,
            })
        }
        Obstacle::Contents { array, lines, is_written, .. } => json!({
            "kind": "contents",
            "array": array_name(module, &module.functions[kernel], *array),
            "lines": lines,
            "written": is_written,
        }),
        Obstacle::Result { what, line } => json!({ "kind": "result", "what": what, "line": line }),
        Obstacle::NotMet { assumed } => {
            json!({ "kind": "assumption-not-met", "assumed": assumed })
        }
        Obstacle::Function => json!({ "kind": "function" }),
        Obstacle::AboutTwoThreads { lines } => json!({ "kind": "two-threads", "lines": lines }),
        Obstacle::Products { of } => json!({ "kind": "products", "of": of }),
    }
}

fn witness_json(module: &Module, kernel: Func, witness: &Witness) -> Value {
    let arguments: serde_json::Map<String, Value> =
        witness.arguments.iter().map(|(name, value)| (name.clone(), scalar_json(value))).collect();
    let touched: Vec<Value> = witness
        .touched
        .iter()
        .map(|one| {
            let array = array_name(module, &module.functions[kernel], one.array);
            json!({ "array": array, "offset": one.offset, "bytes": one.bytes })
        })
        .collect();
    json!({
        "block_dim": witness.block_dim,
        "grid_dim": witness.grid_dim,
        "threads": witness.threads.iter().map(position_json).collect::<Vec<_>>(),
        "arguments": arguments,
        "touched": touched,
    })
}
