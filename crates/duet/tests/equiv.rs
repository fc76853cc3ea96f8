//! `duet equiv` on pairs of kernels, in both orders: traps that must not be called equal, and
//! rewrites that must. Kernels of the second kind are files below `tests/equiv`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the command said.
struct Said {
    code: i32,
    text: String,
}

fn run(a: &Path, b: &Path, options: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("equiv")
        .args([a, b])
        .args(options)
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    Said { code: output.status.code().unwrap_or(-1), text }
}

/// Both orders of two sources.
fn of_sources(a: &str, b: &str, options: &[&str]) -> [Said; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path
    };
    let (a, b) = (write("a.cu", a), write("b.cu", b));
    [run(&a, &b, options), run(&b, &a, options)]
}

fn kernel(params: &str, body: &str) -> String {
    format!("__global__ void k({params}) {{ {body} }}\n")
}

const IN_OUT: &str = "int *out, const int *in, int n";

/// Neither order says equal, and neither fails.
fn never_equal(params: &str, a: &str, b: &str, options: &[&str]) {
    for said in of_sources(&kernel(params, a), &kernel(params, b), options) {
        assert!([1, 2].contains(&said.code), "{a}\n{b}\n{}: {}", said.code, said.text);
    }
}

/// Both orders say different.
fn different(params: &str, a: &str, b: &str, options: &[&str]) {
    for said in of_sources(&kernel(params, a), &kernel(params, b), options) {
        assert_eq!(said.code, 1, "{a}\n{b}\n{}", said.text);
        assert!(said.text.contains("duet run"), "{}", said.text);
    }
}

