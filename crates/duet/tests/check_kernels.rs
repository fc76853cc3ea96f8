//! `duet check` over our own kernels, with the options in their headers: no kernel
//! with a planted bug is proved, and no fewer of the correct ones than before.

mod common;

use std::process::Command;
use std::time::{Duration, Instant};

use common::{KernelFile, assert_none, in_parallel, kernels};
use serde_json::Value;

/// Correct kernels that are proved: a few below what an idle machine proves, since
/// some need most of their time. Only ever raised.
const PROVED: usize = 400;

/// Kernels with a planted bug that are proved all the same, with the reason: the
/// feature that would find the bug is not there yet. Each must become empty.
const WRONGLY_PROVED: &[(&str, &str)] = &[];

/// Seconds for a kernel, so that the whole folder takes a few minutes.
const TIMEOUT: &str = "--timeout=10";

/// What `duet check` says about a file.
struct Checked {
    name: String,
    passes: bool,
    exit: Option<i32>,
    rules: Vec<String>,
    complaint: String,
    took: Duration,
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
        exit: output.status.code(),
        rules: rules.map(str::to_string).collect(),
        complaint: String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("").to_string(),
        took: start.elapsed(),
    }
}

#[test]
fn verdicts_are_never_wrong() {
    let all = in_parallel(&kernels(), check);
    let mut problems = vec![];
    for checked in &all {
        let Checked { name, exit, rules, complaint, .. } = checked;
        let known = WRONGLY_PROVED.iter().any(|(known, _)| known == name);
        match (checked.passes, exit) {
            // Proved, unproven, or an option that is refused.
            (true, Some(0 | 2)) | (false, Some(2 | 4)) if !known => {}
            (false, Some(0)) if known => {}
            (false, Some(0)) => problems.push(format!("{name} has a bug, but is proved")),
            (_, Some(0 | 2 | 4)) if known => {
                problems.push(format!("{name} is not proved any more: take it off the list"));
            }
            _ => problems.push(format!("{name}: exit code {exit:?}, {rules:?}, {complaint}")),
        }
    }
    assert_none(problems);
    let proved: Vec<&Checked> =
        all.iter().filter(|one| one.passes && one.exit == Some(0)).collect();
    let open = all.iter().filter(|one| one.passes && one.exit != Some(0));
    let open: Vec<String> =
        open.map(|one| format!("{}: {:?} {:?}", one.name, one.rules, one.took)).collect();
    let of = proved.len() + open.len();
    println!("{} of {of} correct kernels are proved; not:\n{}", proved.len(), open.join("\n"));
    assert!(proved.len() >= PROVED, "only {} are proved; not:\n{}", proved.len(), open.join("\n"));
}
