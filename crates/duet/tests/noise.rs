//! What `duet check` leaves out: findings that say the same, dimensions that nobody uses,
//! advice that the kernel contradicts, edits that change nothing.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn duet(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder)
        .args(args)
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

/// Checks a file of this text; what was said, on both outputs.
fn check(source: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), source).expect("a file");
    let output = duet(folder.path(), &[&["check", "k.cu"], options].concat());
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

fn launch(source: &str) -> String {
    let text = check(source, &["--format=json"]);
    let json: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    json["kernels"][0]["launch"].as_str().expect("a launch").to_string()
}

#[test]
fn a_dimension_is_free_only_if_its_ids_or_sizes_are_read() {
    let kernel = |place: &str| {
        format!(
            "#include <cooperative_groups.h>\n__global__ void k(int *a) {{ a[{place}] = 1; }}\n"
        )
    };
    let block = "cooperative_groups::this_thread_block()";
    for (place, expected) in [
        ("threadIdx.x", "blockDim = [*], gridDim = [*]"),
        ("threadIdx.x + threadIdx.y * blockDim.x", "blockDim = [*,*], gridDim = [*]"),
        ("threadIdx.x + blockIdx.y", "blockDim = [*], gridDim = [*,*]"),
        ("threadIdx.x + blockDim.z", "blockDim = [*,1,*], gridDim = [*]"),
        ("threadIdx.x + 0 * gridDim.y", "blockDim = [*], gridDim = [*"),
        (&format!("{block}.thread_rank()"), "blockDim = [*], gridDim = [*]"),
        (&format!("{block}.size()"), "blockDim = [*], gridDim = [*]"),
        (&format!("{block}.thread_index().y"), "blockDim = [*,*], gridDim = [*]"),
        ("cooperative_groups::this_grid().thread_rank()", "blockDim = [*], gridDim = [*]"),
        ("__shfl_sync(~0u, (int)threadIdx.x, 3)", "blockDim = [*], gridDim = [*]"),
    ] {
        let shown = launch(&kernel(place));
        assert!(shown.starts_with(expected), "{place}: {shown}");
    }
}

#[test]
fn one_finding_for_one_place() {
    let source = "__global__ void k(int *a) {
  int t = threadIdx.x;
  a[t] = a[t + 1] + a[t + 2] + a[t + 3] + a[t + 4];
  a[t + 1] = t;
  a[t + 2] = t;
}
";
    let text = check(source, &["--blockDim=16", "--gridDim=1"]);
    assert_eq!(text.matches("error[read-write-race]").count(), 1, "{text}");
    assert!(text.contains("the same with line"), "{text}");
    let lines = |line: u32| text.matches(&format!("k.cu:{line}:")).count();
    assert!(lines(3) >= 1 && lines(4) <= 1 && lines(5) <= 1, "{text}");
}

