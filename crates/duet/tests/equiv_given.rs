//! `duet equiv --given`: what the relation says of one kernel is a precondition of its check.

use std::process::Command;

const NAIVE: &str =
    "__global__ void t(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[x * h + y] = in[y * w + x];
}
";

const TILED: &str =
    "__global__ void t(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  __shared__ float s[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * h + x] = s[threadIdx.x][threadIdx.y];
}
";

/// The exit code and what is said, for blocks of 16 × 16 and this relation.
fn equiv(a: &str, b: &str, given: &str) -> (Option<i32>, String) {
    equiv_with(a, b, &["--block-dim=16,16"], given)
}

/// The same for other sizes.
fn equiv_with(a: &str, b: &str, sizes: &[&str], given: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.cu"), a).expect("a file");
    std::fs::write(folder.path().join("b.cu"), b).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder.path())
        .args(["equiv", "a.cu", "b.cu", "--given", given])
        .args(sizes)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// Without it both kernels race: rows of other widths overlap.
#[test]
fn a_relation_is_a_precondition_of_each_side() {
    let right = "w == 16 * gridDim_a.x && h == 16 * gridDim_a.y";
    let (code, text) = equiv(NAIVE, TILED, right);
    assert_eq!(code, Some(0), "{text}");
    // Half of the width: elements of two rows coincide.
    let (code, text) = equiv(NAIVE, NAIVE, "w == 16 * gridDim_a.x && h == 8 * gridDim_a.y");
    assert_ne!(code, Some(0), "{text}");
    // What is true of products that wrap is not what the relation says.
    let wraps = "w == 16 * gridDim_a.x && 65536 * h == 65536 * 16 * gridDim_a.y + 4294967296";
    let (code, text) = equiv(NAIVE, TILED, wraps);
    assert_ne!(code, Some(0), "{text}");
}

const ONE: &str = "__global__ void k(int *__restrict__ out, const int *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
}
";

const FOUR: &str = "__global__ void k(int *__restrict__ out, const int *__restrict__ in, int n) {
  int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    int i = first + k * blockDim.x;
    if (i < n) out[i] += in[i];
  }
}
";

/// Where each thread does the work of four, the number of the first wraps in the largest grids, and
/// two threads change one element. A launch that is related to one of four times as many blocks is
/// no such grid.
#[test]
fn limits_of_the_other_launch() {
    let quarter = "blockDim_a.x == blockDim_b.x && gridDim_a.x == 4 * gridDim_b.x";
    let (code, text) = equiv_with(ONE, FOUR, &[], quarter);
    assert_eq!(code, Some(0), "{text}");
    // A launch of as many blocks has no limit but its own.
    let same = "blockDim_a.x == blockDim_b.x && gridDim_a.x == gridDim_b.x";
    let (code, text) = equiv_with(FOUR, FOUR, &[], same);
    assert!(code == Some(2) && text.contains("says refuted"), "{text}");
}
