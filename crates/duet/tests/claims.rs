//! Claims about memory at barriers, without the help of runs: every kernel of
//! `kernels/claims` and `kernels/scans` that is wrong stays unproven if no run is looked
//! for, so that it is the proof that refuses it; so do those of `kernels/contents` for which
//! claims are made up. With runs, most of them are refuted.

mod common;

use std::path::Path;
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
        let folders = ["claims/", "scans/"];
        let is_guessed = kernel.name.starts_with("contents/other-") && !kernel.passes();
        is_guessed || folders.iter().any(|folder| kernel.name.starts_with(folder))
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

/// The kernels that a careless implementation proves: the traps of the design by their
/// numbers, and the side conditions of its review by theirs (`s`).
const TRAPS: &[(&str, &[&str])] = &[
    ("1", &["soundness/80-ghost-read-of-others.cu"]),
    ("2", &["claims/02-instance-that-left.cu"]),
    ("3", &["claims/03-stale-view.cu"]),
    ("4", &["claims/04-permission-races.cu"]),
    ("5", &["claims/05-before-narrower-barrier.cu"]),
    ("6", &["claims/06-changed-after-check.cu"]),
    ("7", &["claims/07-claimed-by-some.cu"]),
    ("8", &["claims/08-equal-instances.cu"]),
    ("9", &["claims/09-one-row-only.cu"]),
    ("10", &["claims/10-across-blocks.cu"]),
    ("11", &["claims/11-atomic-is-no-permission.cu"]),
    ("12", &["claims/12-one-byte-known.cu"]),
    ("13", &["claims/13-counter-of-another-visit.cu"]),
    ("14", &["claims/14-own-variable.cu"]),
    ("15", &["claims/15-first-arrival-only.cu"]),
    ("16", &["claims/16-two-barriers.cu"]),
    ("17", &["claims/17-quiet-in-one-block.cu"]),
    ("18", &["claims/18-quiet-but-returned.cu"]),
    ("19", &["modular/19-wrapping-sum.cu"]),
    ("20", &["modular/20-contract-that-nothing-meets.cu", "modular/20-recursion-without-end.cu"]),
    ("21", &["modular/21-aliased-arguments.cu"]),
    // The third part, folds of floats, is `floats_are_never_folded`.
    ("22", &["claims/41-identity-of-max.cu", "claims/40-sum-of-changed.cu"]),
    ("s1", &["claims/21-lock.cu"]),
    ("s2", &["claims/22-maybe-barrier.cu"]),
    ("s3", &["claims/57-ghost-read-of-cell.cu"]),
    ("s4", &["soundness/84-ghost-over-warp-barrier.cu"]),
    ("s5", &["claims/23-loaded-earlier.cu"]),
    ("s6", &["claims/56-nothing-at-the-start.cu"]),
    ("s7", &["claims/52-owner-that-left.cu"]),
    ("s8", &["claims/50-cell-names-thread.cu"]),
    (
        "s9",
        &[
            "claims/51-cell-written-in-loop.cu",
            "claims/53-other-cell.cu",
            "claims/55-bytes-of-a-cell.cu",
        ],
    ),
    ("s10", &["claims/40-sum-of-changed.cu", "claims/46-sum-of-rewritten.cu"]),
    ("s11", &["claims/29-flat-instance.cu"]),
    ("s12", &["claims/10-across-blocks.cu", "claims/30-store-between.cu"]),
    (
        "s13",
        &[
            "claims/38-short-sum-wraps.cu",
            "claims/39-half-is-claimed.cu",
            "claims/42-join-with-gap.cu",
        ],
    ),
    ("s14", &["claims/45-axiom-of-operator.cu", "claims/44-two-operators.cu"]),
    ("s15", &["claims/60-first-visit-has-none-before.cu"]),
    ("s16", &["modular/16-maybe-barrier.cu"]),
    ("s17", &["modular/17-views-at-return.cu"]),
    ("s18", &["modular/21-aliased-arguments.cu", "modular/73-fence-in-function.cu"]),
    (
        "s19",
        &[
            "claims/17-quiet-in-one-block.cu",
            "claims/62-snapshot-too-late.cu",
            "claims/63-snapshot-of-written.cu",
        ],
    ),
    ("s20", &["claims/04-permission-races.cu"]),
];

