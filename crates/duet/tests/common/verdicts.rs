//! The list of all verdicts, `kernels/VERDICTS.txt`: what a check says about each kernel
//! file, in one line. A change that loses a proof, finds another defect or rests on
//! another assumption then shows in review, as a line that differs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use super::kernel_folder;

/// Files whose result is not the same on every run, with the reason. Only the names of
/// their kernels are listed. Each entry is a defect to be mended, not a place to put a
/// file that is in the way.
pub const VARIES: &[(&str, &str)] = &[
    ("loops/counts-without-wrap.cu", "the proof needs seconds, and has a share of the time limit"),
    ("loops/counts-without-wrap-bug.cu", "whether the second race is refuted is a matter of time"),
    ("papers/array-copy-any-size.cu", "the proof needs seconds, and has a share of the time limit"),
    (
        "soundness/20-overflow-elsewhere-fine.cu",
        "the question about signed overflow has a limit in seconds",
    ),
];

/// Assumptions that nearly every kernel rests on, with a short name for the list.
const USUAL: &[(&str, &str)] = &[
    ("accesses stay inside their arrays", "inside"),
    ("pointer arguments are not null", "not-null"),
    ("distinct pointers point to distinct arrays", "distinct"),
    ("the global offset is 0", "offset-0"),
];

/// The first lines of the list.
const HEAD: &str = "\
# What `duet check` says about each kernel file, with the options in its header. The
# test `verdicts_are_never_wrong` compares; BLESS=1 rewrites. Read the difference: a
# line that is not proved any more is a lost proof.
#
# FILE: KERNEL VERDICT, RULE@LINE/LINE of each finding (`?`: not shown by a run),
# ASSUMPTIONS in brackets; further kernels of the file after a bar.
";

/// What a check's JSON says, in one line without the file's name.
pub fn summary(name: &str, json: &Value, exit: Option<i32>) -> String {
    let varies = VARIES.iter().any(|(varying, _)| *varying == name);
    let kernels = json["kernels"].as_array().cloned().unwrap_or_default();
    let mut parts: Vec<String> = kernels
        .iter()
        .map(|kernel| match varies {
            true => format!("{} (varies)", text(&kernel["name"])),
            false => of_kernel(kernel),
        })
        .collect();
    let diagnostics = json["diagnostics"].as_array().cloned().unwrap_or_default();
    let errors = diagnostics.iter().filter(|one| one["severity"] == "error");
    parts.extend(errors.map(|one| format!("error {}", finding(one, ""))));
    match parts.is_empty() {
        true => format!("nothing checked, exit code {}", exit.unwrap_or(-1)),
        false => parts.join(" | "),
    }
}

fn of_kernel(kernel: &Value) -> String {
    let findings = kernel["findings"].as_array().cloned().unwrap_or_default();
    let findings: BTreeSet<String> = findings
        .iter()
        .map(|one| finding(one, if one["status"] == "refuted" { "" } else { "?" }))
        .collect();
    let assumptions = kernel["assumptions"].as_array().cloned().unwrap_or_default();
    let assumptions: Vec<String> = assumptions.iter().map(|one| short(&text(one))).collect();
    let mut line = format!("{} {}", text(&kernel["name"]), text(&kernel["verdict"]));
    for finding in findings {
        line.push_str(&format!(", {finding}"));
    }
    format!("{line} [{}]", assumptions.join("; "))
}

/// The rule and the lines of both accesses; no values, which a solver may choose.
fn finding(one: &Value, mark: &str) -> String {
    let second = match &one["secondary"] {
        Value::Array(places) => places.first().cloned().unwrap_or(Value::Null),
        place => place.clone(),
    };
    let lines = [&one["primary"], &second].into_iter().filter_map(|at| at["line"].as_u64());
    let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
    format!("{}{mark}@{}", text(&one["rule"]), lines.join("/"))
}

fn short(assumption: &str) -> String {
    let usual = USUAL.iter().find(|(text, _)| *text == assumption);
    usual.map_or(assumption, |(_, name)| name).to_string()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("?").to_string()
}

fn path() -> PathBuf {
    kernel_folder().join("VERDICTS.txt")
}

fn render(lines: &BTreeMap<String, String>) -> String {
    let mut out = HEAD.to_string();
    out.push_str("#\n# Short names of assumptions:\n");
    for (text, name) in USUAL {
        out.push_str(&format!("#   {name}: {text}\n"));
    }
    out.push_str("#\n# (varies), and why:\n");
    for (name, why) in VARIES {
        out.push_str(&format!("#   {name}: {why}\n"));
    }
    out.push('\n');
    for (name, line) in lines {
        out.push_str(&format!("{name}: {line}\n"));
    }
    out
}

/// The lines of a list, by file.
fn parse(list: &str) -> BTreeMap<String, String> {
    let lines = list.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let split = lines.filter_map(|line| line.split_once(": "));
    split.map(|(name, line)| (name.to_string(), line.to_string())).collect()
}

/// Compares with the list, or rewrites it with `BLESS=1`. One problem for each line that
/// differs.
pub fn compare(now: &BTreeMap<String, String>) -> Vec<String> {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path(), render(now)).expect("the list can be written");
        return vec![];
    }
    let list = std::fs::read_to_string(path()).unwrap_or_default();
    let mut problems = differences(&parse(&list), now);
    if problems.is_empty() && list != render(now) {
        problems.push("kernels/VERDICTS.txt is not as BLESS=1 writes it".to_string());
    }
    problems
}

/// The lines that differ, in the words of a reviewer.
pub fn differences(
    before: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let changed = names.into_iter().filter(|name| before.get(*name) != now.get(*name));
    let shown = |line: Option<&String>| line.map_or("(not listed)", String::as_str).to_string();
    let lines = changed.map(|name| {
        format!(
            "kernels/VERDICTS.txt: {name}\n  was: {}\n  now: {}",
            shown(before.get(name)),
            shown(now.get(name))
        )
    });
    lines.collect()
}
