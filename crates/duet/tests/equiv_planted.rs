//! Rules of the engines, each with a pair of kernels that is not equal and that an engine
//! without the rule would call equal. The engines are asked alone: no run finds the
//! difference first, and no check refuses a kernel.

use std::path::PathBuf;

use duet_engine::LaunchSizes;
use duet_engine::load::{LoadOptions, load};
use duet_equiv::engines_say;
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::{FloatModel, Kernel, Request};

const IN_OUT: &str = "int *out, const int *in, int n";
const ID: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

/// What the engines say of `a` and `b`: which one proved it, or nothing.
fn say(name: &str, sources: [&str; 2], block: Option<&str>, request: &Request) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("duet-planted-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let sizes = || LaunchSizes {
        block: block.map(|sizes| sizes.parse().expect("sizes")),
        ..LaunchSizes::default()
    };
    let files = [0, 1].map(|side: usize| {
        let path: PathBuf = folder.join(["a.cu", "b.cu"][side]);
        std::fs::write(&path, sources[side]).expect("writes");
        let options =
            LoadOptions { sizes: sizes(), ..LoadOptions::plain(path, Default::default()) };
        match load(&options) {
            Ok(loaded) => loaded,
            Err(error) => panic!("{}: {error}", sources[side]),
        }
    });
    let kernels = [0, 1].map(|side: usize| Kernel {
        file: folder.join(["a.cu", "b.cu"][side]),
        module: &files[side].module,
        func: files[side].module.kernels().next().expect("a kernel").0,
        sizes: sizes(),
        reading: vec![],
    });
    let said = engines_say(&kernels, request);
    std::fs::remove_dir_all(&folder).expect("removes");
    match said {
        Ok(proof) => Some(proof.engine),
        Err(reasons) => {
            eprintln!("{name}: {reasons:?}");
            None
        }
    }
}

fn kernel(params: &str, body: &str) -> String {
    format!("__global__ void k({params}) {{ {body} }}\n")
}

fn both_orders(
    name: &str,
    params: &str,
    a: &str,
    b: &str,
    block: Option<&str>,
    request: &Request,
) -> [Option<String>; 2] {
    let (a, b) = (kernel(params, a), kernel(params, b));
    let first = say(&format!("{name}-1"), [&a, &b], block, request);
    [first, say(&format!("{name}-2"), [&b, &a], block, request)]
}

/// No engine proves the pair, in either order.
fn not_proved(name: &str, params: &str, a: &str, b: &str) {
    let said = both_orders(name, params, a, b, None, &Request::default());
    assert_eq!(said, [None, None], "{a}\n{b}");
}

/// The engine proves the pair in both orders.
fn proved(name: &str, params: &str, a: &str, b: &str, engine: &str) {
    let said = both_orders(name, params, a, b, None, &Request::default());
    assert_eq!(said, [Some(engine.to_string()), Some(engine.to_string())], "{a}\n{b}");
}

const SUM: &str = "int s = 0; for (int k = 0; k < n; k++) s += in[i * n + k]; out[i] = s;";

#[test]
fn folds_that_keep_the_order() {
    let a = format!("{ID} {SUM}");
    let renamed = format!(
        "{ID} int t = 0, j = 0; while (j < n) {{ t = in[i * n + j] + t; j++; }} out[i] = t;"
    );
    proved("renamed", IN_OUT, &a, &renamed, "in step");
    let pairs = format!(
        "{ID} __requires(n % 2 == 0); int s = 0; for (int k = 0; k < n / 2; k++) {{ s += in[i * n + 2 * k]; s += in[i * n + 2 * k + 1]; }} out[i] = s;"
    );
    // In the other order a goal is beyond the solver's limit today.
    let said = both_orders("pairs", IN_OUT, &a, &pairs, None, &Request::default());
    assert_eq!(said[0].as_deref(), Some("witnesses"));
}

#[test]
fn a_loop_that_stops_one_early() {
    let a = format!("{ID} {SUM}");
    not_proved("early", IN_OUT, &a, &a.replace("k < n", "k < n - 1"));
    not_proved("late", IN_OUT, &a, &a.replace("k = 0", "k = 1"));
    let pairs = format!(
        "{ID} int s = 0; for (int k = 0; k < n / 2; k++) {{ s += in[i * n + 2 * k]; s += in[i * n + 2 * k + 1]; }} out[i] = s;"
    );
    not_proved("odd", IN_OUT, &a, &pairs);
}

#[test]
fn a_loop_with_a_break_is_not_counted() {
    let a = format!("{ID} {SUM}");
    let b = a.replace("s += in[i * n + k];", "{ if (in[i] < k) break; s += in[i * n + k]; }");
    not_proved("break", IN_OUT, &a, &b);
}

#[test]
fn an_iteration_that_returns() {
    let a = format!("{ID} {SUM}");
    let b = a.replace("s += in[i * n + k];", "{ if (in[i] < k) return; s += in[i * n + k]; }");
    not_proved("return", IN_OUT, &a, &b);
}

