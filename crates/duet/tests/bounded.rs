//! `--findbugs` and `--loop-unwind`: defects in early passes are found and replayed,
//! and nothing is proved.

use std::process::Command;

/// Checks a kernel; the exit code and all that was said.
fn check(source: &str, options: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("k.cu");
    std::fs::write(&file, source).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", &file.display().to_string(), "--block-dim=64", "--grid-dim=2"])
        .args(options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).to_string())
}

/// Thread t writes a[t + pass]: a race from the second pass on.
const RACE_IN_SECOND_PASS: &str = "
__global__ void shifted(int *a, int n) {
  for (int i = 0; i < n; i++)
    a[blockIdx.x * 4096 + threadIdx.x + i] = threadIdx.x;
}";

const CORRECT: &str = "
__global__ void fill(int *a, int n) {
  for (int i = 0; i < 8; i++) {
    a[(blockIdx.x * 64 + threadIdx.x) * 8 + i] = n;
  }
}";

#[test]
fn a_race_in_the_second_pass_needs_two_passes() {
    for (option, found) in
        [("--findbugs", true), ("--loop-unwind=2", true), ("--loop-unwind=1", false)]
    {
        let (code, text) = check(RACE_IN_SECOND_PASS, &[option, "--no-refute"]);
        assert_eq!(text.contains("write-write-race"), found, "{option}\n{text}");
        assert_eq!(code, Some(2), "{option}\n{text}");
    }
}

#[test]
fn what_is_found_is_replayed() {
    let (code, text) = check(RACE_IN_SECOND_PASS, &["--findbugs"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("duet run"), "{text}");
}

#[test]
fn nothing_is_proved_by_a_few_passes() {
    assert_eq!(check(CORRECT, &[]).0, Some(0));
    for option in ["--findbugs", "--loop-unwind=8", "--loop-unwind=9"] {
        let (code, text) = check(CORRECT, &[option]);
        assert_eq!(code, Some(2), "{option}\n{text}");
        assert!(text.contains("error[bounded-search]"), "{option}\n{text}");
        assert!(!text.contains(": proved"), "{option}\n{text}");
    }
    assert_eq!(check(CORRECT, &["--loop-unwind=0"]).0, Some(0));
}

#[test]
fn a_false_invariant_is_an_assertion_at_each_pass() {
    let source = "
__global__ void count(int *a, int n) {
  for (int i = 0; __invariant(i < 1), i < 4; i++)
    a[(blockIdx.x * 64 + threadIdx.x) * 8 + i] = n;
}";
    let (code, text) = check(source, &["--findbugs", "--no-refute"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("error[invariant-failed]"), "{text}");
    assert!(!check(source, &["--loop-unwind=1", "--no-refute"]).1.contains("invariant-failed"));
}
