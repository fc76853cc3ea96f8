//! `duet check` over our own kernels, with the options in their headers: no kernel
//! with a planted bug is proved, no fewer of the correct ones than before, and each is
//! what the list `kernels/VERDICTS.txt` says.

mod common;

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{KernelFile, assert_none, in_parallel, kernels, verdicts};
use serde_json::{Value, json};

/// Correct kernels that are proved: a few below what an idle machine proves, since
/// some need most of their time. Only ever raised.
const PROVED: usize = 400;

/// Kernels with a planted bug that are proved all the same, with the reason: the
/// feature that would find the bug is not there yet. Each must become empty.
const WRONGLY_PROVED: &[(&str, &str)] = &[];

/// Of the planted bugs, how many of a hundred are refuted.
const REFUTED_PERCENT: usize = 98;

/// Kernels with a planted bug that no run shows, with the reason. They count as not refuted.
/// One that is refuted is to be taken off.
const NOT_REFUTED: &[(&str, &str)] = &[
    ("contracts/log-function-wide-bug.cu", "runs keep no log that statements could look at"),
    (
        "soundness/95-carry-inside-visits.cl",
        "it takes 10,000 iterations, in each of which 2,000 pairs of threads store the same",
    ),
    ("order/compare-as-read-bug.cu", "in runs a swap that fails acquires too"),
    ("order/message-ldg-bug.cu", "in runs a load through the read-only cache is a plain one"),
    (
        "order/ticket-lock-two-counters-bug.cu",
        "in the orders that were tried one thread is through before the other comes, and that one \
         waits for ever",
    ),
    ("order/opencl-message-flags-bug.cl", "runs order local and global memory together"),
    ("order/opencl-message-local-bug.cl", "runs order local and global memory together"),
    ("order/opencl-message-scopes-bug.cl", "runs let wider scopes include each other"),
    (
        "programs/surface-rows-bug.cu",
        "a run makes up the surface, which is no input of the program",
    ),
    ("warp/mask-differs-bug.cu", "lanes that name different masks are not modelled"),
];

/// Correct kernels in which two threads do write the same value to the same place. All
/// others must be free of that warning.
const BENIGN: &[&str] = &[
    "basics/same-value.cl",
    "basics/same-value.cu",
    "contents/sum-of-group.cl",
    "soundness/58-same-pair-fine.cu",
    "soundness/90-generator-overflows-fine.cu",
    "soundness/91-generator-converts-fine.cu",
    "soundness/95-carry-inside-visits-fine.cl",
    "traps/14-partial-overlap-fine.cl",
    "traps/14-partial-overlap-fine.cu",
];

/// Kernels that count as correct and are refuted all the same, with the reason.
const REFUTED_WITH_REASON: &[(&str, &str)] = &[(
    "conformance/matrix-multiply.cl",
    "its comment fixes n to 16; the check does not know, and for n = 1 elements coincide",
)];

/// Seconds for a kernel: many times what any needs on an idle machine, so that the fence
/// never falls. What is decided is a matter of work, not of time.
const TIMEOUT: &str = "--timeout=600";

/// What `duet check` says about a file.
struct Checked {
    name: String,
    passes: bool,
    /// Its header says that it has a defect which a run can show.
    is_planted: bool,
    /// Its options do not refuse it, and there is a run to look for: none is of a launch
    /// that the assumptions rule out.
    looks_for_runs: bool,
    exit: Option<i32>,
    rules: Vec<String>,
    /// The line of the list.
    summary: String,
    complaint: String,
    took: Duration,
    /// A finding that its own run did not show again.
    not_replayed: Option<String>,
}

/// Runs the command of the first finding that a run showed. Does it show it again?
fn replay(kernels: &[Value]) -> Option<String> {
    let findings = kernels.iter().flat_map(|kernel| kernel["findings"].as_array()).flatten();
    let finding = findings.into_iter().find(|finding| finding["status"] == "refuted")?;
    let words: Vec<&str> =
        finding["witness"]["command"].as_array()?.iter().filter_map(Value::as_str).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(&words[1..])
        .arg("--json")
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let lines = |one: &Value| {
        let second = match &one["secondary"] {
            Value::Array(places) => places.first().cloned().unwrap_or(Value::Null),
            place => place.clone(),
        };
        let mut lines = [one["primary"]["line"].as_u64(), second["line"].as_u64()];
        lines.sort_unstable();
        lines
    };
    let seen = json["kernels"][0]["findings"].as_array().cloned().unwrap_or_default();
    let again = seen.iter().any(|one| lines(one) == lines(finding));
    (!again).then(|| format!("{}: {}", finding["rule"], words.join(" ")))
}