/// Both orders say equal.
fn equal(params: &str, a: &str, b: &str, options: &[&str]) {
    for said in of_sources(&kernel(params, a), &kernel(params, b), options) {
        assert_eq!(said.code, 0, "{a}\n{b}\n{}", said.text);
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/equiv").join(name)
}

fn files_are(code: i32, a: &str, b: &str, options: &[&str], words: &str) {
    for (a, b) in [(a, b), (b, a)] {
        let said = run(&file(a), &file(b), options);
        assert_eq!(said.code, code, "{a} {b}\n{}", said.text);
        assert!(said.text.contains(words), "{a} {b}\n{}", said.text);
    }
}

// The traps of the design, by number.

/// Trap 1. Cells beyond the block's end, which no thread wrote, are not the same on both sides.
#[test]
fn memory_that_nobody_wrote_is_not_common() {
    let start = "extern __shared__ int s[]; int t = threadIdx.x; s[t] = in[t]; __syncthreads();";
    let end = "if (t == 0) out[0] = s[0];";
    let a = format!(
        "{start} for (int k = 1; k < blockDim.x; k *= 2) {{ if (t % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); }} {end}"
    );
    let b = format!(
        "{start} for (int k = 1; k < blockDim.x; k *= 2) {{ int i = 2 * k * t; if (i < blockDim.x) s[i] += s[i + k]; __syncthreads(); }} {end}"
    );
    never_equal(IN_OUT, &a, &b, &["--block-dim=3", "--grid-dim=1"]);
    equal(IN_OUT, &a, &b, &["--block-dim=4", "--grid-dim=1"]);
}

const ID: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

/// Traps 2, 14.
#[test]
fn agreeing_where_both_write_is_not_enough() {
    let a = format!("{ID} if (i < n) out[i] = in[i];");
    different(IN_OUT, &a, &format!("{ID} if (i < n - 1) out[i] = in[i];"), &[]);
    different(IN_OUT, "if (in[threadIdx.x]) out[0] = 1;", "out[0] = 1;", &["--grid-dim=1"]);
}

/// Trap 3.
#[test]
fn the_order_of_rounds_matters() {
    let with = |head: &str| {
        format!(
            "__shared__ int s[8]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); \
             for ({head}) {{ if (t % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); }} \
             if (t == 0) out[0] = s[0];"
        )
    };
    let (down, up) = (with("int k = 4; k > 0; k /= 2"), with("int k = 1; k < 8; k *= 2"));
    different(IN_OUT, &down, &up, &["--block-dim=8", "--grid-dim=1"]);
}

/// Trap 4. Condition 4.
#[test]
fn the_last_visit_counts() {
    let a = "for (int k = 0; k < n; k++) out[threadIdx.x] = in[k];";
    different(IN_OUT, a, "out[threadIdx.x] = in[0];", &["--grid-dim=1"]);
    let b = "for (int k = 0; k < 2; k++) { if (k == 1) out[threadIdx.x] = 1; if (k == 0) out[threadIdx.x] = 2; }";
    different(IN_OUT, "out[threadIdx.x] = 2;", b, &["--grid-dim=1"]);
}

/// Trap 5.
#[test]
fn a_stale_tile_is_seen() {
    let with = |guard: &str| {
        format!(
            "__shared__ int s[4]; int t = threadIdx.x, sum = 0; for (int m = 0; m < n; m++) {{ \
             {guard} s[t] = in[4 * m + t]; __syncthreads(); sum += s[3 - t]; __syncthreads(); }} \
             out[t] = sum;"
        )
    };
    let options = ["--block-dim=4", "--grid-dim=1"];
    different(IN_OUT, &with(""), &with("if (m % 2 == 0)"), &options);
}

/// Trap 6.
#[test]
fn summands_are_counted() {
    let a = "if (threadIdx.x == 0) out[0] = in[0] + in[1] + in[2];";
    let b = "if (threadIdx.x == 0) out[0] = in[0] + in[1] + in[1] + in[2];";
    different(IN_OUT, a, b, &["--grid-dim=1"]);
}

const FLOATS: &str = "float *out, const float *in, int n";

/// Traps 7, 8, 9, 10.
#[test]
fn floats_are_not_real_numbers() {
    let up = "float s = 0; for (int k = 0; k < 8; k++) s += in[k]; out[threadIdx.x] = s;";
    let down = "float s = 0; for (int k = 7; k >= 0; k--) s += in[k]; out[threadIdx.x] = s;";
    different(FLOATS, up, down, &["--grid-dim=1"]);
    equal(FLOATS, up, down, &["--grid-dim=1", "--block-dim=4", "--float=reassoc"]);
    let less = "out[threadIdx.x] = in[0] < in[1] ? 1.0f : 2.0f;";
    let not_more = "out[threadIdx.x] = !(in[0] >= in[1]) ? 1.0f : 2.0f;";
    different(FLOATS, less, not_more, &["--grid-dim=1"]);
    let three = "out[threadIdx.x] = in[0] + in[1] + in[2];";
    let padded = "out[threadIdx.x] = in[0] + in[1] + in[2] + 0.0f * in[3];";
    different(FLOATS, three, padded, &["--grid-dim=1"]);
    let plain = "out[threadIdx.x] = in[0] * in[1] + in[2];";
    let fused = "out[threadIdx.x] = fmaf(in[0], in[1], in[2]);";
    never_equal(FLOATS, plain, fused, &["--grid-dim=1"]);
}

/// Trap 11. Condition 11.
#[test]
fn loops_without_iterations() {
    let a = "int s = 0; for (int k = 0; k < n; k++) s += in[k]; out[threadIdx.x] = s;";
    let b = "int s = 0, k = 0; do { s += in[k]; k++; } while (k < n); out[threadIdx.x] = s;";
    different(IN_OUT, a, b, &["--grid-dim=1"]);
    let shorter = "int s = 0; for (int k = 0; k < n - 1; k++) s += in[k]; out[threadIdx.x] = s;";
    different(IN_OUT, a, shorter, &["--grid-dim=1"]);
}

/// Trap 12. Condition 5.
#[test]
fn a_byte_of_an_element() {
    let a = "out[threadIdx.x] = in[threadIdx.x];";
    let b = "((char *)out)[4 * threadIdx.x] = (char)in[threadIdx.x];";
    different(IN_OUT, a, b, &["--grid-dim=1"]);
    let also = "out[threadIdx.x] = in[threadIdx.x]; ((char *)out)[4 * threadIdx.x + 1] = 0;";
    different(IN_OUT, a, also, &["--grid-dim=1"]);
}

/// Trap 13. Condition 21. A kernel whose result depends on who comes first differs from itself.
#[test]
fn tickets_differ_from_themselves() {
    let tickets = "int i = atomicAdd(out, 1); out[1 + i] = threadIdx.x;";
    never_equal(IN_OUT, tickets, tickets, &[]);
    let sum = "atomicAdd(out, in[threadIdx.x]);";
    equal(IN_OUT, sum, sum, &[]);
    never_equal(
        FLOATS,
        "atomicAdd(out, in[threadIdx.x]);",
        "atomicAdd(out, in[threadIdx.x]);",
        &[],
    );
}

/// Trap 15.
#[test]
fn a_grid_that_is_too_small() {
    let a = format!("{ID} if (i < n) out[i] = in[i];");
    let b = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) \
             out[i] = in[i];";
    different(IN_OUT, &a, b, &[]);
}

