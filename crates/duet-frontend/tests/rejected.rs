//! What Duet does not model is an error that names the construct, its place and
//! what to do; kernels beside it are read.

mod common;

use common::{assert_has, cuda, errors_of, load_llvm, load_with, reading};
use duet_ir::{Rule, Severity};

/// Asserts that a source is rejected for a construct at a line.
#[track_caller]
fn check(name: &str, text: &str, construct: &str, line: u32) {
    let errors = errors_of(name, text);
    let error = &errors[0];
    assert_eq!(error.rule, Rule::UnsupportedConstruct, "{errors:#?}");
    assert!(error.headline.contains(construct), "{errors:#?}");
    let place = error.primary.as_ref().unwrap_or_else(|| panic!("no place: {errors:#?}"));
    assert_eq!(place.line, line, "{errors:#?}");
    assert!(place.file.ends_with(name), "{errors:#?}");
    assert!(error.help.is_some(), "no advice: {errors:#?}");
}

/// An assumption is the user's only if a line of the source wrote it.
#[test]
fn an_assumption_that_no_line_wrote() {
    let body = "  %x = load i32, ptr %p\n  %positive = icmp sgt i32 %x, 0\n  \
                call void @llvm.assume(i1 %positive)";
    let errors = load_llvm(body).err().expect("an error");
    assert_eq!(errors[0].rule, Rule::UnsupportedConstruct, "{errors:#?}");
    let expected = "an assumption that no source line wrote";
    assert!(errors[0].headline.contains(expected), "{errors:#?}");
    let written = "__global__ void k(int *p, int n) {\n  __builtin_assume(n > 0);\n  *p = n;\n}\n";
    assert_has(&cuda(written), &["annotation assume"]);
}

#[test]
fn recursion() {
    let text = "__device__ int f(int n) {\n  return n < 2 ? 1 : n * f(n - 1);\n}\n\
                __global__ void k(int *out) { out[0] = f(5); }\n";
    check("k.cu", text, "recursion (`f` calls itself)", 2);
}

#[test]
fn recursion_over_pointers() {
    let text = "__device__ int f(const int *p, int n) {\n  return n ? *p + f(p + 1, n - 1) : 0;\n}\n\
                __global__ void k(int *out, const int *in) { out[0] = f(in, 5); }\n";
    check("k.cu", text, "recursion (`f` calls itself)", 2);
}

#[test]
fn mutual_recursion() {
    let text = "__device__ int odd(int n);\n\
                __device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n\
                __device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n\
                __global__ void k(int *out) { out[0] = even(8); }\n";
    let errors = errors_of("k.cu", text);
    assert!(errors.iter().all(|error| error.headline.contains("recursion")), "{errors:#?}");
}

#[test]
fn a_function_pointer_from_the_host() {
    let text = "__global__ void k(int *out, int (*f)(int)) {\n  out[0] = f(5);\n}\n";
    check("k.cu", text, "a call through a pointer", 2);
}

#[test]
fn unknown_inline_ptx() {
    let text = "__global__ void k(int *out) {\n  int x;\n  asm(\"vnosuch.s32.s32.s32 %0, 1, 2;\" : \"=r\"(x));\n  out[0] = x;\n}\n";
    check("k.cu", text, "inline PTX `vnosuch.s32.s32.s32", 3);
}

/// What reads memory or a special register is no function of its operands.
#[test]
fn ptx_that_reads_memory_unseen() {
    for statement in [
        "ld.volatile.global.u32 %0, [%1];",
        "add.u32 %0, %1, %%laneid;",
        "ldu.global.u32 %0, [%1];",
    ] {
        let text = format!(
            "__global__ void k(int *a) {{\n  int x;\n  \
             asm(\"{statement}\" : \"=r\"(x) : \"l\"(a));\n  a[x] = 1;\n}}\n"
        );
        check("k.cu", &text, "inline PTX", 3);
    }
}

#[test]
fn several_statements_of_inline_ptx() {
    let text = "__global__ void k() {\n  asm volatile(\"membar.gl; bar.sync 0;\");\n}\n";
    check("k.cu", text, "inline PTX", 2);
}

