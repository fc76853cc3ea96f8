//! `duet check --infer-requires`: preconditions that make a kernel proved, and that
//! the annotation which is printed gives the same proof.

use std::process::{Command, Output};

use serde_json::Value;

/// Rows of a width that nothing ties to the launch.
const ROWS: &str = "__global__ void rows(float *a, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * w + x] = x;
}
";

/// Tiles of 16 threads, whatever the block's size is.
const TILES: &str = "__global__ void tiles(int *a) {
  a[blockIdx.x * 16 + threadIdx.x] = threadIdx.x;
}
";

/// Unsigned rows of a grid: they wrap around only if it is huge.
const GRID: &str = "__global__ void grid(int *a) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * (gridDim.x * blockDim.x) + x] = x;
}
";

/// Two parts of an array, the second from a given place on.
const PARTS: &str = "__global__ void parts(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  a[i + 5000] = 2 * i;
}
";

/// Tiles in rows: digits of three kinds.
const TILED_ROWS: &str = "__global__ void tiled(int *a, int stride) {
  int x = blockIdx.x * 8 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  a[y * stride + x] = threadIdx.y * 8 + threadIdx.x;
}
";

/// Every thread writes the same element: no launch of two threads is right.
const HOPELESS: &str = "__global__ void hopeless(int *a) {
  a[0] = blockIdx.x * blockDim.x + threadIdx.x;
}
";

fn check(source: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), source).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder.path())
        .args(["check", "k.cu"])
        .args(options)
        .env("DUET_Z3", z3())
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

/// The solver of this checkout, else one that is installed.
fn z3() -> std::path::PathBuf {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join("z3"));
    std::iter::once(root.join(".duet/z3/bin/z3"))
        .chain(places)
        .find(|program| program.is_file())
        .unwrap_or_else(|| "z3".into())
}

fn requires(source: &str) -> Value {
    let output = check(source, &["--infer-requires", "--format=json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    json["kernels"][0]["requires"].clone()
}

fn annotations(found: &Value) -> Vec<&str> {
    let list = found["annotations"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).collect()
}

/// The kernel with the annotations at its start.
fn annotated(source: &str, annotations: &[&str]) -> String {
    let (head, body) = source.split_once("{\n").expect("a body");
    format!("{head}{{\n{}\n{body}", annotations.join("\n"))
}

#[test]
fn the_annotation_gives_the_same_proof() {
    for source in [ROWS, TILES, GRID, PARTS, TILED_ROWS] {
        let found = requires(source);
        let lines = annotations(&found);
        assert!(!lines.is_empty(), "{found:#}");
        assert_eq!(found["one_block_only"], false, "{found:#}");
        assert_eq!(found["fixes_a_size"], false, "{found:#}");
        let output = check(&annotated(source, &lines), &[]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{lines:?}\n{text}");
    }
}

#[test]
fn what_is_found_is_printed() {
    let output = check(TILES, &["--infer-requires"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("help: proved if blockDim.x <= 16"), "{text}");
    assert!(text.contains("__requires(blockDim.x <= 16);"), "{text}");
    // It is still refuted for the launches that were asked about.
    assert_eq!(output.status.code(), Some(1), "{text}");
}

#[test]
fn a_precondition_excludes_what_is_wrong_and_little_else() {
    let grid = requires(GRID)["condition"].clone();
    let product = "(unsigned long long)gridDim.x * blockDim.x * gridDim.y * blockDim.y";
    assert_eq!(grid, format!("{product} <= 2147483647"));
    assert_eq!(requires(PARTS)["condition"], "gridDim.x * blockDim.x <= 5000");
}

#[test]
fn the_digits_of_a_place_are_what_is_stated() {
    let found = requires(TILED_ROWS);
    let wanted = ["blockDim.x <= 8", "blockDim.y <= 8", "stride >= 8LL * gridDim.x"];
    let condition = found["condition"].as_str().unwrap_or_default();
    for part in wanted {
        assert!(condition.contains(part), "{part} is not in {condition}");
    }
    // They are suggested, not found by trying everything.
    assert!(found["attempts"].as_u64().is_some_and(|attempts| attempts <= 12), "{found:#}");
}

#[test]
fn a_kernel_that_is_always_wrong_gets_none() {
    assert_eq!(requires(HOPELESS), Value::Null);
}

#[test]
fn sizes_can_be_left_free() {
    let source = annotated(ROWS, &["__requires(w == 64);"]);
    let given = ["--block-dim=[8,2]", "--grid-dim=[8,2]"];
    assert_eq!(check(&source, &given).status.code(), Some(0));
    let free = [given[0], given[1], "--sizes-free"];
    assert_ne!(check(&source, &free).status.code(), Some(0));
}

/// The search assumes all signed arithmetic to stay in range. Such a proof counts only if
/// runs meet the assumption: in each run of this kernel it is broken.
#[test]
fn an_assumption_that_no_run_meets_is_no_proof() {
    let check = |source: &str| {
        let options = ["--infer-requires", "--blockDim=64", "--gridDim=*", "--check-array-bounds"];
        check(source, &options).status.code()
    };
    let kernel = include_str!("../../../kernels/soundness/90-generator-overflows.cu");
    assert_eq!(check(kernel), Some(2));
    let twin = include_str!("../../../kernels/soundness/90-generator-overflows-fine.cu");
    assert_eq!(check(twin), Some(0));
}