#[test]
fn instances_of_a_template_say_it_once() {
    let source =
        "template <class T, int N> __global__ void k(T *a) { a[threadIdx.x / N] = threadIdx.x; }
template __global__ void k<int, 2>(int *);
template __global__ void k<float, 2>(float *);
template __global__ void k<double, 4>(double *);
";
    let text = check(source, &["--blockDim=16", "--gridDim=1"]);
    assert_eq!(text.matches("error[write-write-race]").count(), 1, "{text}");
    assert!(text.contains("the same in kernel `k<float, 2>`"), "{text}");
    assert!(text.contains("the same in kernel `k<double, 4>`"), "{text}");
    assert_eq!(text.matches("refuted, 1 finding").count(), 3, "{text}");
    // Programs that read the result get each kernel's own.
    let json = check(source, &["--blockDim=16", "--gridDim=1", "--format=json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let kernels = json["kernels"].as_array().expect("kernels");
    assert!(kernels.iter().all(|one| one["findings"].as_array().is_some_and(|f| f.len() == 1)));
}

#[test]
fn unsigned_arguments_are_shown_as_such() {
    let kernel = |ty: &str| {
        format!(
            "__global__ void k(int *a, {ty} n) {{ if (n * 2 == 0xfffffffeu && (int)n < 0) a[0] = threadIdx.x; }}\n"
        )
    };
    let text = check(&kernel("unsigned"), &["--blockDim=4", "--gridDim=1"]);
    assert!(text.contains("n = 4294967295\n"), "{text}");
    let text = check(&kernel("int"), &["--blockDim=4", "--gridDim=1"]);
    assert!(text.contains("n = -1 (0xffffffff)"), "{text}");
}

#[test]
fn advice_does_not_contradict_the_kernel() {
    let races = [
        "__global__ void k(int *a) { a[threadIdx.x] = a[threadIdx.x + 1]; }\n",
        "__global__ void k(int *a) { a[(blockIdx.x * blockDim.x + threadIdx.x) / 2] = threadIdx.x; }\n",
        "__global__ void k(int *a) { a[threadIdx.x + threadIdx.y] = threadIdx.y; }\n",
    ];
    for source in races {
        let text = check(source, &[]);
        assert!(text.contains("-race]"), "{text}");
        let square = source.contains("threadIdx.y");
        assert!(square || !text.contains("blockDim.x == blockDim.y"), "{text}");
        assert!(!text.contains("blockDim.y == 1"), "{text}");
        assert!(!source.contains("blockIdx") || !text.contains("gridDim.x == 1"), "{text}");
    }
    // A kernel that does not know of blocks may well be meant for one.
    let alone = "__global__ void k(int *a) { a[threadIdx.x] = threadIdx.x + gridDim.x; a[threadIdx.x] += clock(); }\n";
    let text = check(alone, &[]);
    assert!(text.contains("__requires(gridDim.x == 1)"), "{text}");
}

/// The race is in a header; the barrier goes into the kernel's file, between its
/// statements. The edit was applied to a copy and checked.
#[test]
fn a_fix_names_its_file_and_is_placed_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = "__device__ void put(int *s, int x) {\n  s[threadIdx.x] = x;\n}\n\
                  __device__ int get(int *s) {\n  return s[63 - threadIdx.x];\n}\n";
    let kernel = "#include \"row.h\"\n__global__ void k(int *out) {\n  __shared__ int s[64];\n  \
                  put(s, threadIdx.x);\n  out[threadIdx.x] = get(s);\n}\n";
    std::fs::write(folder.path().join("row.h"), header).expect("a file");
    std::fs::write(folder.path().join("k.cu"), kernel).expect("a file");
    let options = ["check", "k.cu", "--blockDim=64", "--gridDim=1", "--suggest-fixes"];
    let human = duet(folder.path(), &options);
    let text = String::from_utf8_lossy(&human.stderr).into_owned();
    assert!(text.contains("put `__syncthreads();` before line 5 of k.cu"), "{text}");
    let sarif = duet(folder.path(), &[&options[..], &["--format=sarif"]].concat());
    let sarif: Value = serde_json::from_slice(&sarif.stdout).expect("SARIF");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let change = results
        .iter()
        .find_map(|one| one.pointer("/fixes/0/artifactChanges/0"))
        .unwrap_or_else(|| panic!("{sarif:#}"));
    assert_eq!(change["artifactLocation"]["uri"], "k.cu");
    assert_eq!(change["replacements"][0]["deletedRegion"]["startLine"], 5);
    // The edit really mends it.
    let lines: Vec<&str> = kernel.lines().collect();
    let mended = [&lines[..4], &["  __syncthreads();"], &lines[4..]].concat().join("\n");
    std::fs::write(folder.path().join("k.cu"), mended + "\n").expect("a file");
    assert_eq!(duet(folder.path(), &options[..4]).status.code(), Some(0));
}

/// A macro hides what a line is: the barrier that the kernel needs cannot be put there by
/// an edit, so none is shown.
#[test]
fn an_edit_that_does_not_help_is_not_shown() {
    let source = "#define TWICE(s) s[threadIdx.x] = 1; \\
  out[threadIdx.x] = s[63 - threadIdx.x];
__global__ void k(int *out) {
  __shared__ int s[64];
  TWICE(s)
}
";
    let text = check(source, &["--blockDim=64", "--gridDim=1", "--suggest-fixes"]);
    assert!(text.contains("error[read-write-race]"), "{text}");
    assert!(!text.contains("put `__syncthreads();`"), "{text}");
}