#[test]
fn later_iterations_write_again() {
    let a = format!("{ID} if (n > 0) out[i] = in[0];");
    let b = format!("{ID} for (int k = 0; k < n; k++) out[i] = in[k];");
    not_proved("again", IN_OUT, &a, &b);
    let c = format!("{ID} for (int k = 0; k < n; k++) out[i * n + k / 2] = in[k / 2 * 2];");
    let d = format!("{ID} for (int k = 0; k < n; k++) out[i * n + k / 2] = in[k];");
    not_proved("halves", IN_OUT, &c, &d);
}

/// No run is so long, but iterations beyond 2^31 differ.
#[test]
fn iterations_beyond_a_signed_count() {
    let params = "unsigned *out, unsigned n";
    let with = |step: &str, test: &str| {
        format!(
            "{ID} unsigned s = 0; for (unsigned k = 0; k {test} n; k++) s = s * 3 + {step}; out[i] = s;"
        )
    };
    let jump = "(k < 0x80000000u ? 1u : 2u)";
    not_proved("beyond", params, &with("1u", "<"), &with(jump, "<"));
    proved("below", params, &with("1u", "<"), &with("(k < n ? 1u : 2u)", "<"), "witnesses");
}

#[test]
fn private_cells_of_an_iteration() {
    let a = format!(
        "{ID} int p[2]; p[0] = 0; for (int k = 0; k < n; k++) p[0] = in[k]; out[i] = p[0];"
    );
    let b = format!("{ID} out[i] = 0;");
    not_proved("private", IN_OUT, &a, &b);
}

#[test]
fn two_values_that_are_carried_together() {
    let a = format!(
        "{ID} int s = 0, t = 0; for (int k = 0; k < n; k++) {{ s += t; t += in[k]; }} out[i] = s;"
    );
    let b = format!(
        "{ID} int s = 0, t = 1; for (int k = 0; k < n; k++) {{ s += t; t += in[k]; }} out[i] = s;"
    );
    not_proved("together", IN_OUT, &a, &b);
}

#[test]
fn an_inner_loop_that_starts_anew() {
    let a = format!("{ID} int s = 0; for (int k = 0; k < 4 * n; k++) s += in[k]; out[i] = s;");
    let b = format!(
        "{ID} int s = 0; for (int m = 0; m < n; m++) {{ int t = 0; for (int k = 0; k < 4; k++) t += in[4 * m + k]; s = t; }} out[i] = s;"
    );
    not_proved("anew", IN_OUT, &a, &b);
}

#[test]
fn a_triangle_is_not_flattened() {
    let a = format!("{ID} int s = 0; for (int k = 0; k < n * n; k++) s += in[k]; out[i] = s;");
    let b = format!(
        "{ID} int s = 0; for (int m = 0; m < n; m++) for (int k = 0; k < m; k++) s += in[m * n + k]; out[i] = s;"
    );
    not_proved("triangle", IN_OUT, &a, &b);
}

#[test]
fn a_loop_without_iterations_has_no_last_step() {
    let a = format!("{ID} {SUM}");
    let b = format!(
        "{ID} int s = 0; for (int k = 0; k < n - 1; k++) s += in[i * n + k]; out[i] = s + in[i * n + n - 1];"
    );
    not_proved("last", IN_OUT, &a, &b);
}

const TILED: &str = "__requires(blockDim.x == 16); __requires(n % 16 == 0); __shared__ int s[16]; int t = threadIdx.x; int i = blockIdx.x * 16 + t; int v = 0; for (int m = 0; m < n / 16; m++) { s[t] = in[m * 16 + t]; __syncthreads(); for (int k = 0; k < 16; k++) v += s[k] * i; __syncthreads(); } out[i] = v;";
const PLAIN: &str = "__requires(blockDim.x == 16); __requires(n % 16 == 0); int i = blockIdx.x * 16 + threadIdx.x; int v = 0; for (int k = 0; k < n; k++) v += in[k] * i; out[i] = v;";

#[test]
fn tiles_are_folds() {
    proved("tiled", IN_OUT, PLAIN, TILED, "witnesses");
}

#[test]
fn a_tile_that_is_written_in_some_iterations() {
    not_proved("stale", IN_OUT, PLAIN, &TILED.replace("s[t] = in", "if (m % 2 == 0) s[t] = in"));
    not_proved("other", IN_OUT, PLAIN, &TILED.replace("in[m * 16 + t]", "in[m * 16 + (t | 1)]"));
}

/// Sums of integers may be taken in any order, those of floating-point numbers not.
#[test]
fn a_tile_in_another_order() {
    let float = |body: &str| body.replace("int v", "float v");
    let swapped = TILED.replace("in[m * 16 + t]", "in[m * 16 + (t ^ 1)]");
    not_proved("swapped", IN_OUT, &float(PLAIN), &float(&swapped));
}