/// Trap 16.
#[test]
fn counters_of_eight_bits() {
    let a = "int s = 0; for (unsigned char k = 0; k < n; k++) s += in[k]; out[threadIdx.x] = s;";
    let b = "int s = 0; for (int k = 0; k < n; k++) s += in[k]; out[threadIdx.x] = s;";
    never_equal(IN_OUT, a, b, &["--grid-dim=1"]);
}

/// Trap 17. Equal only if the pointers do not overlap, and that is said.
#[test]
fn pointers_are_assumed_to_be_distinct() {
    let a = "for (int k = 0; k < n; k++) out[k] = in[0] + 1;";
    let b = "int v = in[0] + 1; for (int k = 0; k < n; k++) out[k] = v;";
    let options = ["--grid-dim=1", "--block-dim=1"];
    for said in of_sources(&kernel(IN_OUT, a), &kernel(IN_OUT, b), &options) {
        let assumed = said.text.contains("distinct pointers point to distinct arrays");
        assert!(said.code != 0 || assumed, "{}", said.text);
    }
}

/// Trap 18.
#[test]
fn a_search_that_breaks_off() {
    let a = "int r = -1; for (int k = 0; k < n; k++) if (in[k] == 3) { r = k; break; } out[threadIdx.x] = r;";
    let b = "int r = -1; for (int k = 0; k < n; k++) if (in[k] == 3) r = k; out[threadIdx.x] = r;";
    different(IN_OUT, a, b, &["--grid-dim=1"]);
}

/// Trap 19. In a block that is not square, the witness is no thread of it.
#[test]
fn ranges_of_witnesses_are_goals() {
    for names in [
        ["transpose-naive.cu", "transpose-any-block-bug.cu"],
        ["transpose-any-block-bug.cu", "transpose-naive.cu"],
    ] {
        let said = run(&file(names[0]), &file(names[1]), &[]);
        assert!([1, 2].contains(&said.code), "{}", said.text);
    }
}

/// Condition 20.
#[test]
fn an_impossible_relation_is_vacuous() {
    let copy = "out[threadIdx.x] = in[threadIdx.x];";
    let options = ["--grid-dim=1", "--given", "n * 0 == 1"];
    for said in of_sources(&kernel(IN_OUT, copy), &kernel(IN_OUT, copy), &options) {
        assert_eq!(said.code, 2, "{}", said.text);
        assert!(said.text.contains("vacuous"), "{}", said.text);
    }
    let nothing = "if (n < 0 && n > 0) out[threadIdx.x] = 1;";
    never_equal(IN_OUT, nothing, nothing, &["--grid-dim=1"]);
}

/// Trap 21. Condition 18.
#[test]
fn widths_of_parameters() {
    let body = "if (threadIdx.x < n) out[threadIdx.x] = 1;";
    let a = kernel("int *out, int n", &body.replace("threadIdx.x <", "(int)threadIdx.x <"));
    let b = kernel("int *out, size_t n", body);
    for said in of_sources(&a, &b, &["--grid-dim=1"]) {
        assert_eq!(said.code, 1, "{}", said.text);
    }
}

/// Trap 22.
#[test]
fn parameters_that_are_exchanged() {
    let body = "x[threadIdx.x] = 2 * y[threadIdx.x];";
    let (a, b) = (kernel("int *x, const int *y", body), kernel("const int *y, int *x", body));
    for said in of_sources(&a, &b, &["--grid-dim=1", "--match=position"]) {
        assert_eq!(said.code, 1, "{}", said.text);
    }
    for said in of_sources(&a, &b, &["--grid-dim=1"]) {
        assert_eq!(said.code, 0, "{}", said.text);
    }
    let other = kernel("int *out, const int *in", "out[threadIdx.x] = 2 * in[threadIdx.x];");
    for said in of_sources(&a, &other, &["--grid-dim=1"]) {
        assert_eq!(said.code, 4, "{}", said.text);
    }
    for said in of_sources(&a, &other, &["--grid-dim=1", "--match=position"]) {
        assert_eq!(said.code, 0, "{}", said.text);
    }
}

