//! `duet prove --contract=FILE`: contracts beside a source that has none.

use std::process::Command;

/// Exit code and all that is said of a source with a file of contracts.
fn said(source: &str, contracts: &str, options: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, beside) = (folder.path().join("k.cu"), folder.path().join("k.contract"));
    std::fs::write(&file, source).expect("writes");
    std::fs::write(&beside, contracts).expect("writes");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("prove")
        .arg(&file)
        .arg(format!("--contract={}", beside.display()))
        .args(options)
        .args(["--timeout=600", "--work=100"])
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

const COPY: &str = "__global__ void copy(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[i] = in[i]; }
}
";

#[test]
fn a_contract_beside_a_source_is_judged() {
    let right = "kernel copy {
  requires 0 <= n && n <= \\threads;
  ensures \\forall int j; 0 <= j < n ==> out[j] == in[j];
  assigns out[0 .. n - 1];
}
";
    let (code, text) = said(COPY, right, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("copy: contract proved"), "{text}");
    // A wrong one is broken by a run, at its place in its own file.
    let wrong = right.replace("out[j] == in[j]", "out[j] == in[j + 1]");
    let (code, text) = said(COPY, &wrong, &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("k.contract:3:3"), "{text}");
}

#[test]
fn a_contract_beside_a_source_belongs_to_all_instances() {
    let source = "template <int N> __global__ void fill(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = N;
}
template __global__ void fill<3>(int *out);
template __global__ void fill<5>(int *out);
";
    let contract = "kernel fill {
  requires \\threads <= INT_MAX;
  ensures \\forall int j; 0 <= j < \\threads ==> out[j] == N;
}";
    let (code, text) = said(source, contract, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text.matches("contract proved").count(), 2, "{text}");
}

#[test]
fn loops_of_a_contract_beside_a_source() {
    let source = "__global__ void count(int *out, int m) {
  int c = 0, d = 5;
  for (int k = 0; k < m; k++) { int old = d; d = c + 6; c = old - 4; }
  out[threadIdx.x] = c;
}
";
    let contract = |invariant: &str| {
        format!(
            "kernel count {{
  requires gridDim.x == 1 && 0 <= m;
  ensures \\forall int j; 0 <= j < blockDim.x ==> out[j] == m;
  loop 1 {{ loop invariant {invariant}; }}
}}"
        )
    };
    let (code, text) = said(
        source,
        &contract("c == k && d == k + 5 && k == loop_count && k <= m"),
        &["--no-refute"],
    );
    assert_eq!(code, Some(0), "{text}");
    // What is said at a loop beside a source is shown, never taken for granted.
    let (code, text) = said(source, &contract("c == m"), &["--no-refute"]);
    assert_ne!(code, Some(0), "{text}");
}

#[test]
fn bad_contracts_beside_a_source_are_errors_with_their_place() {
    for (contracts, says, at) in [
        ("kernel copy {\n  ensures out[0] == x;\n}", "`x` is unknown", "k.contract:2:21"),
        ("kernel copied {\n}", "defines no kernel `copied`", "k.contract:1:8"),
        ("kernel copy {\n  ensures out[0] = 1;\n}", "", "k.contract:2:"),
    ] {
        let (code, text) = said(COPY, contracts, &[]);
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains(says) && text.contains(at), "{text}");
    }
    let both = format!("//@ ensures 1 == 1;\n{COPY}");
    let (code, text) = said(&both, "kernel copy { ensures 1 == 1; }", &[]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("a kernel has one contract"), "{text}");
}
