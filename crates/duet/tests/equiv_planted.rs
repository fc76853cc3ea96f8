//! Rules of the engines, each with a pair of kernels that is not equal and that an engine
//! without the rule would call equal. The engines are asked alone: no run finds the
//! difference first, and no check refuses a kernel.

#[path = "equiv/asked.rs"]
mod asked;

use asked::{both_orders, kernel, say};
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::{FloatModel, Request};

const IN_OUT: &str = "int *out, const int *in, int n";
const ID: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

/// No engine proves the pair. They try the other order by themselves.
fn not_proved(name: &str, params: &str, a: &str, b: &str) {
    let sources = [kernel(params, a), kernel(params, b)];
    let said = say(name, [&sources[0], &sources[1]], None, &Request::default());
    assert_eq!(said, None, "{a}\n{b}");
}

/// The engine proves the pair in both orders.
fn proved(name: &str, params: &str, a: &str, b: &str, engine: &str) {
    let said = both_orders(name, params, a, b, None, [&Request::default(); 2]);
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
    let said = both_orders("pairs", IN_OUT, &a, &pairs, None, [&Request::default(); 2]);
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
    let said = both_orders("sizes", IN_OUT, ONE, ONE, None, [&request; 2]);
    assert_eq!(said, [None, None]);
    let request = given("gridDim_b.x * blockDim_b.x >= n");
    let said = both_orders("stride", IN_OUT, STRIDE, ONE, None, [&request; 2]);
    assert_eq!(said[1], None, "the grid of the strided one may be any, that of the other not");
}