/// Trap 23.
#[test]
fn a_loop_that_does_not_end() {
    let (a, b) = ("out[threadIdx.x] = 1;", "while (n == 123456) {} out[threadIdx.x] = 1;");
    never_equal(IN_OUT, a, b, &["--grid-dim=1"]);
}

/// Trap 24. Every run is right, but there is a race.
#[test]
fn a_missing_barrier() {
    let with = |wait: &str| {
        format!(
            "__shared__ int s[64]; s[threadIdx.x] = in[threadIdx.x]; {wait} out[threadIdx.x] = s[threadIdx.x ^ 1];"
        )
    };
    let options = ["--block-dim=64", "--grid-dim=1"];
    never_equal(IN_OUT, &with("__syncthreads();"), &with(""), &options);
    never_equal(IN_OUT, &with(""), &with(""), &options);
}

// Side conditions, each with its pair.

/// Condition 1.
#[test]
fn later_blocks_after_a_barrier_of_the_grid() {
    let start = "#include <cooperative_groups.h>\n";
    let id = "int g = blockIdx.x * blockDim.x + threadIdx.x, all = blockDim.x * gridDim.x;";
    let wait = "cooperative_groups::this_grid().sync();";
    let a = format!("{start}{}", kernel("int *out", &format!("{id} out[g] = 1; {wait}")));
    let then = "out[(g + blockDim.x) % all] = 2;";
    let b = format!("{start}{}", kernel("int *out", &format!("{id} out[g] = 1; {wait} {then}")));
    for said in of_sources(&a, &b, &[]) {
        assert!([1, 2].contains(&said.code), "{}", said.text);
    }
}

/// Condition 2.
#[test]
fn shared_memory_that_nobody_wrote() {
    let start = "__shared__ int s[64]; int t = threadIdx.x;";
    let late = format!("{start} out[t] = s[t ^ 1]; __syncthreads(); s[t] = in[t];");
    let early = format!("{start} s[t] = in[t]; __syncthreads(); out[t] = s[t ^ 1];");
    never_equal(IN_OUT, &late, &early, &["--block-dim=64", "--grid-dim=1"]);
    never_equal(IN_OUT, &late, &early, &["--grid-dim=1"]);
}

#[test]
fn cells_of_another_block() {
    let a = "__shared__ int s[64]; int t = threadIdx.x; if (blockIdx.x == 0) s[t] = in[t]; \
             __syncthreads(); out[blockIdx.x * blockDim.x + t] = s[t];";
    let b = "out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];";
    never_equal(IN_OUT, a, b, &["--block-dim=64"]);
    never_equal(IN_OUT, &a.replace("s[64]", "s[1024]"), b, &[]);
}

/// Condition 3. What follows from a branch that is not taken must not help to show that it is.
#[test]
fn guards_of_witnesses_are_goals() {
    let params = "int *out, int n, int m";
    let a = "int t = threadIdx.x; if (t < n) out[t] = 1;";
    let b = "int t = threadIdx.x; if (t < m) { int q = t * 65536; out[t] = 1 + 0 * q; }";
    different(params, a, b, &["--grid-dim=1"]);
}

#[test]
fn later_intervals() {
    let a = "int t = threadIdx.x; out[t] = in[t];";
    let b = "int t = threadIdx.x; out[t] = in[t]; __syncthreads(); if (t + 1 < n) out[t + 1] = 7;";
    never_equal(IN_OUT, a, b, &["--grid-dim=1"]);
}

#[test]
fn later_sites_of_the_witness() {
    let a = "int t = threadIdx.x; out[t] = in[t];";
    let b = "int t = threadIdx.x; out[t] = in[t]; if (t == n) out[t] = 7;";
    different(IN_OUT, a, b, &["--grid-dim=1"]);
}

/// Condition 7.
#[test]
fn unchanged_elements_are_those_of_the_start() {
    let b = "int t = threadIdx.x; out[t] += 1; __syncthreads(); out[t] = out[t];";
    different(IN_OUT, "if (n < 0 && n > 0) out[0] = in[0];", b, &["--grid-dim=1"]);
}

