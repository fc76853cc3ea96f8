//! Suggested barriers and redundant ones, over our own kernels: what is suggested is
//! put into the source, and the kernel is then proved.

mod common;

use std::process::{Command, Output};

use common::{KernelFile, assert_none, in_parallel, kernel, kernels};
use serde_json::Value;

/// What their twin has is not only a barrier more.
const OTHERS: [&str; 6] = [
    // Divergence, a false assumption, another algorithm, two barriers; a loop without braces,
    // in which no line can stand; and a launch of the host, for which nothing is suggested.
    "barriers/loop-count-bug.cl",
    "contracts/vacuity-bug.cu",
    "types/bit-packing-bug.cl",
    "hard/shared-queue-bug.cu",
    "reduction/any-length-bug.cu",
    "programs/stale-index-bug.cu",
];

fn duet(command: &str, file: &std::path::Path, options: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg(command)
        .arg(file)
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

fn text(file: &KernelFile) -> String {
    std::fs::read_to_string(&file.path).expect("a kernel")
}

fn barriers(file: &KernelFile) -> usize {
    let text = text(file);
    text.matches("__syncthreads()").count() + text.matches("barrier(").count()
}

/// Kernels with a planted bug whose twins have more barriers.
fn lacking_a_barrier() -> Vec<KernelFile> {
    let mut list = kernels();
    list.retain(|file| {
        let twin = file.path.to_string_lossy().replace("-bug.", ".");
        let is_bug = file.name.contains("-bug.") && !OTHERS.contains(&file.name.as_str());
        is_bug && std::path::Path::new(&twin).is_file() && {
            barriers(&kernel(&file.name.replace("-bug.", "."))) > barriers(file)
        }
    });
    list
}

/// Why the kernel is not mended by what is suggested, if so.
fn problem(file: &KernelFile) -> Option<String> {
    let mut options = file.header.options.clone();
    options.extend(["--suggest-fixes", "--format=json"].map(str::to_string));
    let output = duet("check", &file.path, &options);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let kernels = json["kernels"].as_array().expect("kernels");
    let mut lines: Vec<&str> = vec![];
    let source = text(file);
    let mut mended: Vec<String> = source.lines().map(str::to_string).collect();
    for one in kernels.iter().flat_map(|one| one["findings"].as_array().expect("findings")) {
        let (Some(line), Some(new)) = (one["fix"]["line"].as_u64(), one["fix"]["text"].as_str())
        else {
            continue;
        };
        // Kernels made from one template have the same line.
        if lines.is_empty() {
            lines.push(new);
            mended.insert(line as usize - 1, new.trim_end().to_string());
        }
    }
    if lines.is_empty() {
        return Some(format!("{}: nothing is suggested", file.name));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file.path.file_name().expect("a name"));
    std::fs::write(&path, mended.join("\n") + "\n").expect("a file");
    let output = duet("check", &path, &file.header.options);
    let code = output.status.code();
    (code != Some(0)).then(|| format!("{}: exit {code:?} with {lines:?}", file.name))
}

#[test]
fn missing_barriers_are_suggested_and_mend() {
    let files = lacking_a_barrier();
    assert!(files.len() >= 37, "only {} kernels lack a barrier", files.len());
    assert_none(in_parallel(&files, problem).into_iter().flatten());
}

#[test]
fn a_redundant_barrier_is_named_and_others_are_not() {
    let page = include_str!("../../../docs/rules/redundant-barrier.md");
    let kernel = |heading: &str| {
        let section = page.split_once(&format!("## {heading}\n")).expect("a section").1;
        let block = section.split_once("```cuda ").expect("a kernel").1;
        let (options, rest) = block.split_once('\n').expect("a line");
        let options: Vec<String> = options.split(' ').map(str::to_string).collect();
        (options, rest.split_once("```").expect("an end").0.to_string())
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    for (heading, lines) in [("Before", &[6][..]), ("After", &[])] {
        let (mut options, source) = kernel(heading);
        std::fs::write(&path, source).expect("a file");
        options.push("--format=json".to_string());
        let output = duet("lint", &path, &options);
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["kernels"][0]["proved"], true);
        let findings = json["kernels"][0]["findings"].as_array().expect("findings");
        let found: Vec<u64> =
            findings.iter().filter_map(|one| one["primary"]["line"].as_u64()).collect();
        assert_eq!(found, lines, "{heading}");
        assert_eq!(output.status.code(), Some(i32::from(!lines.is_empty())));
    }
}

/// Without these barriers nothing would race, but the sum would be another one.
#[test]
fn a_barrier_between_atomic_operations_stays() {
    let source = "__global__ void k(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) atomicExch(&n, 0);
  __syncthreads();
  atomicAdd(&n, 1);
  __syncthreads();
  out[threadIdx.x + blockIdx.x * 64] = atomicAdd(&n, 0);
}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    std::fs::write(&path, source).expect("a file");
    let options = ["--blockDim=64", "--gridDim=2", "--format=json"].map(str::to_string);
    let output = duet("lint", &path, &options);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["kernels"][0]["proved"], true);
    assert_eq!(json["kernels"][0]["findings"].as_array().map(Vec::len), Some(0), "{json}");
}
