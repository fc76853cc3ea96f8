//! Input as people have it: whole programs, templates, options for the compiler,
//! bitcode, files for 32 bits.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{assert_has, cuda, ir, load_with, reading};
use duet_frontend::Options;
use duet_ir::{Rule, Severity};

const TEMPLATES: &str = "template <typename T, int N> __global__ void fill(T *a) { a[0] = N; }
    template <typename T> __global__ void unused(T *a) { a[0] = 1; }
    template __global__ void fill<int, 3>(int *);
    int main() { float *p = nullptr; fill<float, 4><<<1, 32>>>(p); }";

/// The names of the kernels that are read when these are asked for.
fn kernels(text: &str, wanted: &[&str]) -> Vec<String> {
    let kernels = wanted.iter().map(|name| name.to_string()).collect();
    let options = Options { kernels, ..reading() };
    let loaded = load_with("k.cu", text, &options).expect("it is read");
    let mut names: Vec<String> =
        loaded.module.kernels().map(|(_, kernel)| kernel.name.clone()).collect();
    names.sort();
    names
}

#[test]
fn templates_that_are_launched_or_instantiated() {
    assert_eq!(kernels(TEMPLATES, &[]), ["fill<float, 4>", "fill<int, 3>"]);
}

#[test]
fn kernels_by_name() {
    assert_eq!(kernels(TEMPLATES, &["fill<int, 3>"]), ["fill<int, 3>"]);
    assert_eq!(kernels(TEMPLATES, &["fill"]), ["fill<float, 4>", "fill<int, 3>"]);
    assert_eq!(kernels(TEMPLATES, &["_Z4fillIfLi4EEvPT_"]), ["fill<float, 4>"]);
}

#[test]
fn a_kernel_that_is_not_there() {
    let options = Options { kernels: vec!["unused".into()], ..reading() };
    let errors = load_with("k.cu", TEMPLATES, &options).err().expect("it has no such kernel");
    assert_eq!(errors[0].rule, Rule::NoSuchKernel);
    assert!(errors[0].notes[0].contains("fill<int, 3>"), "{errors:?}");
}

#[test]
fn a_whole_program() {
    let ir = cuda(
        r#"#include <algorithm>
           #include <cstdio>
           #include <map>
           #include <string>
           #include <vector>
           #include <cuda_runtime.h>
           #include <device_launch_parameters.h>
           __global__ void add(const int *a, int *b, int n) {
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             if (i < n) b[i] += a[i];
           }
           int main(int argc, char **argv) {
             std::vector<int> host(100, 1);
             std::map<std::string, int> names{{"a", 1}};
             int *a, *b;
             cudaMalloc(&a, 400);
             cudaMalloc((void **)&b, 400);
             cudaMemcpy(a, host.data(), 400, cudaMemcpyHostToDevice);
             add<<<dim3(4), 32, 0, cudaStreamPerThread>>>(a, b, 100);
             std::sort(host.begin(), host.end(), [](int x, int y) { return x > y; });
             printf("%d %s\n", host[0], cudaGetErrorString(cudaGetLastError()));
             return cudaDeviceSynchronize() != cudaSuccess;
           }"#,
    );
    assert_has(&ir, &["kernel add symbol", "(a: @a, b: @b, n: i32 ", "store i32 @b["]);
}

#[test]
fn options_reach_the_compiler() {
    let folder = tempfile::tempdir().expect("a folder");
    let include = folder.path().join("inc");
    std::fs::create_dir(&include).expect("a folder");
    std::fs::write(include.join("extra.h"), "#define EXTRA 1\n").expect("a file");
    let first = folder.path().join("first.h");
    std::fs::write(&first, "#define FIRST 4\n").expect("a file");
    let text = "#include <extra.h>\n__global__ void k(int *a) {
        a[0] = EXTRA + DEFINED + FIRST + 8 * (__cplusplus == 202002L) + ARGUMENT; }";
    let options = Options {
        include_dirs: vec![include],
        includes: vec![first],
        defines: vec!["DEFINED=2".into()],
        standard: Some("c++20".into()),
        clang_args: vec!["-DARGUMENT=16".into()],
        ..reading()
    };
    assert_has(&ir(load_with("k.cu", text, &options)), &["store i32 @a[0], 31 "]);
}

#[test]
fn a_cuda_sdk_comes_after_our_headers() {
    let sdk = tempfile::tempdir().expect("a folder");
    let include = sdk.path().join("include");
    std::fs::create_dir(&include).expect("a folder");
    std::fs::write(include.join("helper_of_the_sdk.h"), "#define HELP 5\n").expect("a file");
    std::fs::write(include.join("cuda_runtime.h"), "#error not ours\n").expect("a file");
    let text = "#include <cuda_runtime.h>\n#include <helper_of_the_sdk.h>\n
        __global__ void k(int *a) { a[0] = HELP; }";
    let options = Options { cuda_path: Some(sdk.path().to_owned()), ..reading() };
    assert_has(&ir(load_with("k.cu", text, &options)), &["store i32 @a[0], 5 "]);
}

/// A header of the host that is not there is read as empty, with a warning.
#[test]
fn a_missing_header_of_the_host() {
    let text = "#include <nowhere.h>
        __global__ void k(int *a) { a[threadIdx.x] = 1; }
        int main(int argc, char **argv) {
          nowhere_t *handle = nowhere_open(&argc);
          nowhere_status status = {};
          if (nowhere::check(handle, NOWHERE_ALL) != 0 || status.code > 1) return 1;
          k<<<1, 32>>>((int *)handle->memory);
        }";
    let loaded = load_with("k.cu", text, &reading()).expect("it is read");
    assert_eq!(loaded.diagnostics.len(), 1, "{:?}", loaded.diagnostics);
    assert_eq!(loaded.diagnostics[0].rule, Rule::MissingHeader);
    assert_eq!(loaded.diagnostics[0].severity, Severity::Warning);
    assert!(loaded.diagnostics[0].headline.contains("nowhere.h"));
}

