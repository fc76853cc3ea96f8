//! The stages of a check as text (`duet emit --stage=pairs`, `--stage=vc`), who
//! answered what (`--explain`), and the switches for studies.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

const KERNEL: &str = "__global__ void k(int *a, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = n;
  __syncthreads();
  a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
";
const RACE: &str = "__global__ void k(int *a) {\n  a[threadIdx.x / 2] = threadIdx.x;\n}\n";
const LAUNCH: &[&str] = &["--block-dim=64", "--grid-dim=4"];

fn z3() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3")
}

/// Runs a command of `duet` on a source with the launch.
fn duet(command: &str, source: &str, options: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), source).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder.path())
        .args([command, "k.cu"])
        .args(LAUNCH)
        .args(options)
        .env("DUET_Z3", z3())
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn loops_with_their_lines() {
    let source = "__global__ void k(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[threadIdx.x] += j;
}
__global__ void l(int *a) { a[threadIdx.x] = 1; }
";
    let (code, text) = duet("emit", source, &["--stage=loops"]);
    assert_eq!(
        (code, text.as_str()),
        (Some(0), "kernel k: 2 loops (lines 2 and 3)\nkernel l: 0 loops\n")
    );
}

#[test]
fn pairs_by_scope() {
    let (code, text) = duet("emit", KERNEL, &["--stage=pairs"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("# kernel k\nrow block or warp:\n"), "{text}");
    assert!(text.contains("row grid:") && text.contains("interval from barrier"), "{text}");
    assert!(text.lines().filter(|line| line.trim_start().starts_with("site ")).count() >= 3);
}

/// What a solver says to all conditions, in order.
fn answers(script: &str) -> Vec<String> {
    use std::io::Write;
    let mut child = Command::new(z3())
        .arg("-in")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 runs");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("z3 reads");
    let output = child.wait_with_output().expect("z3 ends").stdout;
    String::from_utf8(output).expect("UTF-8").lines().map(str::to_string).collect()
}

#[test]
fn conditions_stand_alone_and_decide() {
    let (code, text) = duet("emit", KERNEL, &["--stage=vc"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("lines 3 and 3") && text.contains("lines 5 and 5"), "{text}");
    let all = answers(&text);
    assert!(all.len() >= 3 && all.iter().all(|answer| answer == "unsat"), "{all:?}");
    let (_, text) = duet("emit", RACE, &["--stage=vc"]);
    assert!(answers(&text).iter().any(|answer| answer == "sat"), "{text}");
}

fn questions(source: &str, options: &[&str]) -> Vec<Value> {
    let options: Vec<&str> =
        ["--format=json", "--explain"].iter().chain(options).copied().collect();
    let (_, text) = duet("check", source, &options);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    json["kernels"][0]["questions"].as_array().expect("questions").clone()
}

#[test]
fn every_question_is_explained() {
    let all = questions(KERNEL, &[]);
    let races: Vec<&Value> = all.iter().filter(|one| one["about"] == "a race").collect();
    assert!(!races.is_empty(), "{all:?}");
    assert!(races.iter().all(|one| one["answer"] == "unsat" && one["lines"][0].is_u64()));
    for one in &all {
        let is_algebra = one["by"] == "algebra";
        assert_eq!(one["proof"].is_array(), is_algebra, "{one}");
        if is_algebra {
            let last = one["proof"].as_array().expect("steps").last().expect("a step").clone();
            assert!(last.as_str().expect("text").contains("contradiction"), "{one}");
        }
    }
    let (_, text) = duet("check", RACE, &["--explain", "--no-refute"]);
    assert!(text.contains("a race (lines 2 and 2): sat by z3"), "{text}");
    let (_, text) = duet("check", RACE, &["--format=json"]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert!(json["kernels"][0]["questions"].is_null(), "nothing is kept unless wanted");
}

#[test]
fn switches_change_who_answers_and_not_the_verdict() {
    let decided_by = |options: &[&str], who: &str| {
        let all = questions(KERNEL, options);
        all.iter().filter(|one| one["by"].as_str().is_some_and(|by| by.contains(who))).count()
    };
    assert_eq!(decided_by(&["--without=algebra"], "algebra"), 0);
    assert!(decided_by(&["--without=algebra", "--encoding=bits"], "on bit-vectors") > 0);
    assert!(decided_by(&["--without=algebra", "--encoding=integers"], "on integers") > 0);
    let all = [
        "algebra",
        "uniformity",
        "joint-questions",
        "read-only-arrays",
        "quiet-intervals",
        "private-arrays",
        "elements",
    ];
    for switch in all.map(|name| format!("--without={name}")) {
        assert_eq!(duet("check", KERNEL, &[&switch]).0, Some(0), "{switch}");
        assert_eq!(duet("check", RACE, &[&switch]).0, Some(1), "{switch}");
    }
    assert_eq!(duet("check", KERNEL, &["--without=magic"]).0, Some(4));
}
