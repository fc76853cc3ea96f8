//! `duet check --emit-repro`: the host programs build and run. Those for OpenCL run
//! on PoCL; those for CUDA are compiled against a stand-in of the runtime's header.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// All work-items of a group write one element; what it holds comes from an argument
/// and an array.
const OPENCL: &str = "__kernel void last(__global int *out, __global const int *in, int n,
                   __local int *scratch) {
  __requires(n > 2);
  scratch[get_local_id(0)] = in[1];
  for (int i = 0; __invariant(i >= 0), i < 1; i++)
    out[n] = get_local_id(0) + 40;
}
";

const CUDA: &str = "__device__ int table[4];
extern __shared__ int tile[];
__global__ void last(int *out, const int *in, float scale) {
  __requires(in[1] == 3);
  tile[threadIdx.x] = table[0];
  __syncthreads();
  out[in[1]] = threadIdx.x + (scale > 0.0f ? 1 : 2);
}
int main() { return 0; }
";

/// What a host compiler has to know to read the program and the kernel as C++.
const STAND_IN: &str = "#pragma once
#include <cstddef>
#define __global__
#define __device__ static
#define __shared__
struct dim3 { unsigned x, y, z; dim3(unsigned x, unsigned y, unsigned z) : x(x), y(y), z(z) {} };
typedef dim3 uint3;
static const dim3 threadIdx(0, 0, 0), blockIdx(0, 0, 0), blockDim(1, 1, 1), gridDim(1, 1, 1);
static inline void __syncthreads() {}
enum cudaError_t { cudaSuccess, cudaErrorNotReady };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaFree(void *);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
template <typename T> cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, int);
cudaError_t cudaStreamQuery(int);
";

fn run(program: &str, args: &[&str], folder: &Path) -> Output {
    Command::new(program)
        .args(args)
        .current_dir(folder)
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"))
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Checks a file, which must be refuted, and has its programs written.
#[track_caller]
fn emit(name: &str, source: &str, options: &[&str]) -> (TempDir, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), source).expect("a file");
    let mut args = vec!["check", name, "--format=json", "--emit-repro=repro"];
    args.extend(options);
    let output = run(env!("CARGO_BIN_EXE_duet"), &args, folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    (folder, serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[test]
fn a_race_in_opencl_is_seen_on_a_device() {
    let (folder, json) = emit("k.cl", OPENCL, &["--local_size=4", "--num_groups=1"]);
    let finding = &json["kernels"][0]["findings"][0];
    assert_eq!(finding["status"], "refuted");
    let element = finding["witness"]["conflict"]["element"].as_u64().expect("an element");
    let repro = folder.path().join("repro/last-1");
    let page = std::fs::read_to_string(repro.join("README.md")).expect("a page");
    assert!(page.contains("`cc -o repro repro.c -lOpenCL`"), "{page}");
    succeeds(&run("cc", &["-Wall", "-Werror", "-o", "repro", "repro.c", "-lOpenCL"], &repro));
    let seen = shows(&run("./repro", &[], &repro), 5);
    // One of the values that the work-items write, 40 to 43: the last one's in one order,
    // the first one's in the other.
    for (line, value) in seen.lines().zip(["2b", "28"].iter().cycle()).take(10) {
        let bytes =
            format!("bytes {} to {} of out are 0x000000{value}", 4 * element, 4 * element + 3);
        assert!(line.contains(&bytes), "{line}");
    }
}

/// Work-items copy their neighbours' elements. In memory of zeros no order shows.
const COPIES: &str = "__kernel void shift(__global int *a) {
  int i = get_global_id(0);
  a[i] = a[i + 1];
}
";

#[test]
fn contents_are_such_that_the_order_shows() {
    let (folder, json) = emit("k.cl", COPIES, &["--local_size=4", "--num_groups=1"]);
    let fill = &json["kernels"][0]["findings"][0]["witness"]["arrays"]["a"]["fill"];
    assert_eq!(fill, "zero", "the run itself is as small as it can be");
    let repro = folder.path().join("repro/shift-1");
    succeeds(&run("cc", &["-Wall", "-Werror", "-o", "repro", "repro.c", "-lOpenCL"], &repro));
    shows(&run("./repro", &[], &repro), 5);
}

/// The ids that the program makes up are those of one launch: a kernel without a race,
/// which uses all of them, leaves the same memory in every order.
#[test]
fn a_kernel_without_a_race_is_not_accused() {
    let (folder, _) = emit("k.cl", COPIES, &["--local_size=4", "--num_groups=2"]);
    let repro = folder.path().join("repro/shift-1");
    let fine = "__kernel void shift(__global int *a) {
  __local int s[4];
  s[get_local_id(0)] = get_group_id(0) * get_local_size(0) + get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = 10 * s[3 - get_local_id(0)] + get_num_groups(0);
}
";
    std::fs::write(repro.join("kernel.cl"), fine).expect("a file");
    succeeds(&run("cc", &["-Wall", "-Werror", "-o", "repro", "repro.c", "-lOpenCL"], &repro));
    let output = run("./repro", &[], &repro);
    let seen = succeeds(&output);
    assert!(seen.ends_with("seen in 0 of 10 launches\n"), "{seen}");
}

#[test]
fn a_program_that_cannot_run_says_so() {
    let (folder, _) = emit("k.cl", COPIES, &["--local_size=4", "--num_groups=1"]);
    let repro = folder.path().join("repro/shift-1");
    succeeds(&run("cc", &["-o", "repro", "repro.c", "-lOpenCL"], &repro));
    std::fs::remove_file(repro.join("kernel.cl")).expect("the kernel");
    assert_eq!(run("./repro", &[], &repro).status.code(), Some(2));
}

/// The program saw so many launches that differ from the first one.
#[track_caller]
fn shows(output: &Output, launches: u32) -> String {
    let (seen, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{seen}{errors}");
    assert!(seen.ends_with(&format!("seen in {launches} of 10 launches\n")), "{seen}");
    assert_eq!(
        seen.lines().filter(|line| line.contains("not as in launch 1")).count(),
        launches as usize
    );
    seen.into_owned()
}

#[test]
fn a_program_for_cuda_compiles() {
    let (folder, _) = emit("k.cu", CUDA, &["--blockDim=4", "--gridDim=1", "-DSIZE=4"]);
    let repro = folder.path().join("repro/last-1");
    std::fs::write(repro.join("cuda_runtime.h"), STAND_IN).expect("a file");
    let host = std::fs::read_to_string(repro.join("repro.cu")).expect("the program");
    assert!(host.contains("dim3(1, 1, 1), dim3(4, 1, 1), values, 16, 0)"), "{host}");
    assert!(host.contains("nvcc -D"), "{host}");
    assert!(host.contains("__nanosleep(") && host.contains("seen in %d of %d launches"), "{host}");
    let flags = ["-x", "c++", "-fsyntax-only", "-Wall", "-I.", "repro.cu"];
    succeeds(&run("clang-19", &flags, &repro));
}

#[test]
fn structures_as_parameters_are_refused_with_a_reason() {
    let source = "struct pair { int a, b; };
__global__ void put(int *out, pair p) { out[p.a] = threadIdx.x; }
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), source).expect("a file");
    let args = ["check", "k.cu", "--emit-repro=repro", "--blockDim=4", "--gridDim=1"];
    let output = run(env!("CARGO_BIN_EXE_duet"), &args, folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("no program for `put`: parameter"), "{errors}");
    assert!(!folder.path().join("repro/put-1").exists());
}
