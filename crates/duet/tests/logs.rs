//! The encoding by logs, as the command line shows it: what it proves, and that it proves
//! nothing wrong.

mod common;

use std::path::Path;
use std::process::{Command, Output};

const BY_LOGS: &str = "--race-instrumenter=watchdog-single";
const SIZES: [&str; 2] = ["--blockDim=64", "--gridDim=2"];

/// The exit code of `duet check` on a file.
fn check_file(path: &Path, options: &[&str]) -> Option<i32> {
    duet(path, options).status.code()
}

/// What `duet check` says of a file.
fn duet(path: &Path, options: &[&str]) -> Output {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
    let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
    if z3.is_file() {
        command.env("DUET_Z3", z3);
    }
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");
    let output = command.arg("check").arg(path).args(options).env("DUET_CACHE_DIR", cache).output();
    output.expect("duet runs")
}

/// The same for a source text.
fn check(source: &str, options: &[&str]) -> Option<i32> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    std::fs::write(&path, source).expect("a file");
    check_file(&path, &[&SIZES[..], options].concat())
}

/// An invariant of an inner loop about what that loop changes: pairs, which keep no log, leave
/// it open, and logs show it. One that does not hold is not shown, and nothing rests on it.
#[test]
fn claims_beyond_pairs_are_decided_by_logs() {
    let kernel = |factor: u32| {
        format!(
            "__global__ void k(int n) {{ __shared__ int s[1024]; for (int i = 0; i < n; i++) {{ \
             for (int j = 0; __invariant(__write_implies(s, __write_offset_bytes(s) < \
             {factor}u * (unsigned)j)), j < 16; j++) s[64 * j + threadIdx.x] = i; \
             __syncthreads(); }} }}\n"
        )
    };
    for (factor, is_decided) in [(256, true), (128, false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k.cu");
        std::fs::write(&path, kernel(factor)).expect("a file");
        let output = duet(&path, &SIZES);
        let says = String::from_utf8_lossy(&output.stderr).contains("decided by logs");
        assert_eq!((output.status.code(), says), (Some(0), is_decided), "{factor}");
    }
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

/// The rules of the paper by their numbers, each with one of our kernels for which it is
/// essential: proved with all nineteen rules and not without this one.
///
/// r6 says more than r4 wherever there is something to say (nor was r4 essential for a kernel
/// of the paper), so that r4 is judged without r6.
const ESSENTIAL: [(&str, &str, &[&str]); 19] = [
    ("accessBreak", "access-break", &[]),
    ("accessedOffsetsSatisfyPredicates", "access-stride", &[]),
    ("accessLowerBoundBlock", "block-bounds-twice", &[]),
    ("accessUpperBoundBlock", "block-bounds-twice", &[]),
    (
        "accessOnlyIfEnabledInEnclosingScopes",
        "one-thread-loop",
        &["disabledMaintainsInstrumentation"],
    ),
    ("conditionsImplyingEnabledness", "one-thread-loop", &[]),
    ("disabledMaintainsInstrumentation", "log-kept", &[]),
    ("guardMinusInitialIsUniform", "uniform-guard", &[]),
    ("guardNonNeg", "counter-ends-at-zero", &[]),
    ("loopBound", "counter-from-the-top", &[]),
    ("loopCounterIsStrided", "strided-counter", &[]),
    ("loopPredicateEquality", "uniform-guard", &[]),
    ("noread", "no-access", &[]),
    ("nowrite", "no-access", &[]),
    ("pow2", "pow2-mask", &[]),
    ("pow2NotZero", "pow2-not-zero", &[]),
    ("predicatedEquality", "equal-variable", &[]),
    ("relationalPow2", "doubled-and-halved", &[]),
    ("sameWarpNoAccess", "same-warp-loop", &[]),
];

/// Rules of our own that stay on where the nineteen are judged: r18 is about loops in which
/// offsets depend on branches, of which no rule of the paper speaks.
fn own_rules(rule: &str) -> &'static [&'static str] {
    if rule == "sameWarpNoAccess" { &["closedForm", "loggedIteration"] } else { &[] }
}

/// The exit code of the check of a rule's kernel with the paper's rules but these.
fn check_rule(rule: &str, kernel: &str, without: &[&str]) -> Option<i32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join(format!("../../kernels/papers/rule-{kernel}.cu"));
    let text = std::fs::read_to_string(&path).expect("a kernel");
    let header = text.lines().nth(1).expect("a line of options").trim_start_matches("//");
    let mut options: Vec<String> = header.split_whitespace().map(str::to_string).collect();
    options.extend([BY_LOGS, "--no-refute"].map(str::to_string));
    let paper = ESSENTIAL.iter().map(|(name, _, _)| *name);
    let used = paper.chain(own_rules(rule).iter().copied()).filter(|one| !without.contains(one));
    options.extend(used.map(|one| format!("--only-infer={one}")));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    check_file(&path, &options)
}

