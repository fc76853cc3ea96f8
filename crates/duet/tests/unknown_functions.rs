//! Functions that nobody knows: what calls them is never proved, and a run that makes
//! up what they do shows nothing.

use std::process::{Command, Output};

const PROVED: i32 = 0;
const UNPROVEN: i32 = 2;

fn duet(command: &str, name: &str, source: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), source).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder.path())
        .args([command, name])
        .args(options)
        .env("DUET_Z3", z3())
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

/// The solver that `make setup` installed, or one on the path.
fn z3() -> std::path::PathBuf {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join("z3"));
    std::iter::once(root.join(".duet/z3/bin/z3"))
        .chain(places)
        .find(|program| program.is_file())
        .expect("z3 is installed")
}

const CUDA: &[&str] = &["--blockDim=64", "--gridDim=1"];
const OPENCL: &[&str] = &["--local_size=64", "--num_groups=1"];

/// Asserts the exit code, and that the output has a text.
#[track_caller]
fn check(name: &str, source: &str, exit: i32, has: &str) {
    let options = if name.ends_with(".cu") { CUDA } else { OPENCL };
    let output = duet("check", name, source, options);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit), "{source}\n{text}");
    assert!(text.contains(has), "`{has}` is not in\n{text}");
}

const NOT_MODELLED: &str = "Duet does not model functions without a body";

#[test]
fn a_function_without_a_body_may_write() {
    for (declaration, call) in [
        ("__device__ void f(int *a);", "f(a)"),
        ("__device__ void f();", "f()"),
        ("__device__ __attribute__((pure)) int f(int *a);", "a[threadIdx.x] = f(a)"),
        ("extern \"C\" __device__ int f(int);", "f(1)"),
        ("__device__ int *f(int);", "*f(1) = 1"),
        ("struct S { int *p; };\n__device__ int f(S);", "S s = {a}; a[threadIdx.x] = f(s)"),
    ] {
        let source = format!("{declaration}\n__global__ void k(int *a) {{ {call}; }}\n");
        check("k.cu", &source, UNPROVEN, NOT_MODELLED);
    }
    let source = "void f(global int *a);\nkernel void k(global int *a) { f(a); }\n";
    check("k.cl", source, UNPROVEN, NOT_MODELLED);
}

#[test]
fn a_function_of_its_arguments_alone_touches_no_memory() {
    for declaration in [
        "__device__ __attribute__((const)) int f(int);",
        "__device__ int __uninterpreted_function_f(int);\n#define f __uninterpreted_function_f\n",
    ] {
        let source = format!(
            "{declaration}\n__global__ void k(int *a) {{ a[threadIdx.x] = f(threadIdx.x); }}\n"
        );
        check("k.cu", &source, PROVED, "proved");
    }
}

#[test]
fn a_function_of_numbers_is_assumed_to_touch_no_memory() {
    let source = "__device__ int f(int);\n\
                  __global__ void k(int *a) { a[threadIdx.x] = f(threadIdx.x); }\n";
    check("k.cu", source, PROVED, "`f`, which has no body, touches no memory");
    let options = ["--blockDim=64", "--gridDim=1", "--strict"];
    let output = duet("check", "k.cu", source, &options);
    assert_eq!(output.status.code(), Some(UNPROVEN), "{output:?}");
}

#[test]
fn names_of_c_are_not_names_of_c_plus_plus() {
    for name in ["prefetch", "fflush", "puts", "abort", "__assert_fail", "printf"] {
        let source = format!(
            "__device__ void {name}(int *a, char);\n__global__ void k(int *a) {{ {name}(a, 'x'); }}\n"
        );
        check("k.cu", &source, UNPROVEN, NOT_MODELLED);
    }
}

