//! Pointers become (array, byte offset), whatever way they take.

mod common;

use common::{assert_has, assert_lacks, cuda, opencl};

#[test]
fn a_struct_by_value_brings_its_pointers() {
    let ir = cuda(
        "struct V { float *data; int n; struct { int *index; } in; };
         __global__ void k(V v) { int i = threadIdx.x; if (i < v.n) v.data[v.in.index[i]] = 1; }",
    );
    assert_has(&ir, &["v.data: @v.data", "v.n: i32 ", "v.in.index: @v.in.index"]);
    assert_has(&ir, &["load i32 @v.in.index[", "store f32 @v.data["]);
    assert_lacks(&ir, &["private"]);
}

#[test]
fn a_table_of_pointers_is_a_case_split() {
    let ir = cuda(
        "__global__ void k(int *a, int *b, int *c, int n) {
           int *t[3] = {a, b, c}; t[n][threadIdx.x] = 1; }",
    );
    assert_has(&ir, &["store i32 @a[", "store i32 @b[", "store i32 @c[", "assert pointer false"]);
}

#[test]
fn a_table_read_at_constants_needs_no_memory() {
    let ir = cuda(
        "__global__ void k(int *a, int *b) { int *t[2] = {a, b}; t[1][threadIdx.x] = *t[0]; }",
    );
    assert_has(&ir, &["load i32 @a[0]", "store i32 @b["]);
    assert_lacks(&ir, &["private", "assert"]);
}

#[test]
fn a_pointer_loaded_from_memory_may_point_anywhere() {
    let ir = cuda("__global__ void k(int **t, int *other) { *t[0] = 1; *other = 2; }");
    assert_has(&ir, &["int_to_ptr", "store i32 @t[", "store i32 @other[", "assert pointer false"]);
}

#[test]
fn a_pointer_that_changes_in_a_loop() {
    let ir = cuda(
        "__global__ void k(int *a, int *b, int n) { int *p = a, *q = b;
           for (int i = 0; i < n; i++) { p[i] = i; int *t = p; p = q; q = t; } }",
    );
    assert_has(&ir, &["(ref ", "store i32 @a[", "store i32 @b["]);
}

#[test]
fn a_pointer_into_the_middle() {
    let ir = cuda("__global__ void k(int *a) { int *p = a + 8; p[-3] = 1; *(char *)(p + 1) = 2; }");
    assert_has(&ir, &["array @a global param granule 1", "store i32 @a[20]", "store i8 @a[36]"]);
}

#[test]
fn null_stays_null() {
    let ir = cuda("__global__ void k(int *a, int c) { int *p = 0; if (c == 3) *p = 1; a[c] = 1; }");
    assert_has(&ir, &["icmp eq i32", "assert pointer false", "halt", "store i32 @a["]);
    let ir = cuda("__global__ void k(int *a, int c) { int *p = c ? a : nullptr; if (p) *p = 1; }");
    assert_has(&ir, &["@a", "null", "store i32 @a[0]"]);
}

#[test]
fn a_function_pointer_is_compared_with_its_candidates() {
    let ir = cuda(
        "__device__ int one(int x) { return x + 1; }
         __device__ int two(int x) { return x * 2; }
         __global__ void k(int *a, int c) { int (*f)(int) = c ? one : two; a[0] = f(a[1]); }",
    );
    assert_has(&ir, &["add nsw i32", "mul nsw i32"]);
    assert_lacks(&ir, &["call"]);
}

#[test]
fn granules() {
    let ir = cuda(
        "__global__ void k(int *a, int *b, short *c, double *d) {
           a[threadIdx.x] = 1; ((char *)b)[threadIdx.x] = 1; b[0] = 2; c[1] = 1; d[1] = 2; }",
    );
    assert_has(
        &ir,
        &[
            "array @a global param granule 4",
            "array @b global param granule 1",
            "array @c global param granule 2",
            "array @d global param granule 8",
        ],
    );
}

#[test]
fn a_vector_access_keeps_the_element_granule() {
    let ir = opencl("__kernel void k(__global float4 *a) { a[get_global_id(0)].xy = 0.0f; }");
    assert_has(&ir, &["array @a global param granule 4"]);
}

#[test]
fn all_extern_shared_names_are_one_array() {
    let ir = cuda(
        "extern __shared__ int s[]; extern __shared__ float f[];
         __global__ void k(float *out) { s[threadIdx.x] = 1; out[threadIdx.x] = f[1]; }",
    );
    assert_eq!(ir.matches("dynamic_shared").count(), 1, "{ir}");
    assert_has(&ir, &["store i32 @s[", "load f32 @s[4]"]);
}

#[test]
fn private_arrays_indexed_by_constants_are_values() {
    let ir = cuda(
        "__global__ void k(int *a) { int t[4]; for (int i = 0; i < 4; i++) t[0] = a[i];
           t[3] = t[0]; a[0] = t[3]; }",
    );
    assert_lacks(&ir, &["private"]);
    let ir = cuda("__global__ void k(int *a, int i) { int t[4] = {1, 2, 3, 4}; a[0] = t[i]; }");
    assert_has(&ir, &["private", "size 16"]);
}

#[test]
fn textures_are_arrays() {
    let ir = cuda(
        "texture<float, 2> image;
         __global__ void k(float *out, cudaTextureObject_t o) {
           out[threadIdx.x] = tex2D(image, 1.0f, 2.0f) + tex1Dfetch<float>(o, threadIdx.x); }",
    );
    assert_has(&ir, &["array @image global image", "array @\"o:texture\" global image"]);
    assert_has(&ir, &["load f32 @image[", "load f32 @\"o:texture\"["]);
}

#[test]
fn images_are_arrays() {
    let ir = opencl(
        "__kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
           int2 p = (int2)(get_global_id(0), 3); write_imagef(out, p, read_imagef(in, s, p)); }",
    );
    assert_has(&ir, &["array @in global image", "array @out global image"]);
    assert_has(&ir, &["load f32 x 4 @in[", "store f32 @out["]);
}

/// A pointer that may lead to constant memory: an atomic operation there fails.
#[test]
fn atomics_on_constant_memory_fail() {
    let ir = cuda(
        "__constant__ int table[4];
         __global__ void k(int **p) { p[1][0] = atomicAdd(p[0], 1) + table[0]; }",
    );
    assert_has(&ir, &["assert constant_write false", "fresh i32 \"atomic operation on constant"]);
    assert_lacks(&ir, &["atomic add device i32 @table", "store i32 @table"]);
}

/// Trap 9: what the compiler would assume away is still there.
#[test]
fn uninitialised_values_stay_unknown() {
    let ir = cuda(
        "__global__ void k(int *out) { int c = threadIdx.x; int x; if (c > 3) x = c; out[x] = 1; }",
    );
    assert_has(&ir, &["= fresh i32 \"uninitialised variable `x`\"", "(i32 v", "sext v"]);
}

/// A variable declared in a loop is unknown in every iteration.
#[test]
fn uninitialised_values_are_unknown_anew_in_each_round() {
    let ir = cuda(
        "__global__ void k(int *out, int n) {
           for (int i = 0; i < n; i++) { int x; out[i] = x; x = 7; } }",
    );
    let (before, after) =
        ir.split_once("= fresh i32 \"uninitialised variable `x`\"").expect("fresh");
    assert!(before.contains("icmp slt"), "it is made inside the loop:\n{ir}");
    assert!(after.contains("store i32 @out["), "{ir}");
    assert_lacks(&ir, &["store i32 @out[v7], 7"]);
}