/// Each trap is a kernel, and no trap is proved. Those of `kernels/claims` are checked without
/// runs above, so here only the others.
#[test]
fn no_trap_is_proved() {
    for number in 1..=22 {
        assert!(TRAPS.iter().any(|(name, _)| *name == number.to_string()), "trap {number}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let files: Vec<&str> = TRAPS.iter().flat_map(|(_, files)| files.iter().copied()).collect();
    let wrong = in_parallel(&files, |name| {
        let path = folder.join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            return Some(format!("{name} does not exist"));
        };
        if text.starts_with("//pass") {
            return Some(format!("{name} is expected to pass"));
        }
        let options = text.lines().nth(1).and_then(|line| line.strip_prefix("//"));
        let options: Vec<&str> = options.unwrap_or_default().split_whitespace().collect();
        let is_proved = !name.starts_with("claims/") && exit(&path, &options) == Some(0);
        is_proved.then(|| format!("{name} is proved"))
    });
    assert_none(wrong.into_iter().flatten());
}

/// No wrong kernel of these folders is proved, and of most a run shows what is wrong. The verdicts
/// are those of the list, which the test of all kernels compares with what is said today.
#[test]
fn most_wrong_claims_are_refuted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let list = std::fs::read_to_string(folder.join("VERDICTS.txt")).expect("the list");
    let (mut wrong, mut refuted) = (0, 0);
    for kernel in kernels().into_iter().filter(|kernel| !kernel.passes()) {
        let folders = ["claims/", "scans/", "contents/"];
        if !folders.iter().any(|folder| kernel.name.starts_with(folder)) {
            continue;
        }
        let start = format!("{}: ", kernel.name);
        let verdict = list.lines().find_map(|line| line.strip_prefix(&start));
        // One that is not in the list yet fails the test of all kernels.
        let Some(verdict) = verdict else { continue };
        assert!(!verdict.contains(" proved"), "{start}{verdict}");
        wrong += 1;
        refuted += usize::from(verdict.contains(" refuted"));
    }
    println!("{refuted} of {wrong} wrong kernels are refuted by a run");
    assert!(wrong > 100 && 2 * refuted >= wrong, "{refuted} of {wrong}");
}

/// The exit code of a check without runs.
fn exit(path: &Path, options: &[&str]) -> Option<i32> {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--no-refute", "--timeout=120"])
        .arg(path)
        .args(options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    output.status.code()
}

/// In stages a kernel has the verdict that it has otherwise: what the first stage leaves open
/// is asked about again, with the claims, and what it shows is not.
#[test]
fn races_are_asked_about_in_one_stage() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let cases = [
        // A race without claims, which no claim excludes.
        ("scans/kogge-stone-barrier-bug.cu", 64, Some(2), "open without claims"),
        ("claims/16-two-barriers.cu", 64, Some(2), "open without claims"),
        // None with claims only.
        ("modular/compaction-inlined.cu", 2, Some(0), "open without claims"),
        // None at all, and a claim that fails.
        ("claims/41-identity-of-max.cu", 64, Some(2), "no race, without claims"),
        ("scans/kogge-stone.cu", 64, Some(0), "no race, without claims"),
    ];
    for (name, threads, expected, stage) in cases {
        let threads = format!("--blockDim={threads}");
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .args(["check", "--no-refute", "--timeout=120", "--staged", "--gridDim=1", &threads])
            .arg(folder.join(name))
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .output()
            .expect("duet runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), expected, "{name}\n{text}");
        assert!(text.contains(stage), "{name}\n{text}");
    }
}

/// No law of sums holds of floats, so there are none.
#[test]
fn floats_are_never_folded() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("floats.cu");
    let kernel = |ty: &str| {
        format!(
            "__global__ void k({ty} *out, const {ty} *in) {{\n  unsigned t = threadIdx.x;\n  \
             {ty} v = t == 0 ? 0 : in[t - 1];\n  __assert(__sum_add(in, t, t) == 0);\n  \
             out[t] = v;\n}}\n"
        )
    };
    let options = ["--blockDim=64", "--gridDim=1"];
    std::fs::write(&file, kernel("int")).expect("a file");
    assert_eq!(exit(&file, &options), Some(0), "of integers it is true");
    for ty in ["float", "double"] {
        std::fs::write(&file, kernel(ty)).expect("a file");
        assert_eq!(exit(&file, &options), Some(3), "{ty}");
    }
}