#[test]
fn a_relation_that_would_wrap_is_no_fact() {
    // The product has more bits than any number here.
    let request = given("n * n * n * n * n <= 0 && gridDim_b.x >= 1");
    let said = both_orders("wrap", IN_OUT, ONE, "", None, [&request; 2]);
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
    let request = Request { float, work: Some(WORK), ..Request::default() };
    both_orders(name, params, a, b, Some("4"), [&request; 2])
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

/// Condition 22.
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

/// Enough for the pairs below that are proved, so that the others end soon too.
const WORK: u64 = 4_000_000;

/// What the engines say under these options. They try the other order by themselves.
fn say_with(
    name: &str,
    (a, b): (&str, &str),
    block: Option<&str>,
    float: FloatModel,
) -> Option<String> {
    let request = Request { float, work: Some(WORK), ..Request::default() };
    say(name, [&kernel(IN_OUT, a), &kernel(IN_OUT, b)], block, &request)
}

/// No engine proves the pair under these options.
fn not_proved_with(name: &str, pair: (&str, &str), block: Option<&str>, float: FloatModel) {
    assert_eq!(say_with(name, pair, block, float), None, "{pair:?}");
}

/// An engine proves the pair under these options.
fn proved_with(name: &str, pair: (&str, &str), block: Option<&str>, float: FloatModel) {
    assert!(say_with(name, pair, block, float).is_some(), "{pair:?}");
}

/// Loops that test `k + 1 < n` and go on where that ends.
#[test]
fn a_shifted_test_is_not_the_counter() {
    let a = format!("{ID} {SUM}");
    let pairs = format!(
        "{ID} int s = 0, k; for (k = 0; k + 1 < n; k += 2) {{ s += in[i * n + k]; s += in[i * n + k + 1]; }} if (k < n) s += in[i * n + k]; out[i] = s;"
    );
    proved_with("pairs", (&a, &pairs), None, FloatModel::Exact);
    for (name, wrong) in [
        ("shift", pairs.replace("k + 1 < n", "k + 2 < n")),
        ("rest", pairs.replace("if (k < n)", "if (k < n - 1)")),
        ("less", pairs.replace("k + 1 < n", "k - 1 < n")),
    ] {
        not_proved_with(name, (&a, &wrong), None, FloatModel::Exact);
    }
}

const DOWN: &str = "int s = 0; for (int k = n - 1; k >= 0; k--) s += in[i * n + k]; out[i] = s;";

#[test]
fn a_sum_that_is_not_reversed() {
    let (a, b) = (format!("{ID} {SUM}"), format!("{ID} {DOWN}"));
    proved_with("down", (&a, &b), None, FloatModel::Exact);
    let not_all = b.replace("k >= 0", "k > 0");
    not_proved_with("down-to-one", (&a, &not_all), None, FloatModel::Exact);
    let from_n = b.replace("n - 1", "n");
    not_proved_with("down-from-n", (&a, &from_n), None, FloatModel::Exact);
    // The same up to rounding only.
    let floats = [&a, &b].map(|one| one.replace("int s = 0", "float s = 0"));
    not_proved_with("down-float", (&floats[0], &floats[1]), None, FloatModel::Exact);
}

#[test]
fn a_product_is_not_reversed() {
    let step = |text: &str| text.replace("s += in[i * n + k]", "s = s * 3 + in[i * n + k]");
    let (a, b) = (step(&format!("{ID} {SUM}")), step(&format!("{ID} {DOWN}")));
    not_proved_with("horner", (&a, &b), None, FloatModel::Exact);
}

/// Two accumulators of one loop are joined; those of two loops have their own iterations.
#[test]
fn accumulators_of_different_loops() {
    let a = format!("{ID} {SUM}");
    let b = format!(
        "{ID} int s = 0, u = 0; for (int k = 0; k < n; k++) {{ s += in[i * n + k]; u += 0 * in[i]; }} out[i] = s + u;"
    );
    proved_with("joined", (&a, &b), None, FloatModel::Exact);
    let c = format!(
        "{ID} int s = 0, u = 0; for (int k = 0; k < n; k++) s += in[i * n + k]; for (int k = 0; k < i; k++) u += 1; out[i] = s + u;"
    );
    let d = format!(
        "{ID} int s = 0, u = 0; for (int k = 0; k < n; k++) {{ s += in[i * n + k]; u += 1; }} out[i] = s + u;"
    );
    not_proved_with("two-loops", (&c, &d), None, FloatModel::Exact);
    not_proved_with("joined-more", (&a, &d), None, FloatModel::Exact);
}

/// Steps beyond the other loop's last one must change nothing.
#[test]
fn a_rest_that_adds() {
    let a = format!("{ID} {SUM}");
    let tiles = format!(
        "{ID} int s = 0; for (int m = 0; m < (n + 7) / 8; m++) for (int k = 0; k < 8; k++) s += m * 8 + k < n ? in[i * n + m * 8 + k] : 0; out[i] = s;"
    );
    proved_with("padded", (&a, &tiles), None, FloatModel::Exact);
    not_proved_with("padded-one", (&a, &tiles.replace(": 0", ": 1")), None, FloatModel::Exact);
    let beyond = tiles.replace("m * 8 + k < n", "m * 8 + k <= n");
    not_proved_with("padded-late", (&a, &beyond), None, FloatModel::Exact);
}

#[test]
fn a_ragged_tile_that_stops_early() {
    let a = format!("{ID} {SUM}");
    let tiles = format!(
        "{ID} int s = 0; for (int m = 0; m < n / 8; m++) for (int k = 0; k < 8; k++) s += m * 8 + k < n ? in[i * n + m * 8 + k] : 0; out[i] = s;"
    );
    not_proved_with("no-last-tile", (&a, &tiles), None, FloatModel::Exact);
}

#[test]
fn rewritten_elements_that_the_other_writes() {
    let params = "int *out, const int *m, int n";
    let some = format!("{ID} if (i < n && m[i] != 0) out[i] = 5;");
    let all = format!("{ID} if (i < n) out[i] = m[i] != 0 ? 5 : out[i];");
    proved("unchanged", params, &some, &all, "witnesses");
    let same = format!("{ID} if (i < n) out[i] = out[i];");
    let other = format!("{ID} if (i < n) out[i] = 5;");
    let limited = Request { work: Some(WORK), ..Request::default() };
    for (name, b) in [("changed", &other), ("some-changed", &some)] {
        let said = both_orders(name, params, &same, b, None, [&limited; 2]);
        assert_eq!(said, [None, None], "{b}");
    }
}

#[test]
fn elements_rewritten_after_a_change() {
    let params = "int *out, const int *m, int n";
    let nothing = format!("{ID} if (i < n && m[i] != m[i]) out[i] = 5;");
    let twice = format!("{ID} if (i < n) {{ out[i] = m[i]; out[i] = out[i]; }}");
    not_proved("twice", params, &nothing, &twice);
}

#[test]
fn a_write_that_is_sometimes_overwritten() {
    let params = "int *out, const int *m, int n";
    let twice = format!("{ID} if (i < n) {{ out[i] = 1; out[i] = 2; }}");
    let once = format!("{ID} if (i < n) out[i] = 2;");
    proved("overwritten", params, &twice, &once, "witnesses");
    let sometimes = format!("{ID} if (i < n) {{ out[i] = 1; if (m[i] > 0) out[i] = 2; }}");
    not_proved("sometimes", params, &sometimes, &once);
    let elsewhere = format!("{ID} if (i < n) {{ out[2 * i] = 1; out[2 * i + 1] = 2; }}");
    not_proved("elsewhere", params, &elsewhere, &format!("{ID} if (i < n) out[2 * i + 1] = 2;"));
}

const PRIVATE: &str = "__shared__ int s[8]; s[threadIdx.x] = 0; __syncthreads(); \
    if (i < n) atomicAdd(&s[in[i] & 7], 1); __syncthreads(); \
    atomicAdd(&out[threadIdx.x], s[threadIdx.x]);";

#[test]
fn sums_beside_plain_accesses() {
    let a = format!("{ID} if (i < n) atomicAdd(&out[in[i] & 7], 1);");
    let b = format!("{ID} {PRIVATE}");
    proved_with("private", (&a, &b), Some("8"), FloatModel::Exact);
    for (name, wrong) in [
        ("no-barrier", b.replacen("= 0; __syncthreads();", "= 0;", 1)),
        ("bins", b.replace("in[i] & 7]", "in[i] & 3]")),
        ("value", b.replace("& 7], 1)", "& 7], 2)")),
        ("guard", b.replace("i < n", "i < n - 1")),
        ("not-zero", b.replace("= 0;", "= 1;")),
        ("bin", b.replace("&out[threadIdx.x]", "&out[threadIdx.x ^ 1]")),
        (
            "read",
            b.replace(
                "out[threadIdx.x], s[threadIdx.x]",
                "out[threadIdx.x], s[threadIdx.x] + 0 * out[0]",
            ),
        ),
    ] {
        not_proved_with(name, (&a, &wrong), Some("8"), FloatModel::Exact);
    }
}

#[test]
fn sums_in_cells_that_nobody_wrote() {
    let a = format!("{ID} {PRIVATE}");
    let b = a.replace("s[threadIdx.x] = 0;", "if (threadIdx.x < 7) s[threadIdx.x] = 0;");
    not_proved_with("unwritten", (&a, &b), Some("8"), FloatModel::Exact);
}

#[test]
fn sums_of_different_widths() {
    let a = "atomicAdd(&out[threadIdx.x], 1);";
    let b = "atomicAdd((unsigned long long *)out + threadIdx.x / 2, threadIdx.x % 2 ? 1ull << 32 : 1ull);";
    not_proved_with("widths", (a, b), Some("8"), FloatModel::Exact);
}

#[test]
fn a_sum_is_no_store() {
    let a = "atomicAdd(&out[threadIdx.x], 1);";
    for (name, b) in [
        ("store", "out[threadIdx.x] = 1;"),
        ("plain", "out[threadIdx.x] += 2;"),
        ("other", "atomicMax(&out[threadIdx.x], 1);"),
        ("twice", "atomicAdd(&out[threadIdx.x], 1); atomicAdd(&out[threadIdx.x], 1);"),
    ] {
        not_proved_with(name, (a, b), Some("8"), FloatModel::Exact);
    }
    let b = "for (int k = 0; k < 2; k++) atomicAdd(&out[threadIdx.x], k);";
    proved_with("parts", (a, b), Some("8"), FloatModel::Exact);
}

/// The lesser of two integers in a network of them.
#[test]
fn minima_of_many_in_any_order() {
    let tree = "__shared__ int s[8]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); \
        for (int k = 4; k > 0; k /= 2) { if (t < k) if (s[t + k] < s[t]) s[t] = s[t + k]; __syncthreads(); } \
        if (t == 0) out[0] = s[0];";
    let chain = "if (threadIdx.x == 0) { int v = in[0]; for (int k = 1; k < 8; k++) v = min(in[k], v); out[0] = v; }";
    proved_with("minima", (tree, chain), Some("8"), FloatModel::Exact);
    let not_all = chain.replace("k < 8", "k < 7");
    not_proved_with("minima-7", (tree, &not_all), Some("8"), FloatModel::Exact);
    let greatest = chain.replace("min(", "max(");
    not_proved_with("maxima", (tree, &greatest), Some("8"), FloatModel::Exact);
}

/// In the pair with its sides exchanged, `n` of A is `n_b`, which may be a parameter of its own.
#[test]
fn parameters_that_are_called_like_a_side() {
    let params = "int *out, const int *in, int n, int n_b";
    let a = format!("{ID} if (i < n) {{ out[i] = 1; out[i] = 2; }}");
    let b = format!("{ID} if (i < n_b) out[i] = 2;");
    let given = vec![Expr::parse("n == 7").expect("an expression")];
    let request = Request { given, ..Request::default() };
    let said = both_orders("called", params, &a, &b, None, [&request; 2]);
    assert_eq!(said, [None, None]);
}

#[test]
fn an_alternative_is_no_equation() {
    let a = format!("{ID} if (i < n) out[i] = in[i];");
    let b = format!("{ID} if (i < 4) out[i] = in[i];");
    let said = both_orders("alternative", IN_OUT, &a, &b, None, [&given("n == 4 || n == 8"); 2]);
    assert_eq!(said, [None, None]);
    let said = both_orders("equation", IN_OUT, &a, &b, None, [&given("n == 4"); 2]);
    assert!(said.iter().all(Option::is_some), "{said:?}");
}

#[test]
fn indices_that_are_extended_differently() {
    not_proved(
        "extended",
        "int *out",
        &format!("{ID} int x = i - 1; out[x] = 1;"),
        &format!("{ID} unsigned x = i - 1; out[x] = 1;"),
    );
}

#[test]
fn operands_are_exchanged_unless_bits_are_looked_at() {
    let params = "float *out, const float *in, float f";
    let (a, b) = (format!("{ID} out[i] = f * in[i];"), format!("{ID} out[i] = in[i] * f;"));
    let said = both_orders("exchanged", params, &a, &b, None, [&Request::default(); 2]);
    assert!(said.iter().all(Option::is_some), "{said:?}");
    let params = "int *out, const float *in, float f";
    not_proved(
        "bits",
        params,
        &format!("{ID} out[i] = __float_as_int(f * in[i]);"),
        &format!("{ID} out[i] = __float_as_int(in[i] * f);"),
    );
}

/// Single elements against vectors of four, and what the engines say of both orders.
fn vectors(name: &str, body: &str, relation: &[&str]) -> [Option<String>; 2] {
    let single = kernel(
        "float *out, const float *in, int n",
        &format!("{ID} if (i < n) out[i] = 2.0f * in[i];"),
    );
    let vector = kernel("float4 *out, const float4 *in, int n4", body);
    let turned: Vec<String> = relation
        .iter()
        .map(|text| text.replace("_a", "_c").replace("_b", "_a").replace("_c", "_b"))
        .collect();
    [
        say(&format!("{name}-1"), [&single, &vector], None, &given(&relation.join(" && "))),
        say(&format!("{name}-2"), [&vector, &single], None, &given(&turned.join(" && "))),
    ]
}

const ENOUGH: [&str; 3] =
    ["n_a == 4 * n4_b", "gridDim_a.x * blockDim_a.x >= n_a", "gridDim_b.x * blockDim_b.x >= n4_b"];

const DOUBLED: &str =
    "float4 v = in[i]; v.x *= 2.0f; v.y *= 2.0f; v.z *= 2.0f; v.w *= 2.0f; out[i] = v;";

#[test]
fn vectors_are_their_elements() {
    let said = vectors("vectors", &format!("{ID} if (i < n4) {{ {DOUBLED} }}"), &ENOUGH);
    assert!(said.iter().all(Option::is_some), "{said:?}");
}

#[test]
fn vectors_beyond_the_last_element() {
    let bugs = [
        ("beyond", format!("{ID} if (i <= n4) {{ {DOUBLED} }}")),
        ("before", format!("{ID} if (i < n4 - 1) {{ {DOUBLED} }}")),
        ("lane", format!("{ID} if (i < n4) {{ {} }}", DOUBLED.replace("v.z *= 2.0f;", ""))),
        (
            "swapped",
            format!(
                "{ID} if (i < n4) {{ {} }}",
                DOUBLED.replace("v.x *= 2.0f", "v.x = v.y * 2.0f")
            ),
        ),
    ];
    for (name, body) in bugs {
        assert_eq!(vectors(name, &body, &ENOUGH), [None, None], "{name}");
    }
}

#[test]
fn a_grid_that_is_too_small_for_vectors() {
    let body = format!("{ID} if (i < n4) {{ {DOUBLED} }}");
    let small = [ENOUGH[0], ENOUGH[1], "gridDim_b.x * blockDim_b.x >= n4_b - 1"];
    assert_eq!(vectors("small", &body, &small), [None, None]);
}

#[test]
fn private_cells_under_a_condition() {
    let window = "float w[2]; if (i < n) { for (int k = 0; k < 2; k++) w[k] = in[i + k]; \
                  out[i] = w[0] + w[1]; }";
    let params = "float *out, const float *in, int n";
    let plain = format!("{ID} if (i < n) out[i] = in[i] + in[i + 1];");
    let said = both_orders(
        "window",
        params,
        &plain,
        &format!("{ID} {window}"),
        None,
        [&Request::default(); 2],
    );
    assert!(said.iter().all(Option::is_some), "{said:?}");
    let fewer = window.replace("w[k] =", "if (i < n - 1) w[k] =");
    not_proved("fewer", params, &plain, &format!("{ID} {fewer}"));
}

const ROW: &str =
    "if (i < n) { int s = 0; for (int k = 0; k < n; k++) s += in[i * n + k]; out[i] = s; }";

#[test]
fn a_load_that_is_not_made_in_every_iteration() {
    let ahead = "if (i < n) { int s = 0; int next = in[i * n]; \
                 for (int k = 0; k < n; k++) { int own = next; \
                 if (k + 1 < n) next = in[i * n + k + 1]; s += own; } out[i] = s; }";
    let (a, b) = (format!("{ID} {ROW}"), format!("{ID} {ahead}"));
    let said = both_orders("ahead", IN_OUT, &a, &b, None, [&Request::default(); 2]);
    assert!(said.iter().all(Option::is_some), "{said:?}");
    not_proved("late", IN_OUT, &a, &b.replace("k + 1 < n)", "k + 2 < n)"));
}

#[test]
fn pointers_that_walk() {
    let walk = "if (i < n) { int s = 0; const int *p = in + i * n; \
                for (int k = 0; k < n; k++) s += *p++; out[i] = s; }";
    let (a, b) = (format!("{ID} {ROW}"), format!("{ID} {walk}"));
    let said = both_orders("walk", IN_OUT, &a, &b, None, [&Request::default(); 2]);
    assert!(said.iter().all(Option::is_some), "{said:?}");
    not_proved("jump", IN_OUT, &a, &b.replace("*p++", "*++p"));
}