/// What a missing header declares cannot be used on the device, not even a type's size.
#[test]
fn a_kernel_that_needs_an_unknown_type_is_not_read() {
    for body in [
        "a[threadIdx.x] = sizeof(nowhere_t);",
        "nowhere_t x;",
        "a[0] = nowhere_get();",
        "p[threadIdx.x] = p[0];",
        "a[(char *)(p + 1) - (char *)p] = 1;",
    ] {
        let text =
            format!("#include <nowhere.h>\n__global__ void k(int *a, nowhere_t *p) {{ {body} }}\n");
        let Err(errors) = load_with("k.cu", &text, &reading()) else { panic!("read: {body}") };
        assert!(errors[0].headline.contains("nowhere.h"), "{body}: {errors:#?}");
    }
}

/// A host function that does not compile is left out, a function of the device is not.
#[test]
fn an_error_in_a_kernel_ends_the_file() {
    let kernel = "__global__ void k(int *a) { a[threadIdx.x] = 1; }";
    let host = format!("{kernel}\nint main() {{\n  int x = \"text\";\n  return x;\n}}\n");
    let loaded = load_with("k.cu", &host, &reading()).expect("the kernel is read");
    assert_eq!(loaded.diagnostics.len(), 1, "{:?}", loaded.diagnostics);
    assert!(loaded.diagnostics[0].headline.contains("int main()"), "{:?}", loaded.diagnostics);
    for mark in ["__global__ void", "__device__ int", "MARK int", "__host__ __device__ int"] {
        let text =
            format!("#define MARK __device__\n{kernel}\n{mark} f() {{\n  int x = \"text\";\n}}\n");
        assert!(load_with("k.cu", &text, &reading()).is_err(), "{mark}");
    }
}

#[test]
fn a_file_for_32_bits_is_read_so_and_says_so() {
    let text = "typedef char check[sizeof(size_t) == 4 ? 1 : -1];
        __kernel void k(__global int *a) { a[get_global_id(0)] = 1; }";
    let loaded = load_with("k.cl", text, &reading()).expect("it is read");
    assert_eq!(loaded.module.pointer_width, 32);
    assert_eq!(loaded.diagnostics.len(), 1, "{:?}", loaded.diagnostics);
    assert_eq!(loaded.diagnostics[0].rule, Rule::NarrowPointers);
    assert_eq!(loaded.diagnostics[0].severity, Severity::Warning);
    let wide = Options { pointer_width: Some(64), ..reading() };
    assert!(load_with("k.cl", text, &wide).is_err(), "64 bits were asked for");
    let narrow = Options { pointer_width: Some(32), ..reading() };
    let quiet = load_with("k.cl", text, &narrow).expect("it is read");
    assert_eq!(quiet.diagnostics, []);
}

#[test]
fn the_language_is_guessed_from_the_text() {
    let opencl = load_with("k.txt", "__kernel void k(__global int *a) { *a = 1; }", &reading());
    assert_has(&ir(opencl), &["module opencl 64"]);
    let cuda = load_with("k.txt", "__global__ void k(int *a) { *a = 1; }", &reading());
    assert_has(&ir(cuda), &["module cuda 64"]);
}

/// Bitcode that clang made outside of Duet.
fn bitcode(args: &[&str], name: &str, text: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join(name);
    std::fs::write(&source, text).expect("a file");
    let target: PathBuf = folder.path().join("k.bc");
    let status = Command::new("clang-19")
        .args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", "-o"])
        .arg(&target)
        .args(args)
        .arg(&source)
        .status()
        .expect("clang-19");
    assert!(status.success());
    std::fs::read(target).expect("bitcode")
}

#[test]
fn bitcode_is_input_too() {
    let text = "__kernel void twice(__global int *a) { a[get_global_id(0)] *= 2; }";
    let opencl = ["-target", "spir64", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header"];
    let bytes = bitcode(&opencl, "k.cl", text);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.bc");
    std::fs::write(&path, &bytes).expect("a file");
    let ir = ir(duet_frontend::load(&path, &reading()));
    assert_has(&ir, &["module opencl 64", "kernel twice symbol twice (a: @a)", "store i32 @a["]);
}

#[test]
fn broken_bitcode_is_an_error() {
    let text = "__kernel void k(__global int *a) { *a = 2; }";
    let opencl = ["-target", "spir64", "-Xclang", "-finclude-default-header"];
    let bytes = bitcode(&opencl, "k.cl", text);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.bc");
    for len in [4, 40, bytes.len() / 2, bytes.len() - 4] {
        std::fs::write(&path, &bytes[..len]).expect("a file");
        let errors = duet_frontend::load(&path, &reading()).err().expect("it is cut short");
        assert_eq!(errors[0].rule, Rule::BadBitcode, "{errors:?}");
    }
}

#[test]
fn every_shipped_header_is_found() {
    for header in [
        "cuda_runtime.h",
        "cuda.h",
        "device_launch_parameters.h",
        "cooperative_groups.h",
        "cuda_fp16.h",
        "cuda_bf16.h",
        "curand_kernel.h",
        "math_constants.h",
        "vector_types.h",
        "texture_fetch_functions.h",
    ] {
        let text = format!("#include <{header}>\n__global__ void k(int *a) {{ *a = 1; }}\n");
        assert_has(&cuda(&text), &["store i32 @a[0], 1 "]);
    }
}