/// A launch that a macro hides is not made a call.
#[test]
fn dynamic_parallelism_in_a_macro() {
    let text = "#define RUN(kernel) kernel<<<1, 32>>>\n\
                __global__ void child(int *a) { a[threadIdx.x] = 1; }\n\
                __global__ void k(int *a) {\n  RUN(child)(a);\n}\n";
    check("k.cu", text, "a kernel that launches a kernel", 4);
}

#[test]
fn an_array_of_variable_length() {
    let text = "__global__ void k(int *out, int n) {\n  int *a = (int *)__builtin_alloca(n);\n  \
                a[0] = 1;\n  out[0] = a[0];\n}\n";
    check("k.cu", text, "an array whose length is not a constant", 2);
}

#[test]
fn other_kernels_of_the_file_are_read() {
    let text = "__global__ void bad() { asm volatile(\"nosuch;\"); }\n\
                __global__ void good(int *a) { a[threadIdx.x] = 1; }\n";
    let loaded = load_with("k.cu", text, &reading()).expect("one kernel can be read");
    let names: Vec<&str> =
        loaded.module.kernels().map(|(_, kernel)| kernel.name.as_str()).collect();
    assert_eq!(names, ["good"]);
    assert_eq!(loaded.diagnostics.len(), 1, "{:#?}", loaded.diagnostics);
    assert_eq!(loaded.diagnostics[0].severity, Severity::Error);
}

#[test]
fn a_compiler_error_keeps_its_place_and_notes() {
    let errors = errors_of("k.cl", "__kernel void k(__global int *a) {\n  a[0] = b;\n}\n");
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let place = errors[0].primary.as_ref().expect("a place");
    assert_eq!((place.line, place.column), (2, 10));
    assert!(errors[0].headline.contains("'b'"), "{errors:#?}");
}

#[test]
fn assembly_with_an_operand_in_memory() {
    for operands in [": \"=m\"(x)", ": \"+m\"(x)", ": : \"m\"(x)", ": \"=m\"(x) : : \"memory\""] {
        for statement in ["", "membar.gl;"] {
            let text = format!(
                "__global__ void k(int *a) {{\n  int x = threadIdx.x;\n  \
                 asm volatile(\"{statement}\" {operands});\n  a[x] = 1;\n}}\n"
            );
            check("k.cu", &text, "inline assembly with an operand in memory", 3);
        }
    }
}

#[test]
fn results_of_assembly_that_has_none() {
    let text = "__global__ void k(int *a) {\n  int x;\n  asm(\"membar.gl;\" : \"=r\"(x));\n  a[x] = 1;\n}\n";
    check("k.cu", text, "inline PTX", 3);
}

#[test]
fn assembly_outside_of_functions() {
    let text =
        "__asm__(\".globl hidden\");\nkernel void k(global int *a) { a[get_global_id(0)] = 1; }\n";
    let errors = errors_of("k.cl", text);
    assert_eq!(errors[0].rule, Rule::UnsupportedConstruct, "{errors:#?}");
    assert!(errors[0].headline.contains("assembly outside of functions"), "{errors:#?}");
}

#[test]
fn built_ins_with_effects_and_other_parameters() {
    for (declaration, call) in [
        ("void __attribute__((overloadable)) barrier(float f);", "barrier(1.0f)"),
        (
            "int __attribute__((overloadable)) atomic_add(volatile global int *p, float f);",
            "atomic_add(a, 1.0f)",
        ),
        ("void __attribute__((overloadable)) mem_fence(int2 f);", "mem_fence((int2)(1, 2))"),
        (
            "void __attribute__((overloadable)) vstore2(int x, float i, global int *p);",
            "vstore2(1, 1.0f, a)",
        ),
    ] {
        let text = format!("{declaration}\nkernel void k(global int *a) {{\n  {call};\n}}\n");
        check("k.cl", &text, "OpenCL has no such function", 3);
    }
}
