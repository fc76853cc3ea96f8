//! What `duet prove` says about contracts: as text for people, as JSON, and as a
//! [`Run`] for the other renderers.

use duet_engine::Report;
use duet_engine::check::{Verdict, describe_launch};
use duet_engine::prove::describe_clause;
use duet_engine::prove::{Broken, ClauseReport, ClauseStatus, ContractReport, LoadedContracts};
use duet_engine::refute::command_line;
use duet_ir::{Diagnostic, Func, SourceSpan};
use serde_json::{Value, json};

use crate::check::Replay;
use crate::check::findings;
use crate::json::diagnostic_to_json;
use crate::run::{KernelResult, Reported, Run};

/// A kernel's report with the number of its contract.
pub type Proved = (usize, ContractReport);

/// All that was found, as renderers of whole runs take it.
pub fn run(loaded: &LoadedContracts, reports: &[Proved], replay: &Replay, exit_code: u8) -> Run {
    let checked: Vec<(Func, Report)> = reports
        .iter()
        .filter_map(|(_, report)| Some((report.kernel, Report::from(report.check.clone()?))))
        .collect();
    let file = std::path::Path::new(&replay.file);
    let mut run = findings::collect(file, &loaded.file, &checked, replay, None).run;
    run.exit_code = exit_code;
    let mut of_check = run.kernels.into_iter();
    let kernels = reports.iter().map(|one| {
        let own = match one.1.check {
            Some(_) => of_check.next(),
            None => None,
        };
        kernel(loaded, one, own.unwrap_or_default(), replay)
    });
    run.kernels = kernels.collect();
    run
}

/// What the check found, if it stood against the contract, then the clauses.
fn kernel(
    loaded: &LoadedContracts,
    (spec, report): &Proved,
    mut check: KernelResult,
    replay: &Replay,
) -> KernelResult {
    check.name.clone_from(&report.name);
    check.verdict = report.verdict.word().to_string();
    check.assumptions.extend(report.assumptions.iter().cloned());
    if let Some(of_check) = &report.check {
        let module = &loaded.file.module;
        check.launch = describe_launch(module.language, &of_check.launch);
    }
    for clause in &report.clauses {
        if let Some(diagnostic) = diagnostic(loaded, *spec, report, clause, replay) {
            let is_refuted = matches!(clause.status, ClauseStatus::Refuted(_));
            let (suppression, witness) = (None, None);
            check.findings.push(Reported { diagnostic, is_refuted, suppression, witness });
        }
    }
    check
}

fn diagnostic(
    loaded: &LoadedContracts,
    spec: usize,
    report: &ContractReport,
    clause: &ClauseReport,
    replay: &Replay,
) -> Option<Diagnostic> {
    let command = |broken: &Broken| {
        let module = &loaded.file.module;
        let words = command_line(module, report.kernel, &broken.run, &replay.file, &replay.reading);
        words.join(" ")
    };
    let place = place(loaded, spec, clause, replay);
    describe_clause(&loaded.file.module, report, clause, Some(place), &command)
}

fn place(
    loaded: &LoadedContracts,
    spec: usize,
    clause: &ClauseReport,
    replay: &Replay,
) -> SourceSpan {
    let place = loaded.place(spec, clause.span.start);
    match loaded.specs.get(spec).is_some_and(|spec| spec.is_beside) {
        true => place,
        false => SourceSpan { file: std::path::PathBuf::from(&replay.file), ..place },
    }
}

/// The verdict on a kernel, in a few lines.
pub fn summary(report: &ContractReport, explain: bool) -> String {
    let mut text = format!("{}: contract {}\n", report.name, report.verdict.word());
    for clause in &report.clauses {
        if let ClauseStatus::Proved(writers) = &clause.status {
            text.push_str(&format!("  proved: {}\n", clause.text));
            for writer in writers.iter().filter(|_| explain) {
                text.push_str(&format!("    {writer}\n"));
            }
        }
    }
    if report.verdict != Verdict::Proved {
        return text;
    }
    let of_check = report.check.iter().flat_map(|check| &check.assumptions);
    for assumption in of_check.chain(&report.assumptions) {
        text.push_str(&format!("  assuming: {assumption}\n"));
    }
    text
}

/// All of it as JSON; docs/prove.md describes the fields.
pub fn json(loaded: &LoadedContracts, reports: &[Proved], replay: &Replay, run: &Run) -> Value {
    let kernels = reports.iter().zip(&run.kernels).map(|((spec, report), shown)| {
        let clauses: Vec<Value> = report
            .clauses
            .iter()
            .map(|clause| clause_json(clause, &place(loaded, *spec, clause, replay)))
            .collect();
        let findings: Vec<Value> =
            shown.findings.iter().map(|one| diagnostic_to_json(&one.diagnostic)).collect();
        json!({
            "name": report.name,
            "verdict": report.verdict.word(),
            "check": report.check.as_ref().map(|check| check.verdict.word()),
            "launch": shown.launch,
            "assumptions": shown.assumptions,
            "clauses": clauses,
            "findings": findings,
            "runs": report.runs,
            "questions": { "asked": report.questions.0, "proved": report.questions.1 },
            "prove_ms": report.took.as_millis() as u64,
            "check_ms": report.check.as_ref().map(|check| check.took.as_millis() as u64),
        })
    });
    let kernels: Vec<Value> = kernels.collect();
    json!({ "version": 1, "file": replay.file, "kernels": kernels, "exit_code": run.exit_code })
}

fn clause_json(clause: &ClauseReport, place: &SourceSpan) -> Value {
    let (status, why, writers) = match &clause.status {
        ClauseStatus::Proved(writers) => ("proved", None, writers.clone()),
        ClauseStatus::Refuted(_) => ("refuted", None, vec![]),
        ClauseStatus::Unproven { why, .. } => ("unproven", Some(why.clone()), vec![]),
        ClauseStatus::Vacuous => ("vacuous", None, vec![]),
    };
    json!({
        "text": clause.text,
        "line": place.line,
        "column": place.column,
        "status": status,
        "why": why,
        "writers": writers,
    })
}
