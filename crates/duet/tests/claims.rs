//! Claims about memory at barriers, without the help of runs: every kernel of
//! `kernels/claims` and `kernels/scans` that is wrong stays unproven if no run is looked
//! for, so that it is the proof that refuses it.

mod common;

use std::process::Command;

use common::{KernelFile, assert_none, in_parallel, kernels};
use duet_engine::Expectation;
use serde_json::Value;

/// The verdict on a kernel, with no runs.
fn verdict(kernel: &KernelFile) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--format=json", "--no-refute", "--timeout=120"])
        .arg(&kernel.path)
        .args(&kernel.header.options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["kernels"][0]["verdict"].as_str().unwrap_or("none").to_string()
}

#[test]
fn wrong_claims_are_not_proved_without_runs() {
    let ours = |kernel: &KernelFile| {
        ["claims/", "scans/"].iter().any(|folder| kernel.name.starts_with(folder))
    };
    let all: Vec<KernelFile> = kernels().into_iter().filter(ours).collect();
    assert!(all.len() > 40, "{} kernels", all.len());
    let wrong = in_parallel(&all, |kernel| {
        let is_proved = verdict(kernel) == "proved";
        let must_pass = kernel.header.expectation == Expectation::Pass;
        (is_proved != must_pass).then(|| format!("{}: proved is {is_proved}", kernel.name))
    });
    assert_none(wrong.into_iter().flatten());
}