#[test]
fn overloads_of_the_user() {
    for (declaration, value) in [
        ("struct S { int a, b; };\nfloat OV sin(struct S x);", "sin(s)"),
        ("struct S { float a; };\nfloat OV sin(struct S x);", "sin(s)"),
        ("struct S { int a; };\nint OV max(int a, short b);", "max(1, (short)2)"),
        ("struct S { int a; };\nint OV clz(int a, int b, int c, int d);", "clz(1, 2, 3, 4)"),
        ("struct S { int a; };\nint OV min(float a, int b);", "min(1.0f, 2)"),
        ("struct S { int a; };\nint OV select(int a, float b, double c);", "select(1, 2.0f, 3.0)"),
        ("struct S { int a; };\nint OV dot(int2 a, float3 b);", "dot((int2)1, (float3)2)"),
        ("struct S { int a; };\nint OV convert_int(int4 a);", "convert_int((int4)1)"),
        ("struct S { int a; };\nfloat OV frexp(int a, global float *b);", "frexp(1, f)"),
        ("struct S { int a; };\nint OV get_global_id(float a);", "get_global_id(1.0f)"),
        ("struct S { int a; };\nint OV mad_sat(bool a, bool b, bool c);", "mad_sat(a, b, a)"),
        ("struct S { int a; };\nint OV shuffle(int4 a, float4 b);", "shuffle((int4)1, (float4)2)"),
    ] {
        let source = format!(
            "#define OV __attribute__((overloadable))\n{declaration}\n\
             kernel void k(global int *out, struct S s, global float *f) {{\n\
             bool a = s.a > 0, b = true;\n  out[get_local_id(0)] = {value};\n}}\n"
        );
        check_strict(&source);
    }
}

/// What is given numbers alone is only taken to touch no memory: with `--strict` it is
/// not modelled either.
#[track_caller]
fn check_strict(source: &str) {
    let output = duet("check", "k.cl", source, &[OPENCL, &["--strict"]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(UNPROVEN), "{source}\n{text}");
    assert!(text.contains(NOT_MODELLED), "{text}");
}

#[test]
fn specifications_are_not_bodies() {
    // What is returned is unknown, or what is ensured of it, whatever the body returns.
    for (body, exit, has) in [
        ("__writes_to(a); return 0;", UNPROVEN, "two threads may"),
        ("__ensures(__return_val_int() == (int)threadIdx.x); return 0;", PROVED, "contract"),
        ("return 0;", UNPROVEN, "two threads may"),
        // What is ensured must come last, and memory is touched in clauses only.
        ("__ensures(true); __writes_to(a); return 0;", UNPROVEN, NOT_MODELLED),
        ("a[0] = 1; __ensures(true); return 0;", UNPROVEN, NOT_MODELLED),
    ] {
        // With the body as it stands, all threads write to one place.
        let source = format!(
            "__device__ int __spec_place(int *a) {{ {body} }}\n\
             __global__ void k(int *a, int *b) {{ b[__spec_place(a)] = threadIdx.x + a[0]; }}\n"
        );
        check("k.cu", &source, exit, has);
    }
    let source = "__global__ void k(int *a) { __writes_to(a); a[threadIdx.x] = 1; }\n";
    check("k.cu", source, UNPROVEN, "Duet does not model what a specification says");
}

/// Only what the conversion yields leads to the failing assertion.
const OPEN_CONVERSION: &str = "__global__ void k(int *a, float x) {
  __requires(x > 4000000000.0f);
  int i = (int)x;
  __assert(i != 2147483647);
  a[threadIdx.x] = i;
}
";

#[test]
fn a_run_with_an_open_conversion_is_no_witness() {
    check("k.cu", OPEN_CONVERSION, UNPROVEN, "an assertion may fail");
    // Where nothing depends on the number, a run does show the race.
    let race = "__global__ void k(int *a, float x) {
  __requires(x > 4000000000.0f);
  a[0] = (int)x + threadIdx.x;
}
";
    check("k.cu", race, 1, "write-write-race");
}

#[test]
fn a_run_warns_of_an_open_conversion() {
    let source =
        "__global__ void k(int *a, float *x) {\n  a[threadIdx.x] = (int)(x[0] + 4e9f);\n}\n";
    let output = duet("run", "k.cu", source, CUDA);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("warning[conversion-out-of-range]"), "{text}");
    assert!(text.contains("k.cu:2:"), "{text}");
}
