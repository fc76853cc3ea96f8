//! The encoding by logs, as the command line shows it: what it proves, and that it proves
//! nothing wrong.

mod common;

use std::path::Path;
use std::process::Command;

const BY_LOGS: &str = "--race-instrumenter=watchdog-single";
const SIZES: [&str; 2] = ["--blockDim=64", "--gridDim=2"];

/// The exit code of `duet check` on a file.
fn check_file(path: &Path, options: &[&str]) -> Option<i32> {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
    let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
    if z3.is_file() {
        command.env("DUET_Z3", z3);
    }
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");
    let output = command.arg("check").arg(path).args(options).env("DUET_CACHE_DIR", cache).output();
    output.expect("duet runs").status.code()
}

/// The same for a source text.
fn check(source: &str, options: &[&str]) -> Option<i32> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    std::fs::write(&path, source).expect("a file");
    check_file(&path, &[&SIZES[..], options].concat())
}

/// Kernels that logs prove, each with a change that makes it wrong.
const PROVED: &[(&str, &str, &str)] = &[
    (
        "a[threadIdx.x + blockDim.x * blockIdx.x] = threadIdx.x;",
        "a[threadIdx.x",
        "a[0 * threadIdx.x",
    ),
    (
        "__shared__ int s[64]; s[threadIdx.x] = n; __syncthreads(); \
         a[threadIdx.x + blockDim.x * blockIdx.x] = s[63 - threadIdx.x];",
        "__syncthreads();",
        "",
    ),
    (
        "__shared__ int s[64]; s[threadIdx.x] = n; __syncthreads(); \
         for (int i = 32; i > 0; i >>= 1) { \
           if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i]; __syncthreads(); }",
        "__syncthreads(); }",
        "}",
    ),
    (
        "for (int i = 0; i < n; i++) a[(threadIdx.x + blockDim.x * blockIdx.x) * 16 + (i & 15)] = i;",
        "i & 15",
        "i & 31",
    ),
];

#[test]
fn logs_prove_what_is_right_and_nothing_else() {
    for (body, right, wrong) in PROVED {
        let kernel = |body: &str| format!("__global__ void k(int *a, int n) {{ {body} }}\n");
        assert_eq!(check(&kernel(body), &[BY_LOGS]), Some(0), "{body}");
        let broken = body.replacen(right, wrong, 1);
        assert_ne!(check(&kernel(&broken), &[BY_LOGS, "--no-refute"]), Some(0), "{broken}");
    }
}

#[test]
fn other_instrumenters_prove_the_same() {
    let (body, right, wrong) = PROVED[1];
    for name in ["watchdog-multiple", "original"] {
        let option = format!("--race-instrumenter={name}");
        let kernel = |body: &str| format!("__global__ void k(int *a, int n) {{ {body} }}\n");
        assert_eq!(check(&kernel(body), &[&option]), Some(0), "{name}");
        let broken = body.replacen(right, wrong, 1);
        assert_ne!(check(&kernel(&broken), &[&option, "--no-refute"]), Some(0), "{name}");
    }
}

/// The first thread writes, then breaks an assumption; the second comes later in lock step.
#[test]
fn an_assumption_does_not_excuse_what_came_before() {
    let source = "__global__ void k(int *a, int n) {
  if (n > 3) {
    if (threadIdx.x == 0) { a[blockIdx.x] = 1; __assume(n < 2); }
    else { if (threadIdx.x == 1) a[blockIdx.x] = 2; }
  }
}
";
    assert_ne!(check(source, &[BY_LOGS, "--no-refute"]), Some(0));
}

/// The first thread writes and never comes out of a loop; the second goes on.
#[test]
fn a_thread_that_is_stuck_keeps_its_log() {
    let source = "__global__ void k(volatile int *a, int n) {
  if (threadIdx.x == 0) { a[blockIdx.x] = 1; int i = 0; while (i == 0) { i = i * 2; } }
  if (threadIdx.x == 1) a[blockIdx.x] = 2;
}
";
    assert_ne!(check(source, &[BY_LOGS, "--no-refute"]), Some(0));
}

/// A false claim about a whole function is not passed over because no loop has a head to show
/// it at.
#[test]
fn claims_about_a_whole_function_are_not_passed_over() {
    let source = "__global__ void k(int *a, const int *b) {
  __function_wide_invariant(__write_implies(a, __write_offset_bytes(a) == 4 * b[0]));
  a[blockIdx.x * 64 + threadIdx.x] = 0;
}
";
    assert_eq!(check(source, &[BY_LOGS, "--no-refute"]), Some(2));
}

#[test]
fn what_is_not_asked_is_not_proved() {
    let kernel = format!("__global__ void k(int *a, int n) {{ {} }}\n", PROVED[2].0);
    assert_ne!(check(&kernel, &[BY_LOGS, "--no-refute", "--work=0"]), Some(0));
}

/// Own kernels that have a defect: none may be proved. All of them take minutes;
/// `DUET_LOGS_EVERY=1` looks at all.
#[test]
fn wrong_kernels_are_never_proved() {
    let every = std::env::var("DUET_LOGS_EVERY").ok().and_then(|text| text.parse().ok());
    let kernels = common::kernels();
    let wrong: Vec<_> = kernels.iter().filter(|kernel| !kernel.passes()).collect();
    let sample: Vec<_> = wrong.into_iter().step_by(every.unwrap_or(60)).collect();
    assert!(!sample.is_empty());
    let proved = common::in_parallel(&sample, |kernel| {
        let options: Vec<&str> = kernel.header.options.iter().map(String::as_str).collect();
        let more = [BY_LOGS, "--no-refute", "--timeout=10"];
        let exit = check_file(&kernel.path, &[&options[..], &more].concat());
        (exit == Some(0)).then(|| format!("logs prove {}", kernel.path.display()))
    });
    common::assert_none(proved.into_iter().flatten());
}
