//! Kernels for tests of caches.

/// Kernels that need a solver: the first is right, and the second is the first with two threads
/// at one element.
pub const KERNELS: [(&str, &str); 2] = [
    (
        "good.cu",
        "__global__ void good(unsigned *a) {
  a[blockIdx.x * 64 + ((threadIdx.x * 5 + 3) ^ threadIdx.x * 8) % 64] = threadIdx.x;
}
",
    ),
    (
        "bad.cu",
        "__global__ void bad(unsigned *a) {
  a[blockIdx.x * 64 + ((threadIdx.x * 5 + 3) ^ threadIdx.x) % 64] = threadIdx.x;
}
",
    ),
];