fn check(file: &KernelFile) -> Checked {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--format=json", TIMEOUT])
        .arg(&file.path)
        .args(&file.header.options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let kernels = json["kernels"].as_array().cloned().unwrap_or_default();
    let findings = kernels.iter().flat_map(|kernel| kernel["findings"].as_array());
    let rules = findings.flatten().filter_map(|finding| finding["rule"].as_str());
    Checked {
        name: file.name.clone(),
        passes: file.passes(),
        is_planted: !file.passes() && !file.is_unproven(),
        looks_for_runs: file.header.options.iter().all(|option| option != "--no-refute")
            && file.header.patterns.iter().all(|pattern| pattern != "vacuous"),
        exit: output.status.code(),
        rules: rules.map(str::to_string).collect(),
        summary: verdicts::summary(&file.name, &json, output.status.code()),
        complaint: String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("").to_string(),
        took: start.elapsed(),
        not_replayed: replay(&kernels),
    }
}

#[test]
fn verdicts_are_never_wrong() {
    let all = in_parallel(&kernels(), check);
    let mut problems = vec![];
    for checked in &all {
        problems.extend(
            checked
                .not_replayed
                .iter()
                .map(|what| format!("{}: not seen again: {what}", checked.name)),
        );
        let Checked { name, exit, rules, complaint, .. } = checked;
        let known = WRONGLY_PROVED.iter().any(|(known, _)| known == name);
        match (checked.passes, exit) {
            // Proved, refuted, unproven, or an option that is refused.
            (false, Some(1)) if !checked.is_planted => {
                problems.push(format!("{name} is refuted: it is a planted bug, let it say so"));
            }
            (true, Some(0 | 2)) | (false, Some(1 | 2 | 4)) if !known => {}
            (true, Some(1)) if REFUTED_WITH_REASON.iter().any(|(known, _)| known == name) => {}
            (false, Some(0)) if known => {}
            (false, Some(0)) => problems.push(format!("{name} must not be proved")),
            (_, Some(0 | 1 | 2 | 4)) if known => {
                problems.push(format!("{name} is not proved any more: take it off the list"));
            }
            _ => problems.push(format!("{name}: exit code {exit:?}, {rules:?}, {complaint}")),
        }
    }
    assert_none(problems);
    assert_none(false_warnings(&all));
    count_refuted(&all);
    count_proved(&all);
    let lines = all.iter().map(|one| (one.name.clone(), one.summary.clone()));
    assert_none(verdicts::compare(&lines.collect()));
}

/// Warnings of two writes of the same value on kernels that have none.
fn false_warnings(all: &[Checked]) -> Vec<String> {
    let warned = |one: &&Checked| one.rules.iter().any(|rule| rule == "benign-write-write-race");
    let correct = all.iter().filter(|one| one.passes && !BENIGN.contains(&one.name.as_str()));
    correct.filter(warned).map(|one| format!("{}: a false warning", one.name)).collect()
}

/// No fewer correct kernels are proved than before.
fn count_proved(all: &[Checked]) {
    let proved: Vec<&Checked> =
        all.iter().filter(|one| one.passes && one.exit == Some(0)).collect();
    let open = all.iter().filter(|one| one.passes && one.exit != Some(0));
    let open: Vec<String> =
        open.map(|one| format!("{}: {:?} {:?}", one.name, one.rules, one.took)).collect();
    let of = proved.len() + open.len();
    println!("{} of {of} correct kernels are proved; not:\n{}", proved.len(), open.join("\n"));
    assert!(proved.len() >= PROVED, "only {} are proved; not:\n{}", proved.len(), open.join("\n"));
}

/// Nearly every planted bug is shown by a run, where runs are looked for.
fn count_refuted(all: &[Checked]) {
    let listed = |one: &Checked| NOT_REFUTED.iter().any(|(name, _)| *name == one.name);
    let gone = all.iter().filter(|one| listed(one) && one.exit != Some(2));
    assert_none(gone.map(|one| format!("{}: take it off the list", one.name)));
    let planted: Vec<&Checked> =
        all.iter().filter(|one| one.is_planted && one.looks_for_runs).collect();
    let refuted = planted.iter().filter(|one| one.exit == Some(1)).count();
    let open = planted.iter().filter(|one| one.exit != Some(1));
    let open: Vec<&str> = open.map(|one| one.name.as_str()).collect();
    let (of, percent) = (planted.len(), refuted as f64 * 100.0 / planted.len() as f64);
    println!("{refuted} of {of} planted bugs are refuted ({percent:.1} %); not: {open:?}");
    let enough = refuted * 100 >= REFUTED_PERCENT * of;
    assert!(enough, "only {refuted} of {of} planted bugs are refuted; not: {open:?}");
}

/// What is listed is there.
#[test]
fn what_is_not_refuted_exists() {
    let all = kernels();
    let gone = NOT_REFUTED.iter().filter(|(name, _)| !all.iter().any(|k| k.name == *name));
    assert_none(gone.map(|(name, _)| format!("{name} is not there any more")));
}

/// A lost proof, another line and a new file each show as a difference; what a solver
/// chose does not.
#[test]
fn the_list_shows_what_is_lost() {
    let race = |value: u32| {
        json!({ "rule": "read-write-race", "status": "refuted", "headline": format!("a[{value}]"),
                "primary": { "line": 4 }, "secondary": { "line": 5 } })
    };
    let file = |verdict: &str, findings: Value| {
        let kernel = json!({ "name": "k", "verdict": verdict, "findings": findings,
                             "assumptions": ["pointer arguments are not null", "n is odd"] });
        verdicts::summary("a.cu", &json!({ "kernels": [kernel] }), Some(0))
    };
    let proved = file("proved", json!([]));
    assert_eq!(proved, "k proved [not-null; n is odd]");
    let refuted = file("refuted", json!([race(1)]));
    assert_eq!(refuted, "k refuted, read-write-race@4/5 [not-null; n is odd]");
    assert_eq!(refuted, file("refuted", json!([race(2)])));
    let list = |line: &str| BTreeMap::from([("a.cu".to_string(), line.to_string())]);
    assert_eq!(verdicts::differences(&list(&proved), &list(&proved)), Vec::<String>::new());
    assert_eq!(verdicts::differences(&list(&proved), &list(&refuted)).len(), 1);
    assert_eq!(verdicts::differences(&BTreeMap::new(), &list(&proved)).len(), 1);
    assert_eq!(verdicts::differences(&list(&proved), &BTreeMap::new()).len(), 1);
}

/// A file that no longer exists is taken off the list of those that vary.
#[test]
fn what_varies_exists() {
    let all = kernels();
    let gone = verdicts::VARIES.iter().filter(|(name, _)| !all.iter().any(|k| k.name == *name));
    assert_none(gone.map(|(name, _)| format!("{name} is not there any more")));
}
