//! Sources that need more than a look: templates that nothing instantiates, tables of
//! functions, spellings that clang rejects.

mod common;

use common::{assert_has, assert_lacks, cuda, errors_of, ir, load_with, opencl, reading};
use duet_frontend::Options;
use duet_ir::Rule;

const TEMPLATES: &str =
    "template <class T, int N> __global__ void apply(T *a) { a[threadIdx.x] = N; }
namespace q { template <typename T> __global__ void __launch_bounds__(64) fill(T *a) { a[0] = 1; } }
";

fn instance(name: &str) -> Result<duet_frontend::Loaded, Vec<duet_ir::Diagnostic>> {
    let options = Options { kernels: vec![name.to_string()], ..reading() };
    load_with("k.cu", TEMPLATES, &options)
}

#[test]
fn an_instance_is_made_if_it_is_asked_for() {
    for name in ["apply<float, 4>", "apply<float,4>", "apply<unsigned, 3>", "q::fill<double>"] {
        let text = ir(instance(name));
        assert_eq!(text.matches("kernel ").count(), 1, "{name}:\n{text}");
    }
    assert_has(&ir(instance("apply<float, 4>")), &["kernel \"apply<float, 4>\"", "store f32 @a"]);
}

#[test]
fn a_file_of_templates_names_them() {
    let errors = errors_of("k.cu", TEMPLATES);
    assert_eq!(errors[0].rule, Rule::NoKernel);
    let notes = errors[0].notes.join("\n");
    assert!(notes.contains("apply<class T, int N>, fill<typename T>"), "{errors:#?}");
    assert!(errors[0].help.as_ref().is_some_and(|help| help.contains("--kernel 'apply<")));
}

#[test]
fn an_instance_that_cannot_be_made_is_an_error() {
    let errors = instance("apply<float>").err().expect("an error");
    assert_eq!(errors[0].rule, Rule::NoSuchKernel);
    assert!(errors[0].headline.contains("cannot instantiate the kernel `apply<float>`"));
    assert!(errors[0].notes[0].starts_with("clang says: "), "{errors:#?}");
}

const TABLE: &str = "typedef int (*f)(int);
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x * 2; }
QUALIFIER f table[2] = {one, two};
__global__ void k(int *a, int i) { a[threadIdx.x] = table[INDEX](threadIdx.x); }
";

/// The host could change the table, so whoever proves something has to know.
#[test]
fn entries_of_tables_are_an_assumption() {
    for index in ["i", "1"] {
        let read =
            |qualifier: &str| cuda(&TABLE.replace("QUALIFIER", qualifier).replace("INDEX", index));
        assert_has(&read("__device__"), &["beyond_table \"table\""]);
        assert_has(&read("__constant__"), &["beyond_table \"table\""]);
        assert_lacks(&read("__device__"), &["load i64 @table"]);
    }
    // A table that the kernel makes for itself is what it is.
    let own = cuda(
        &TABLE
            .replace("QUALIFIER f table[2]", "static constexpr __device__ f unused[2]")
            .replace("int i) {", "int i) { f table[2] = {two, one};")
            .replace("INDEX", "i & 1"),
    );
    assert_lacks(&own, &["beyond_table"]);
}

/// A table that is written, or whose address goes elsewhere, may hold anything.
#[test]
fn a_table_that_is_written_is_not_known() {
    let written = TABLE.replace("QUALIFIER", "__device__").replace("INDEX", "i")
        + "__global__ void change() { table[0] = two; }\n";
    assert_has(&cuda(&written), &["load i64 @table"]);
    let handed_on = TABLE.replace("QUALIFIER", "__device__").replace("INDEX", "i")
        + "__global__ void hand(f **p) { *p = table; }\n";
    assert_has(&cuda(&handed_on), &["load i64 @table"]);
}

#[test]
fn shared_variables_may_be_called_device() {
    let read = cuda(
        "__global__ void k(int *a) {\n  __device__ __shared__ int s[4];\n  s[threadIdx.x] = 1;\n  a[0] = s[0];\n}\n",
    );
    assert_has(&read, &["array @s shared", "store i32 @s"]);
    // Other mistakes stay, with their place.
    let errors = errors_of(
        "k.cu",
        "__global__ void k(int *a) {\n  __device__ __shared__ int s[4];\n  a[0] = t;\n}\n",
    );
    assert!(
        errors.iter().any(|error| error.primary.as_ref().is_some_and(|at| at.line == 3)),
        "{errors:#?}"
    );
}

#[test]
fn structures_of_pointers_are_parameters_of_opencl_kernels() {
    let source = "typedef struct { __global int *to; __global const int *from; int n; } Args;
__kernel void k(Args p) { if (get_global_id(0) < p.n) p.to[get_global_id(0)] = p.from[0]; }
";
    assert_has(&opencl(source), &["kernel k ", "global param", "store i32 @"]);
    // What the source requires of the launch is not lost.
    let sized = source
        .replace("__kernel void", "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void");
    assert_has(&opencl(&sized), &["required_block 8 1 1", "store i32 @"]);
}

/// Flags of intrinsics that make the result for one operand undefined.
#[test]
fn flags_that_make_results_undefined() {
    let read = cuda(
        "__global__ void k(int *a) { a[0] = __builtin_clz(a[1]); a[2] = __builtin_ctz(a[3]); }",
    );
    let unknown = read.matches("fresh i32 \"undefined value\"").count();
    assert_eq!(unknown, 2, "{read}");
    let defined = "__global__ void k(int *a) { a[0] = __clz(a[1]) + __popc(a[2]) + __ffs(a[3]); }";
    assert_lacks(&cuda(defined), &["undefined"]);
}

#[test]
fn weak_exchanges_may_fail() {
    let kernel = |weak: bool| {
        format!(
            "__global__ void k(int *a) {{ int e = 0; a[1] = __atomic_compare_exchange_n(a, &e, 1, {weak}, 0, 0); }}"
        )
    };
    assert_has(&cuda(&kernel(true)), &["failure of a weak exchange"]);
    assert_lacks(&cuda(&kernel(false)), &["weak"]);
}
