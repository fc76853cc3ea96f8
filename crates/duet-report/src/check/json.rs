//! The result of a check as JSON.

use std::time::Duration;

use duet_engine::Report;
use duet_engine::check::{
    Finding, Obstacle, PropertyStatus, Why, Witness, array_name, describe_finding, describe_launch,
    describe_other_places, missing_restrict,
};
use duet_engine::load::LoadedFile;
use duet_engine::programs::SiteReport;
use duet_ir::{Func, Module, Rule};
use serde_json::{Value, json};

use super::evidence::{evidence_json, position_json, scalar_json};
use super::replay::Replay;
use super::{explain, requires};
use crate::json::diagnostic_to_json;
use crate::run::{KernelResult, Run};

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
    let messages: Vec<Value> = loaded.diagnostics.iter().map(diagnostic_to_json).collect();
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
    let messages: Vec<Value> = run.messages.iter().map(diagnostic_to_json).collect();
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
            let whole = diagnostic_to_json(&one.diagnostic);
            value["fix"] = whole["fix"].clone();
            value["help"] = whole["help"].clone();
        }
    }
}

/// To three digits behind the point.
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

fn kernel_json(module: &Module, kernel: Func, report: &Report, replay: &Replay) -> Value {
    let one = |finding| finding_json(module, kernel, report, finding, replay);
    let mut findings: Vec<Value> = report.findings.iter().map(one).collect();
    for (&number, others) in &report.other_places {
        let note = describe_other_places(module, kernel, others);
        if let (Some(note), Some(notes)) = (note, findings[number]["notes"].as_array_mut()) {
            notes.push(json!(note));
        }
    }
    let is_distinct = report.site.as_ref().is_some_and(|site| site.is_distinct);
    let loose = missing_restrict(module, kernel, report).filter(|_| !is_distinct);
    let warnings: Vec<Value> = loose.iter().map(diagnostic_to_json).collect();
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
        "site": report.site.as_ref().map(site_json),
        "properties": properties,
        "assumptions": report.assumptions,
        "findings": findings,
        "warnings": warnings,
        "example": report.example.as_ref().map(|witness| witness_json(module, kernel, witness)),
        "questions": explain::json(module, kernel, &report.asked),
        "requires": requires::json(module, kernel, report, replay),
        "stages": report.stages.iter().map(|one| json!({
            "about": one.about, "result": one.result, "work": one.work,
        })).collect::<Vec<_>>(),
        "loops": report.loops,
        "invariants": report.inference.kept.len(),
        "inference": inference_json(report),
        "timings": {
            "check_ms": milliseconds(report.took),
            "solver_ms": milliseconds(report.in_solvers),
            "infer_ms": milliseconds(report.in_inference),
            "work": report.work,
            "decided": report.decided.iter().map(|(who, count)| (who.to_string(), json!(count))).collect::<serde_json::Map<_, _>>(),
        },
    })
}

/// The launch of the host code that a verdict is about.
fn site_json(site: &SiteReport) -> Value {
    json!({
        "kernel": site.kernel,
        "places": site.places,
        "sizes": site.sizes,
        "for_every": site.for_every,
        "facts": site.facts,
        "not_followed": site.missing,
        "distinct_pointers": site.is_distinct,
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

fn finding_json(
    module: &Module,
    kernel: Func,
    report: &Report,
    finding: &Finding,
    replay: &Replay,
) -> Value {
    let mut value = diagnostic_to_json(&describe_finding(module, kernel, finding));
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
        Why::Run(evidence) => evidence_json(module, kernel, report, evidence, replay),
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
        Obstacle::Fences { lines, flags } => {
            json!({ "kind": "fences", "lines": lines, "flags": flags })
        }
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
