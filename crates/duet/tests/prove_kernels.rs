//! `duet prove` over the kernels of `kernels/prove`: each says in its first line what must
//! come of it, and in the second with which options. A kernel that must not be proved has a
//! neighbour that is.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// With a fence far off, so that what comes of a kernel does not depend on the machine.
fn prove(file: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("prove")
        .arg(file)
        .args(options)
        .args(["--timeout=600", "--work=100"])
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

fn files() -> Vec<PathBuf> {
    let mut files = vec![];
    for folder in ["prove", "prove/traps"] {
        let folder = common::kernel_folder().join(folder);
        for entry in std::fs::read_dir(&folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "cu" || extension == "cl") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// What the header wants, with the options.
fn header(text: &str) -> Option<(&str, Vec<&str>)> {
    let mut lines = text.lines();
    let wanted = lines.next()?.strip_prefix("//prove:")?;
    Some((wanted, lines.next()?.strip_prefix("//")?.split_whitespace().collect()))
}

#[test]
fn contracts_are_judged_as_their_headers_say() {
    let all = files();
    assert!(all.len() >= 55, "only {} kernels with contracts", all.len());
    let wrong = common::in_parallel(&all, |path| {
        let text = std::fs::read_to_string(path).expect("a kernel");
        let (wanted, options) = header(&text).unwrap_or_else(|| panic!("{}", path.display()));
        let output = prove(path, &options);
        let got = match output.status.code() {
            Some(0) => "proved",
            Some(1) => "refuted",
            Some(2) => "unproven",
            _ => "failed",
        };
        let said = String::from_utf8_lossy(&output.stderr);
        (got != wanted).then(|| format!("{}: {got}, not {wanted}\n{said}", path.display()))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A trap that must not be proved is worth little without a neighbour that is.
#[test]
fn kernels_that_are_not_right_have_a_neighbour_that_is_proved() {
    let mut proved = 0;
    for path in files() {
        let name = path.file_stem().expect("a name").to_string_lossy().to_string();
        if let Some(right) = name.strip_suffix("-wrong") {
            let twin = path.with_file_name(format!("{right}.cu"));
            let text = std::fs::read_to_string(&twin).expect("the right twin");
            assert!(!text.starts_with("//prove:refuted\n"), "{}", twin.display());
            proved += usize::from(text.starts_with("//prove:proved\n"));
        }
    }
    assert!(proved >= 10, "only {proved} pairs with a proof");
}

/// The kernels that the facts of a proof must not prove, by the numbers of the design's list of
/// traps, and of its list of premises as far as these name a kernel.
const TRAPS: [(u32, &str); 21] = [
    (1, "01-racy"),
    (2, "02-later-interval"),
    (3, "03-later-visit"),
    (4, "04-break"),
    (5, "05-too-few-threads"),
    (6, "06-own-trips"),
    (7, "07-other-block"),
    (8, "08-returned"),
    (9, "09-old"),
    (10, "10-torsion"),
    (11, "11-overflow"),
    (12, "12-wrapping-counter"),
    (13, "13-empty-range"),
    (14, "14-minus-zero"),
    (15, "15-odd-block"),
    (16, "16-atomic-result"),
    (17, "17-endless"),
    (18, "18-part-of-a-cell"),
    (19, "19-aliasing"),
    (20, "20-parity"),
    (21, "21-own-earlier-visit"),
];
const PREMISES: [(u32, &str); 15] = [
    (1, "24-trip-counts"),
    (2, "31-user-invariant"),
    (3, "25-last-partial-iteration"),
    (4, "26-warp-barrier"),
    (5, "27-written-in-a-loop"),
    (6, "22-order-of-branches"),
    (9, "28-volatile"),
    (11, "11-initial-contents"),
    (12, "30-sum-of-states"),
    (13, "29-atomic-sum"),
    (15, "15-case-of-a-read"),
    (17, "17-negative-radix"),
    (18, "17-endless"),
    (19, "47-step-of-five"),
    (20, "23-conversion"),
];

/// Each of them is there, and is not to be proved.
#[test]
fn all_traps_and_premises_are_kernels() {
    let folder = common::kernel_folder().join("prove/traps");
    for (number, name) in TRAPS.iter().chain(&PREMISES) {
        let path = folder.join(format!("{name}.cu"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let (wanted, _) = header(&text).unwrap_or_else(|| panic!("{number}: {name}"));
        assert!(["unproven", "refuted"].contains(&wanted), "{number}: {name}");
    }
    assert!(TRAPS.iter().map(|trap| trap.0).eq(1..=21));
}

fn in_file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("k.cu");
    std::fs::write(&file, text).expect("a file");
    (folder, file)
}

fn said(text: &str, options: &[&str]) -> (Option<i32>, String) {
    let (_folder, file) = in_file(text);
    let output = prove(&file, options);
    let all = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&all).to_string())
}

#[test]
fn bad_contracts_are_errors_with_their_place() {
    let kernel = "__global__ void k(int *c, int n) {\n  c[0] = n;\n}\n";
    for (contract, words, caret) in [
        ("//@ ensures c[0] == m;\n", "`m` is unknown", "                    ^"),
        ("//@ ensures c[0] = n;\n", "a contract changes nothing", "                 ^"),
        ("//@ ensures \\forall int j; c[j] == 0;\n", "`j` is not bounded", "            ^"),
        ("//@ loop invariant n > 0;\n", "stands before a loop", "    ^"),
        ("//@ ensures c[0] == n\n", "expected `;`", "^"),
        ("//@ ensures n[0] == 0;\n", "no array", "            ^"),
        ("//@ requires \\old(n) == 0;\n", "initial state", "             ^"),
    ] {
        let (code, text) = said(&format!("{contract}{kernel}"), &[]);
        assert_eq!(code, Some(3), "{contract}{text}");
        assert!(text.contains("error[bad-contract]"), "{contract}{text}");
        assert!(text.contains(words) && text.contains("k.cu:1:"), "{contract}{text}");
        assert!(text.contains(caret), "{contract}{text}");
    }
}

#[test]
fn nothing_to_prove_is_not_proved() {
    let kernel = "__global__ void k(int *c, int n) {\n  c[0] = n;\n}\n";
    let (code, text) = said(kernel, &[]);
    assert_eq!(code, Some(2), "{text}");
    let only_requires = format!("//@ requires n > 0;\n{kernel}");
    let (code, text) = said(&only_requires, &[]);
    assert_ne!(code, Some(0), "{text}");
}

const WRONG: &str = "//@ requires 0 <= n && n <= \\threads;
//@ ensures \\forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { c[i] = a[i] + (i == 1); }
}
";

#[test]
fn a_broken_contract_is_shown_with_its_run() {
    let (code, text) = said(WRONG, &[]);
    assert_eq!(code, Some(1), "{text}");
    for words in ["error[contract-violated]", "j = 1", "written last by thread", "duet run"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn programs_get_the_same_facts() {
    let (_folder, file) = in_file(WRONG);
    let json = prove(&file, &["--format=json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["kernels"][0]["verdict"], "refuted");
    assert_eq!(json["kernels"][0]["clauses"][0]["status"], "refuted");
    assert_eq!(json["kernels"][0]["clauses"][0]["line"], 2);
    let sarif = prove(&file, &["--format=sarif"]);
    let sarif: serde_json::Value = serde_json::from_slice(&sarif.stdout).expect("SARIF");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "contract-violated");
    let html = String::from_utf8(prove(&file, &["--format=html"]).stdout).expect("UTF-8");
    assert!(html.contains("contract-violated"));
}

#[test]
fn explanations_name_the_writer() {
    let right = WRONG.replace("a[i] + (i == 1)", "a[i]");
    let (code, text) = said(&right, &["--explain"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("by the thread with threadIdx.x = "), "{text}");
}

#[test]
fn what_cannot_be_stated_exactly_is_left_out() {
    let (code, text) = said(
        "//@ requires n * n * n == 1000 && n <= \\threads;
//@ ensures c[9] == a[9];
__global__ void k(int *c, const int *a, long long n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { c[i] = a[i]; }
}
",
        &[],
    );
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn floats_are_equal_only_as_goals() {
    let (code, text) = said(
        "//@ requires 0 < n;
//@ ensures x[0] == x[1] ==> c[0] == 1;
__global__ void k(int *c, const float *x, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i == 0 && x[0] == x[1]) { c[0] = 1; }
}
",
        &[],
    );
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("equality of floats is covered only as what is ensured"), "{text}");
}

#[test]
fn division_by_zero_is_unknown() {
    let kernel = |requires: &str| {
        format!(
            "//@ requires {requires};
//@ ensures c[0] == n / m;
__global__ void k(int *c, int n, int m) {{
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i == 0) {{ c[0] = n / m; }}
}}
"
        )
    };
    let (code, text) = said(&kernel("0 <= n"), &[]);
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn wide_variables() {
    let kernel = |says: &str| {
        format!(
            "//@ requires 0 <= n && n <= \\threads;
//@ ensures \\forall long long j; 0 <= j < n ==> c[j] == {says};
__global__ void k(int *c, const int *a, long long n) {{
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {{ c[i] = a[i]; }}
}}
"
        )
    };
    let (code, text) = said(&kernel("a[j] + 1"), &[]);
    assert_eq!(code, Some(1), "{text}");
    let (code, text) = said(&kernel("a[j]"), &[]);
    assert!(matches!(code, Some(0 | 2)), "{text}");
}

#[test]
fn indices_must_be_small() {
    let (code, text) = said(
        "//@ requires 0 < m;
//@ ensures \\forall int j; 0 <= j < 5 ==> c[j * m] == \\old(c[j * m]);
__global__ void k(int *c, long long m) {
  if (m < 0) { c[0] = 1; }
}
",
        &[],
    );
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("too large"), "{text}");
}

/// `exp` of a double is not the `expf` of the code.
#[test]
fn functions_of_the_code_are_told_by_precision() {
    let kernel = |call: &str| {
        format!(
            "//@ requires 0 <= n && n <= \\threads;
//@ ensures \\forall int j; 0 <= j < n ==> y[j] == {call};
__global__ void k(float *y, const float *x, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{ y[i] = expf(x[i]); }}
}}
"
        )
    };
    for (call, wanted) in [("exp(x[j])", 0), ("expf(x[j])", 0), ("(float)exp((double)x[j])", 2)] {
        let (code, text) = said(&kernel(call), &[]);
        assert_eq!(code, Some(wanted), "{call}: {text}");
    }
}

/// What a contract says at a loop may name the kernel's ghosts and functions.
#[test]
fn loops_know_names_of_the_contract() {
    let (code, text) = said(
        "//@ ghost int g; logic int twice(int x) = 2 * x;
//@ requires 0 <= n && n <= \\threads && 0 <= m && m <= 1000 && g == m;
//@ ensures \\forall int j; 0 <= j < n ==> c[j] == twice(g);
__global__ void k(int *c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = 0;
    //@ loop invariant x == twice(loop_count) && k <= g && k == loop_count;
    for (int k = 0; k < m; k++) { x += 2; }
    c[i] = x;
  }
}
",
        &[],
    );
    assert_eq!(code, Some(0), "{text}");
}

/// A product of four sizes may need more than 64 bits, in which offsets are computed.
#[test]
fn factors_of_indices_are_small() {
    let (code, text) = said(
        "//@ requires 0 < a && 0 < b && 0 < d;
//@ ensures \\forall int j; 0 <= j < 5 ==> c[j * a * b * d] == \\old(c[j * a * b * d]);
__global__ void k(int *c, int a, int b, int d) {
  if (a < 0) { c[0] = 1; }
}
",
        &[],
    );
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("too large"), "{text}");
}

/// Nothing follows for `b * d` from a limit of `a * b * d` if `a` may be zero: neither for the
/// contract nor for the check, where the wider type would need 128 bits.
#[test]
fn zero_bounds_no_product() {
    let with = |least: &str, ty: &str, ensured: &str, stored: &str| {
        let kernel = format!(
            "//@ requires {least} <= a && 0 < b && 0 < d && a * b * d <= 1000;
//@ ensures {ensured};
__global__ void k(int *c, {ty} a, {ty} b, {ty} d) {{
  if (b * (long long)d > 1000) {{ {stored} }}
}}
"
        );
        said(&kernel, &["--blockDim=32", "--gridDim=2"]).0
    };
    assert_eq!(with("1", "short", "b * d <= 1000", ""), Some(0));
    assert_ne!(with("0", "short", "b * d <= 1000", ""), Some(0));
    let raced = "c[0] = threadIdx.x;";
    assert_eq!(with("1", "int", "c[1] == \\old(c[1])", raced), Some(0));
    assert_ne!(with("0", "int", "c[1] == \\old(c[1])", raced), Some(0));
}

/// A division by an argument may be by zero, so the terms of the sum are not known.
#[test]
fn division_in_a_sum_is_not_stated() {
    let kernel = "__global__ void k(int *c, const int *a, int n) {\n  if (blockIdx.x == 0 && threadIdx.x == 0) {\n    int s = 0;\n    for (int i = 0; i < 4; i++) { s += a[i] / n; }\n    c[0] = s;\n  }\n}\n";
    let by = |divisor: &str| {
        let contract =
            format!("//@ ensures c[0] == (int)\\sum(int i; 0 <= i < 4; a[i] / {divisor});\n");
        said(&format!("{contract}{}", kernel.replace("/ n", &format!("/ {divisor}"))), &[])
    };
    let (code, text) = by("n");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a division in a sum"), "{text}");
    let (code, text) = by("3");
    assert_eq!(code, Some(0), "{text}");
}

/// An index of a sum that may be larger than memory is not stated as it stands.
#[test]
fn indices_in_sums_must_be_small() {
    let kernel = "__global__ void k(int *c, const int *a, long long n) {\n  if (blockIdx.x == 0 && threadIdx.x == 0) {\n    int s = 0;\n    for (int i = 0; i < 4; i++) { s += a[n + i]; }\n    c[0] = s;\n  }\n}\n";
    let ensures = "//@ ensures c[0] == (int)\\sum(int i; 0 <= i < 4; a[n + i]);\n";
    let (code, text) = said(&format!("{ensures}{kernel}"), &[]);
    assert_ne!(code, Some(0), "{text}");
    let requires = "//@ requires 0 <= n && n <= 1000000;\n";
    let (code, text) = said(&format!("{requires}{ensures}{kernel}"), &[]);
    assert_eq!(code, Some(0), "{text}");
}

/// The product in the first guard is that of arbitrary numbers: the bounds of its variable
/// come later, so one that outgrows all terms is not stated.
#[test]
fn bounds_of_a_later_guard() {
    let kernel = "__global__ void k(int *c, int n) {\n  int i = blockDim.x * blockIdx.x + threadIdx.x;\n  if (i < n) { c[i] = i; }\n}\n";
    let contract = |product: &str, value: &str| {
        format!(
            "//@ requires 0 <= n && n <= \\threads && n <= 1000;\n//@ ensures \\forall int j; {product} >= 0 ==> 0 <= j < n ==> c[j] == {value};\n"
        )
    };
    let (small, large) = ("j * j * 1000000", "j * j * j * j * 1000000");
    let (code, text) = said(&format!("{}{kernel}", contract(small, "j")), &[]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = said(&format!("{}{kernel}", contract(large, "j")), &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a number of the contract may be too large"), "{text}");
    let (code, text) = said(&format!("{}{kernel}", contract(large, "j + 1")), &[]);
    assert_eq!(code, Some(1), "{text}");
}

/// A comparison of elements is not compared with one of wider sums: that made the proof crash.
#[test]
fn comparisons_of_different_widths_are_not_the_same() {
    let text = "//@ requires gridDim.x == 1;
//@ ensures \\forall int j; 0 <= j < blockDim.x ==>
//@   out[j] == (int)\\sum(int k; 0 <= k < j + 1; in[k] < 3 ? w[k] : in[k]);
__global__ void scan(int *out, const int *in, const int *w) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t] >= 3 ? in[t] : w[t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = 0;
    if (t >= d) { v = s[t - d]; }
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}
";
    let (code, said) = said(text, &["--no-refute", "--work=20"]);
    assert!(matches!(code, Some(0 | 2)), "{said}");
}