#[test]
fn each_rule_of_the_paper_is_essential_for_a_kernel() {
    let wrong = common::in_parallel(&ESSENTIAL.each_ref(), |(rule, kernel, also)| {
        let with = check_rule(rule, kernel, also);
        let without = check_rule(rule, kernel, &[&[*rule], *also].concat());
        let is_essential = with == Some(0) && without == Some(2);
        (!is_essential).then(|| format!("{rule}, {kernel}: {with:?} with, {without:?} without"))
    });
    common::assert_none(wrong.into_iter().flatten());
}

/// `--omit-infer` knows every rule of the paper, and no other.
#[test]
fn rules_about_logs_can_be_left_out_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    std::fs::write(&path, "__global__ void k(int *a) { a[threadIdx.x] = 0; }\n").expect("a file");
    let rules = ESSENTIAL.iter().map(|(rule, _, _)| *rule).chain(["accessBrake"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
    command.arg("check").arg(&path).args(SIZES);
    command.args(rules.map(|rule| format!("--omit-infer={rule}")));
    let output = command.output().expect("duet runs");
    let text = String::from_utf8_lossy(&output.stderr);
    let unknown: Vec<&str> = text.lines().filter(|line| line.contains("no rule")).collect();
    assert!(matches!(unknown[..], [only] if only.contains("`accessBrake`")), "{text}");
}

/// Barriers and exchanges of a warp that all lanes come to are walked by logs; others, and
/// copies that run beside a thread, are named and never proved.
#[test]
fn warps_by_logs() {
    let barrier = "__shared__ int s[64]; s[threadIdx.x] = n; __syncwarp(); \
                   a[threadIdx.x + blockDim.x * blockIdx.x] = s[threadIdx.x ^ 1];";
    let shuffle = "a[threadIdx.x + blockDim.x * blockIdx.x] = __shfl_xor_sync(0xffffffff, n, 1);";
    let kernel = |body: &str| format!("__global__ void k(int *a, int n) {{ {body} }}\n");
    for (body, right, wrong) in [
        (barrier, "__syncwarp();", ""),
        (barrier, "^ 1", "^ 32"),
        (barrier, "__syncwarp()", "__syncwarp(0xffff)"),
        (shuffle, "0xffffffff", "0xffff"),
        (shuffle, "a[", "if (threadIdx.x > 3) a["),
    ] {
        assert_eq!(check(&kernel(body), &[BY_LOGS]), Some(0), "{body}");
        let broken = body.replacen(right, wrong, 1);
        assert_eq!(check(&kernel(&broken), &[BY_LOGS, "--no-refute"]), Some(2), "{broken}");
    }
}

/// A disagreement that is planted: logs that are never checked prove a race absent. It is an
/// internal error, and what is needed to repeat it is kept.
#[test]
fn a_disagreement_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    let source = "__global__ void k(int *a) { a[0] = threadIdx.x; }\n";
    std::fs::write(&path, source).expect("a file");
    let into = format!("--emit-repro={}", folder.path().join("kept").display());
    let options = [&SIZES[..], &[BY_LOGS, "--only-log", "--cross-check", &into]].concat();
    assert_eq!(check_file(&path, &options), Some(5));
    let kept = folder.path().join("kept/duet-disagreement-k");
    let read = |name: &str| std::fs::read_to_string(kept.join(name)).expect("a file of the folder");
    assert_eq!(read("k.cu"), source);
    assert!(read("options.txt").contains("--only-log --cross-check"));
    assert!(read("pairs.json").contains("\"refuted\""), "{}", read("pairs.json"));
    assert!(read("logs.json").contains("\"proved\""), "{}", read("logs.json"));
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