/// Condition 14.
#[test]
fn rounded_up_ranges() {
    let with = |bound: &str| {
        format!("int s = 0; for (int k = 0; k < {bound}; k++) s += in[k]; out[threadIdx.x] = s;")
    };
    let up = with("(n + 3) / 4 * 4");
    different(IN_OUT, &with("n"), &up, &["--grid-dim=1"]);
}

// What engines must not take for granted.

/// Condition 9.
#[test]
fn unknowns_are_not_common() {
    let a = "int x; out[threadIdx.x] = x;";
    never_equal(IN_OUT, a, a, &["--grid-dim=1"]);
}

#[test]
fn unknowns_of_two_threads() {
    let a = "__shared__ int s[64]; int x, t = threadIdx.x; s[t] = x; __syncthreads(); out[t] = s[t ^ 1] - x;";
    never_equal(IN_OUT, a, "out[threadIdx.x] = 0;", &["--block-dim=64", "--grid-dim=1"]);
    never_equal(IN_OUT, &a.replace("64", "1024"), "out[threadIdx.x] = 0;", &["--grid-dim=1"]);
}

#[test]
fn a_cell_is_read_again_after_a_barrier() {
    let start =
        "__shared__ int s[64]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); int v = s[0];";
    let wait = "__syncthreads(); if (t == 0) s[0] = 7; __syncthreads();";
    let (a, b) = (format!("{start} {wait} out[t] = v;"), format!("{start} {wait} out[t] = s[0];"));
    different(IN_OUT, &a, &b, &["--block-dim=64", "--grid-dim=1"]);
}

#[test]
fn written_arrays_are_read_again() {
    let a = "int v = out[0]; out[0] = v + 1; out[1] = v;";
    let b = "int v = out[0]; out[0] = v + 1; out[1] = out[0];";
    different(IN_OUT, a, b, &["--block-dim=1", "--grid-dim=1"]);
}

#[test]
fn a_value_of_the_last_iteration_is_not_this_ones() {
    let a = "int p = 0; for (int k = 0; k < n; k++) { out[k] = p; p = k; }";
    let b = "int p = 0; for (int k = 0; k < n; k++) { out[k] = k; p = k; }";
    different(IN_OUT, a, b, &["--block-dim=1", "--grid-dim=1"]);
    equal(IN_OUT, a, a, &["--block-dim=1", "--grid-dim=1"]);
}

/// Condition 16.
#[test]
fn blocks_correspond_only_in_equal_grids() {
    let a = "if (threadIdx.x == 0) out[blockIdx.x] = in[blockIdx.x];";
    let options = ["--block-dim-a=32", "--block-dim-b=64"];
    never_equal(IN_OUT, a, a, &options);
    let with = [options[0], options[1], "--given", "gridDim_a.x == gridDim_b.x"];
    equal(IN_OUT, a, a, &with);
}

#[test]
fn a_place_that_only_one_side_writes() {
    let a = "if (threadIdx.x == 0) out[blockIdx.x] = in[0];";
    let b = "if (threadIdx.x == 0) { out[blockIdx.x] = in[0]; if (n == 987654) out[n] = 1; }";
    never_equal(IN_OUT, a, b, &["--block-dim=32"]);
}

#[test]
fn cells_at_unknown_distances_may_overlap() {
    let start = "if (threadIdx.x == 0 && blockIdx.x == 0)";
    let a = format!("{start} {{ out[0] = 1; out[n] = 2; }}");
    let b = format!("{start} {{ out[n] = 2; out[0] = 1; }}");
    different(IN_OUT, &a, &b, &["--block-dim=32"]);
    let far = a.replace("out[n]", "out[n - 123456]");
    let other = b.replace("out[n]", "out[n - 123456]");
    never_equal(IN_OUT, &far, &other, &["--block-dim=32"]);
}

#[test]
fn a_shuffle_of_some_lanes_is_not_followed() {
    let with = |mask: &str| {
        format!(
            "int v = in[threadIdx.x]; v += __shfl_xor_sync({mask}, v, 1); out[threadIdx.x] = v;"
        )
    };
    let options = ["--block-dim=32", "--grid-dim=1"];
    let other = "out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x ^ 1];";
    equal(IN_OUT, &with("0xffffffffu"), other, &options);
    never_equal(IN_OUT, &with("0x0000ffffu"), other, &options);
}

