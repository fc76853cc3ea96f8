//! Kernels that order their threads by fences and flags (`kernels/order`): right ones and
//! wrong ones with one defect each. No right one is refuted and no wrong one proved; most
//! right ones are proved, and most wrong ones are shown to fail by a run.

mod common;

use std::process::Command;

use common::{KernelFile, assert_none, in_parallel, kernels};
use serde_json::Value;

/// How many there are of each kind, at least, and how many of them are decided. Only ever
/// raised.
const RIGHT: usize = 40;
const PROVED: usize = 24;
const WRONG: usize = 50;
const REFUTED: usize = 27;

/// Wrong kernels, with the rule that names what is missing. Each is reported beside the race.
const NAMED: &[(&str, &str)] = &[
    ("order/message-no-release-bug.cu", "missing-fence"),
    ("order/message-no-acquire-bug.cu", "missing-fence"),
    ("order/last-block-almost.cu", "missing-fence"),
    ("order/last-block-no-release-bug.cu", "missing-fence"),
    ("order/lock-no-acquire-bug.cu", "missing-fence"),
    ("order/message-narrow-fence-bug.cu", "fence-scope-too-narrow"),
    ("order/last-block-narrow-bug.cu", "fence-scope-too-narrow"),
    ("order/message-narrow-flag-bug.cu", "atomic-scope-too-narrow"),
    ("order/lock-scope-bug.cu", "atomic-scope-too-narrow"),
    ("order/message-plain-flag-bug.cu", "plain-access-to-flag"),
    ("order/lock-plain-reset-bug.cu", "plain-access-to-flag"),
];

struct Checked {
    name: String,
    passes: bool,
    exit: Option<i32>,
    rules: Vec<String>,
    assumptions: String,
}

fn check(file: &KernelFile) -> Checked {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--format=json", "--timeout=600"])
        .arg(&file.path)
        .args(&file.header.options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let kernel = &json["kernels"][0];
    let findings = kernel["findings"].as_array().cloned().unwrap_or_default();
    let rules = findings.iter().filter_map(|finding| finding["rule"].as_str());
    Checked {
        name: file.name.clone(),
        passes: file.passes(),
        exit: output.status.code(),
        rules: rules.map(str::to_string).collect(),
        assumptions: kernel["assumptions"].to_string(),
    }
}

#[test]
fn order_by_fences_is_judged_right() {
    let files: Vec<KernelFile> =
        kernels().into_iter().filter(|file| file.name.starts_with("order/")).collect();
    let all = in_parallel(&files, check);
    let count = |passes: bool, exit: Option<i32>| {
        all.iter().filter(|one| one.passes == passes && one.exit == exit).count()
    };
    let is_wrong = |one: &&Checked| {
        matches!((one.passes, one.exit), (true, Some(1)) | (false, Some(0)) | (_, None | Some(3..)))
    };
    let wrong = all.iter().filter(is_wrong);
    assert_none(wrong.map(|one| format!("{}: exit code {:?}", one.name, one.exit)));
    let right = all.iter().filter(|one| one.passes).count();
    assert!(right >= RIGHT && all.len() - right >= WRONG, "{right} of {} are right", all.len());
    let (proved, refuted) = (count(true, Some(0)), count(false, Some(1)));
    assert!(proved >= PROVED, "only {proved} are proved");
    assert!(refuted >= REFUTED, "only {refuted} are refuted");
    for (name, rule) in NAMED {
        let one = all.iter().find(|one| one.name == *name).expect("the kernel is there");
        assert!(one.rules.iter().any(|own| own == rule), "{name}: {:?}", one.rules);
    }
    // What no precondition says is assumed, and printed.
    let assumed = all.iter().find(|one| one.name == "order/last-block-assumed.cu");
    let assumptions = assumed.map(|one| one.assumptions.clone()).unwrap_or_default();
    assert!(assumptions.contains("`count` is 0 at launch"), "{assumptions}");
}
