//! From a process that has ended to a record: reading the checker's JSON, its exit
//! code and its last words.

use serde_json::Value;

use crate::corpus::KernelFile;
use crate::process::{Ended, Finished};
use crate::record::{KernelRecord, Outcome, Record};

/// What came of a file, given how its process ended.
///
/// SOUNDNESS: a file counts as proved only if the checker ended by itself with code 0
/// and its JSON names at least one kernel, all of them proved (test
/// `only_a_whole_proof_counts`).
pub fn judge(file: &KernelFile, configuration: &str, key: String, process: &Finished) -> Record {
    let json: Value = serde_json::from_slice(&process.stdout).unwrap_or(Value::Null);
    let kernels = kernels_of(&json);
    let outcome = outcome_of(process, &kernels);
    let reason = match outcome {
        Outcome::Proved => String::new(),
        Outcome::Refuted | Outcome::Unproven => reason_of_findings(&json),
        _ => reason_of_end(process),
    };
    let seconds = |value: &Value| value.as_f64().unwrap_or(0.0) / 1e3;
    let all = json["kernels"].as_array().map(Vec::as_slice).unwrap_or_default();
    let sum = |name: &str| all.iter().map(|kernel| seconds(&kernel["timings"][name])).sum();
    Record {
        file: file.name.clone(),
        configuration: configuration.to_string(),
        key,
        expected: file.expected,
        outcome,
        // The checker ends with 0 where all is proved or accepted.
        accepted: process.ended == Ended::Code(0)
            && matches!(outcome, Outcome::Refuted | Outcome::Unproven),
        reason,
        kernels,
        seconds: process.took.as_secs_f64(),
        clang_seconds: seconds(&json["timings"]["clang_ms"]),
        solver_seconds: sum("solver_ms"),
        infer_seconds: sum("infer_ms"),
        peak_mb: process.peak_mb,
    }
}

/// The record of a file for which no process could be run.
pub(crate) fn not_run(file: &KernelFile, configuration: &str, key: String, why: &str) -> Record {
    Record {
        file: file.name.clone(),
        configuration: configuration.to_string(),
        key,
        expected: file.expected,
        outcome: Outcome::Unreadable,
        accepted: false,
        reason: why.to_string(),
        kernels: vec![],
        seconds: 0.0,
        clang_seconds: 0.0,
        solver_seconds: 0.0,
        infer_seconds: 0.0,
        peak_mb: 0.0,
    }
}

fn kernels_of(json: &Value) -> Vec<KernelRecord> {
    let kernels = json["kernels"].as_array().map(Vec::as_slice).unwrap_or_default();
    kernels.iter().map(kernel_of).collect()
}

fn kernel_of(kernel: &Value) -> KernelRecord {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let findings = kernel["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let errors = findings.iter().filter(|finding| finding["severity"] != "warning");
    let mut rules: Vec<String> = errors.map(|finding| text(&finding["rule"])).collect();
    rules.sort();
    rules.dedup();
    KernelRecord {
        name: text(&kernel["name"]),
        verdict: text(&kernel["verdict"]),
        loops: kernel["loops"].as_u64().unwrap_or(0),
        invariants: kernel["invariants"].as_u64().unwrap_or(0),
        rules,
        inference: kernel["inference"].clone(),
        requires: kernel["requires"].clone(),
        questions: kernel["questions"].clone(),
        prove_ms: kernel["prove_ms"].as_u64().unwrap_or(0),
    }
}

fn outcome_of(process: &Finished, kernels: &[KernelRecord]) -> Outcome {
    let all_proved = !kernels.is_empty() && kernels.iter().all(|one| one.verdict == "proved");
    let some_refuted = kernels.iter().any(|one| one.verdict == "refuted");
    match process.ended {
        Ended::TimedOut => Outcome::TimedOut,
        Ended::Code(0) if all_proved => Outcome::Proved,
        // The user accepts what was found; that does not make it a proof.
        Ended::Code(0) if some_refuted => Outcome::Refuted,
        Ended::Code(0) if !kernels.is_empty() => Outcome::Unproven,
        // Nothing was checked, or we could not read what the checker said.
        Ended::Code(0) => Outcome::Unreadable,
        // A code without the words to go with it is some other program's.
        Ended::Code(1) if some_refuted => Outcome::Refuted,
        Ended::Code(2) if !kernels.is_empty() => Outcome::Unproven,
        Ended::Code(3) => Outcome::Unreadable,
        Ended::Code(4) => Outcome::BadOptions,
        _ if mentions_memory(&process.stderr) => Outcome::OutOfMemory,
        Ended::Code(_) | Ended::Signal(_) => Outcome::Crashed,
    }
}

fn mentions_memory(stderr: &[u8]) -> bool {
    let text = String::from_utf8_lossy(stderr).to_lowercase();
    let signs = ["memory allocation of", "out of memory", "bad_alloc", "cannot allocate memory"];
    signs.iter().any(|sign| text.contains(sign))
}

/// The first finding that stands against the verdict, and how many more there are.
fn reason_of_findings(json: &Value) -> String {
    let kernels = json["kernels"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut errors = kernels.iter().flat_map(|kernel| {
        let findings = kernel["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
        findings.iter().filter(|finding| finding["severity"] != "warning")
    });
    let Some(first) = errors.next() else {
        return "the checker names no finding".to_string();
    };
    let text = |value: &Value| value.as_str().unwrap_or("?").to_string();
    let mut reason = format!("{}: {}", text(&first["rule"]), text(&first["headline"]));
    let line = first["primary"]["line"].as_u64();
    if let Some(line) = line.filter(|_| !reason.contains("line")) {
        reason.push_str(&format!(" (line {line})"));
    }
    // A finding without a state says in its notes what stopped the proof.
    if first["witness"].is_null()
        && let Some(note) = first["notes"].get(0).and_then(Value::as_str)
    {
        reason.push_str(&format!("; {note}"));
    }
    match errors.count() {
        0 => {}
        more => reason.push_str(&format!(" [and {more} more]")),
    }
    one_line(&reason)
}

/// What is known about a process that gave no verdict.
fn reason_of_end(process: &Finished) -> String {
    let stderr = String::from_utf8_lossy(&process.stderr);
    let complaint = stderr
        .lines()
        .find(|line| line.starts_with("error") || line.contains(": error"))
        .or_else(|| stderr.lines().find(|line| !line.trim().is_empty()));
    let end = match process.ended {
        Ended::TimedOut => format!("ended after {:.0} s", process.took.as_secs_f64()),
        Ended::Signal(number) => format!("ended by signal {number}"),
        Ended::Code(0) => "no kernel was checked".to_string(),
        Ended::Code(code) => format!("exit code {code}"),
    };
    one_line(&match complaint {
        Some(words) => format!("{end}: {words}"),
        None => end,
    })
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