#[test]
fn a_barrier_under_a_condition_ends_the_attempt() {
    let start = "__shared__ int s[32]; int t = threadIdx.x; s[t] = in[t];";
    let a = format!("{start} if (n > 5) __syncthreads(); out[t] = s[t ^ 1];");
    let b = format!("{start} __syncthreads(); out[t] = s[t ^ 1];");
    never_equal(IN_OUT, &a, &b, &["--block-dim=32", "--grid-dim=1"]);
}

/// Condition 6.
#[test]
fn warp_barriers_are_not_followed_by_symbols() {
    let a = "__shared__ int s[1024]; int t = threadIdx.x; s[t] = 0; __syncthreads(); s[t] = in[t]; \
             __syncwarp(); out[t] = s[t ^ 1];";
    never_equal(IN_OUT, a, "out[threadIdx.x] = 0;", &["--grid-dim=1"]);
}

/// A goal that nobody answers is not shown: a product that no solver decides in time.
#[test]
fn only_unsat_shows_a_goal() {
    let params = "int *out, const int *in, unsigned n, unsigned m";
    let a =
        "if (n * n * n + m * m * m != 1234567u || n < 70000 || m < 70000) out[threadIdx.x] = 1;";
    never_equal(params, a, "out[threadIdx.x] = 1;", &["--grid-dim=1"]);
}

/// A halo whose first cell is not written where the block is not the first.
#[test]
fn cases_must_cover() {
    let plain = format!("{ID} if (i > 0 && i < n) out[i] = in[i - 1];");
    let with = |halo: &str| {
        format!(
            "extern __shared__ int s[]; {ID} int t = threadIdx.x; if (i < n) s[t + 1] = in[i]; \
             if ({halo}) s[0] = in[i - 1]; __syncthreads(); if (i > 0 && i < n) out[i] = s[t];"
        )
    };
    equal(IN_OUT, &plain, &with("t == 0 && i > 0 && i < n"), &[]);
    never_equal(IN_OUT, &plain, &with("t == 0 && i > 0 && i < n - 1"), &[]);
}

// Rewrites that keep what is computed.

#[test]
fn transposes_of_all_sizes() {
    let by_witness = "proved: witnesses";
    files_are(0, "transpose-naive.cu", "transpose-other-style.cu", &[], by_witness);
    files_are(0, "transpose-naive.cu", "transpose-padded.cu", &[], by_witness);
    files_are(0, "transpose-tiled.cu", "transpose-padded.cu", &[], by_witness);
    files_are(1, "transpose-naive.cu", "transpose-padded-bug.cu", &[], "duet run");
}

#[test]
fn reductions_of_every_power_of_two() {
    let options = ["--float=reassoc"];
    // The check of the strided one is not proved for every power of two.
    let given = ["--block-dim=64"];
    files_are(0, "reduce-modulo.cu", "reduce-strided.cu", &given, "blocks of 64");
    files_are(0, "reduce-modulo.cu", "reduce-sequential.cu", &options, "blocks of 1, 2, 4");
    files_are(1, "reduce-modulo.cu", "reduce-sequential.cu", &[], "duet run");
    files_are(1, "reduce-modulo.cu", "reduce-sequential-bug.cu", &options, "duet run");
}

/// Condition 13.
#[test]
fn scans_with_one_and_two_buffers() {
    files_are(
        0,
        "scan-single.cu",
        "scan-double.cu",
        &["--block-dim=64", "-DT=float"],
        "blocks on terms",
    );
    files_are(
        1,
        "scan-single.cu",
        "scan-double-bug.cu",
        &["--block-dim=64", "-DT=float"],
        "duet run",
    );
}

#[test]
fn vectors_of_four() {
    let scalar = kernel("float *out, const float *in", &format!("{ID} out[i] = 2.0f * in[i];"));
    let vector = "int i = blockIdx.x * blockDim.x + threadIdx.x; \
                  if (threadIdx.x < 8) { int j = blockIdx.x * 8 + threadIdx.x; \
                  float4 v = ((const float4 *)in)[j]; v.x *= 2.0f; v.y *= 2.0f; v.z *= 2.0f; v.w *= 2.0f; \
                  ((float4 *)out)[j] = v; }";
    let vector = kernel("float *out, const float *in", vector);
    for said in of_sources(&scalar, &vector, &["--block-dim=32"]) {
        assert!([0, 2].contains(&said.code), "{}", said.text);
    }
}

