//! What `duet check` says of findings that are neither proved nor shown by a run:
//! which abstraction stood in the way, and what to add.

use std::process::Command;

use serde_json::Value;

/// What is said about the first finding, as text and as JSON.
#[track_caller]
fn unproven(name: &str, source: &str, options: &[&str]) -> (String, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), source).expect("a file");
    let run = |format: &str| {
        Command::new(env!("CARGO_BIN_EXE_duet"))
            .current_dir(folder.path())
            .args(["check", name, format])
            .args(options)
            .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .output()
            .expect("duet runs")
    };
    let (human, json, sarif) = (run("--format=human"), run("--format=json"), run("--format=sarif"));
    let text = String::from_utf8_lossy(&human.stderr).into_owned();
    assert_eq!(human.status.code(), Some(2), "{text}");
    let json: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let sarif: Value = serde_json::from_slice(&sarif.stdout).expect("SARIF");
    let finding = json["kernels"][0]["findings"][0].clone();
    let messages = sarif["runs"][0]["results"].as_array().expect("results");
    let said = |one: &Value| {
        one["message"]["text"].as_str().is_some_and(|text| text.contains("what stood in the way"))
    };
    assert_eq!(messages.iter().any(said), text.contains("what stood in the way"), "{sarif}");
    (text, finding)
}

#[test]
fn a_loop_whose_invariants_are_too_weak() {
    let source = "__global__ void sort(const int *__restrict__ keys, int *__restrict__ sorted) {
  int t = threadIdx.x;
  int rank = 0;
  for (int i = 0; i < 8; i++)
    if (keys[i] < keys[t] || (keys[i] == keys[t] && i < t))
      rank++;
  sorted[rank] = keys[t];
}
";
    let (text, finding) = unproven("k.cu", source, &["--blockDim=8", "--gridDim=1"]);
    assert!(text.contains("the loop at line 4: its invariants are too weak; found: "), "{text}");
    assert!(text.contains("rank = "), "{text}");
    assert!(text.contains("`__invariant(rank >= 0), i < 8`"), "{text}");
    let obstacles = finding["obstacles"].as_array().expect("a list");
    assert_eq!(obstacles.len(), 1, "{finding}");
    assert_eq!(obstacles[0]["kind"], "loop");
    assert_eq!(obstacles[0]["line"], 4);
    let state = obstacles[0]["state"].as_array().expect("a state");
    assert!(state.iter().all(|one| one["name"] == "rank"), "{finding}");
    // Both threads have the same rank: that breaks the proof.
    assert_eq!(state.len(), 2, "{finding}");
    assert_eq!(state[0]["value"], state[1]["value"]);
}

#[test]
fn contents_that_other_threads_wrote() {
    let source = "__global__ void scatter(int *__restrict__ out) {
  __shared__ int place[32];
  place[__brev(threadIdx.x) >> 27] = threadIdx.x;
  __syncthreads();
  int to = place[threadIdx.x];
  out[to] = threadIdx.x;
}
";
    let (text, finding) = unproven("k.cu", source, &["--blockDim=32", "--gridDim=1"]);
    let expected =
        "`place`, read at line 5: what it holds after other threads wrote it is not known";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("`__assume(0 <= to && to < n);`"), "{text}");
    let obstacle = &finding["obstacles"][0];
    assert_eq!(
        (&obstacle["kind"], &obstacle["array"]),
        (&Value::from("contents"), &Value::from("place"))
    );
    assert_eq!(obstacle["lines"], Value::from(vec![5]));
}

/// A defect that only launches of some shapes have is refuted; the help says which
/// shapes did not show it.
#[test]
fn a_square_block_is_asked_for() {
    let source = "extern __shared__ int tile[];
__global__ void transpose(int *__restrict__ odata, const int *__restrict__ idata,
                          int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y * blockDim.x + threadIdx.x] = idata[y * width + x];
  __syncthreads();
  x = blockIdx.y * blockDim.y + threadIdx.x;
  y = blockIdx.x * blockDim.x + threadIdx.y;
  if (x < height && y < width)
    odata[y * height + x] = tile[threadIdx.x * blockDim.x + threadIdx.y];
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), source).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder.path())
        .args(["check", "k.cu", "--blockDim=[*,*]", "--gridDim=[*,*]", "--timeout=10"])
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("`__requires(blockDim.x == blockDim.y);`"), "{text}");
}

#[test]
fn what_an_exchange_yields() {
    let source = "__global__ void compact(const int *__restrict__ in, int *__restrict__ out) {
  int lane = threadIdx.x;
  unsigned votes = __ballot_sync(0xffffffff, in[lane] > 0);
  if (in[lane] > 0)
    out[__popc(votes & ((1u << lane) - 1))] = lane;
}
";
    let (text, _) = unproven("k.cu", source, &["--blockDim=32", "--gridDim=1"]);
    assert!(text.contains("what the other threads contribute is not known at line 3"), "{text}");
    // What the host passes is no abstraction: a run can have it.
    assert!(!text.contains("`in`, read at"), "{text}");
}

/// With `--may-alias` a race needs one array under two names. What the source declares
/// `restrict` never has two, so no run shows it; without the word one does.
#[test]
fn restricted_pointers_are_apart() {
    let source = "__global__ void copy(int *__restrict__ a, const int *__restrict__ b) {
  a[threadIdx.x] = b[threadIdx.x];
}
";
    let options = ["--blockDim=8", "--gridDim=1", "--may-alias"];
    let (text, finding) = unproven("k.cu", source, &options);
    assert_eq!(finding["status"], "unproven", "{text}");
    let plain = source.replace(" *__restrict__ ", " *");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), plain).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder.path())
        .args(["check", "k.cu"])
        .args(options)
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}