#[test]
fn a_tile_is_overwritten_without_a_barrier() {
    // Without the first barrier a read sees nothing that another thread wrote.
    let b = TILED.replacen("__syncthreads();", "", 1);
    not_proved("first", IN_OUT, PLAIN, &b);
}

#[test]
fn a_read_before_the_barrier() {
    let a = "__requires(blockDim.x == 16); __shared__ int s[16]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); out[t] = s[t ^ 1];";
    let b = "__requires(blockDim.x == 16); __shared__ int s[16]; int t = threadIdx.x; s[t] = in[t]; out[t] = s[t ^ 1]; __syncthreads();";
    not_proved("before", "int *out, const int *in", a, b);
}

#[test]
fn barriers_of_inner_loops_are_not_counted() {
    let a = TILED
        .replace("for (int k = 0;", "for (int j = 0; j < n; j++) __syncthreads(); for (int k = 0;");
    not_proved("inner", IN_OUT, PLAIN, &a.replace("s[t] = in", "if (m == 0) s[t] = in"));
}

fn given(relation: &str) -> Request {
    Request { given: vec![Expr::parse(relation).expect("reads")], ..Request::default() }
}

const STRIDE: &str = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i];";
const ONE: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i];";

#[test]
fn sizes_of_other_launches_are_not_common() {
    let request = given("gridDim_b.x >= 1");
    let said = both_orders("sizes", IN_OUT, ONE, ONE, None, &request);
    assert_eq!(said, [None, None]);
    let request = given("gridDim_b.x * blockDim_b.x >= n");
    let said = both_orders("stride", IN_OUT, STRIDE, ONE, None, &request);
    assert_eq!(said[1], None, "the grid of the strided one may be any, that of the other not");
}

#[test]
fn a_relation_that_would_wrap_is_no_fact() {
    // The product has more bits than any number here.
    let request = given("n * n * n * n * n <= 0 && gridDim_b.x >= 1");
    let said = both_orders("wrap", IN_OUT, ONE, "", None, &request);
    assert_eq!(said, [None, None]);
}

#[test]
fn overflow_of_a_witness_is_no_fact_too_soon() {
    let a = "int t = threadIdx.x; if (t < n) out[t] = 1;";
    let b = "int t = threadIdx.x; if (t < m) { int q = t * 65536; out[t] = 1 + 0 * q; }";
    not_proved("soon", "int *out, int n, int m", a, b);
}

#[test]
fn a_quotient_by_zero_is_not_named() {
    let a = format!("{ID} out[i] = (unsigned) in[i] % (unsigned) n < (unsigned) n || n == 0;");
    let b = format!("{ID} out[i] = n != 0;");
    not_proved("zero", IN_OUT, &a, &b);
}

/// Sums of a block of four.
fn of_four(name: &str, params: &str, a: &str, b: &str, float: FloatModel) -> [Option<String>; 2] {
    let request = Request { float, ..Request::default() };
    both_orders(name, params, a, b, Some("4"), &request)
}

#[test]
fn conditional_summands_keep_their_condition() {
    let a = format!("{ID} int s = in[i]; if (i + 1 < n) s += in[i + 1]; out[i] = s;");
    let b = format!("{ID} out[i] = (i + 1 < n ? in[i + 1] : 0) + in[i];");
    let c = format!("{ID} out[i] = (i < n ? in[i + 1] : 0) + in[i];");
    let d = format!("{ID} out[i] = i + 1 < n ? in[i + 1] + in[i] : in[i] + in[i];");
    for other in [&c, &d] {
        assert_eq!(of_four("guards", IN_OUT, &a, other, FloatModel::Exact), [None, None]);
    }
    assert!(of_four("same", IN_OUT, &a, &b, FloatModel::Exact).iter().all(Option::is_some));
}

#[test]
fn bits_of_a_float_sum() {
    let params = "int *out, const float *x, const float *y";
    let a = format!("{ID} out[i] = __float_as_int(x[i] + y[i]) + 1;");
    let b = format!("{ID} out[i] = __float_as_int(x[i]) + __float_as_int(y[i]) + 1;");
    let said = of_four("bits", params, &a, &b, FloatModel::Reassociating);
    assert_eq!(said, [None, None]);
}

#[test]
fn a_float_minimum_is_not_commutative() {
    let params = "float *out, const float *x, const float *y";
    let a = format!("{ID} out[i] = x[i] < y[i] ? x[i] : y[i];");
    let b = format!("{ID} out[i] = y[i] < x[i] ? y[i] : x[i];");
    assert_eq!(of_four("least", params, &a, &b, FloatModel::Exact), [None, None]);
    let ints = params.replace("float", "int");
    assert!(of_four("ints", &ints, &a, &b, FloatModel::Exact).iter().all(Option::is_some));
    let c = a.replace('<', ">");
    assert_eq!(of_four("greatest", &ints, &a, &c, FloatModel::Exact), [None, None]);
}