#[test]
fn json_says_the_same() {
    let said =
        run(&file("transpose-naive.cu"), &file("transpose-padded-bug.cu"), &["--format=json"]);
    assert_eq!(said.code, 1);
    for words in ["\"verdict\": \"different\"", "\"exit_code\": 1", "\"array\": \"out\""] {
        assert!(said.text.contains(words), "{}", said.text);
    }
}

#[test]
fn wrong_usage() {
    let a = file("transpose-naive.cu");
    for options in [["--given", "nothing_here == 1"], ["--given", "1 +"], ["--output", "nothing"]] {
        assert_eq!(run(&a, &a, &options).code, 4, "{options:?}");
    }
    assert_eq!(run(&a, &file("there-is-none.cu"), &[]).code, 3);
}

// Mutants: what is called equal must agree in runs that the search did not make.

/// Contents that a run leaves in `out`; nothing if it has a defect.
fn left_by(path: &Path, options: &[&str]) -> Option<String> {
    let fills = ["--fill", "in=random:99x4096", "--fill", "out=random:7x4096", "--print=out"];
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("run")
        .arg(path)
        .args(options)
        .args(fills)
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.starts_with("out = ")).map(str::to_string);
    line.filter(|_| output.status.success())
}

/// Each mutant of a file against the file: where it is equal, runs agree; most differ.
fn mutants(name: &str, changes: &[(&str, &str)], options: &[&str], launches: &[&[&str]]) {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(file(name)).expect("reads");
    let mut shown = 0;
    for (number, (from, to)) in changes.iter().enumerate() {
        assert!(text.contains(from), "{name} has no `{from}`");
        let path = folder.path().join(format!("{number}.cu"));
        std::fs::write(&path, text.replacen(from, to, 1)).expect("writes");
        let said = run(&file(name), &path, options);
        shown += usize::from(said.code == 1);
        assert!((0..=2).contains(&said.code), "{from} -> {to}: {}", said.text);
        for launch in launches.iter().filter(|_| said.code == 0) {
            let (a, b) = (left_by(&file(name), launch), left_by(&path, launch));
            assert!(a.is_none() || b.is_none() || a == b, "{name}: {from} -> {to}: {launch:?}");
        }
    }
    assert!(2 * shown >= changes.len(), "{shown} of {} mutants are shown", changes.len());
}

#[test]
fn mutants_of_a_transpose() {
    let changes = [
        ("blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.y * blockDim.x + threadIdx.x"),
        ("y < height", "y <= height"),
        ("x < width &&", "x + 1 < width &&"),
        ("x < width && y < height)", "x < height && y < width)"),
        ("x * height + y", "y * height + x"),
        ("x * height + y", "x * width + y"),
        ("y * width + x", "y * width + x + 0 * y"),
        ("y * width + x", "x + width * y"),
        ("y * width + x", "y * height + x"),
        ("int y", "unsigned y"),
        ("x < width", "x != width"),
        ("in[y * width + x]", "in[y * width + x] + 1.0f"),
    ];
    let launches: [&[&str]; 2] = [
        &["--blockDim=5,3", "--gridDim=3,4", "--arg", "width=14", "--arg", "height=11"],
        &["--blockDim=7,7", "--gridDim=2,3", "--arg", "width=13", "--arg", "height=21"],
    ];
    mutants("transpose-naive.cu", &changes, &[], &launches);
}

#[test]
fn mutants_of_a_reduction() {
    let changes = [
        ("k = blockDim.x / 2", "k = blockDim.x / 4"),
        ("k = blockDim.x / 2", "k = blockDim.x >> 1"),
        ("k > 0", "k > 1"),
        ("k >>= 1", "k >>= 2"),
        ("k >>= 1", "k /= 2"),
        ("t < k", "t <= k"),
        ("s[t + k]", "s[k]"),
        ("s[t + k]", "s[k + t]"),
        ("s[t] += s[t + k]", "s[t] -= s[t + k]"),
        ("t == 0", "t == 1"),
        ("= s[0]", "= s[1]"),
        ("    __syncthreads();\n", "\n"),
    ];
    let launches: [&[&str]; 1] = [&["--blockDim=16", "--gridDim=5"]];
    mutants("reduce-sequential.cu", &changes, &["--block-dim=16"], &launches);
}
