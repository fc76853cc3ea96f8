// Qualifiers and attributes of the CUDA language, and the shorthand our own
// headers use for theirs. No functions, no types.
#pragma once
#pragma clang system_header

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Managed memory is a global array like any other to the kernels of a launch.
#define __managed__ __attribute__((device))

// Occupancy hints. Only the first argument says anything about the launch, and
// clang records it; the others are dropped so that three of them are accepted.
#define __DUET_FIRST_ARGUMENT(x, ...) x
#define __launch_bounds__(...) __attribute__((launch_bounds(__DUET_FIRST_ARGUMENT(__VA_ARGS__, 0))))
#define __maxnreg__(...)
#define __block_size__(...)
#define __cluster_dims__(...)

#define __forceinline__ __inline__ __attribute__((always_inline))
// `__noinline__` is also spelled inside `__attribute__((__noinline__))` by the
// C++ library, so it stays the compiler's own keyword-like attribute name.
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
#define CUDART_DEVICE __device__

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
// Programs test the include guards of the SDK to see what is there.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

// Our own functions. Without debug information of their own they take the
// location of the call, so that a finding points at the user's line.
#define __DUET_UNSEEN __attribute__((always_inline, nodebug))
#define __DUET_INLINE inline __DUET_UNSEEN
#define __DUET_FN __attribute__((device)) __DUET_INLINE
#define __DUET_HD __attribute__((host)) __attribute__((device)) __DUET_INLINE
// The same as templates with one defaulted parameter. They behave as functions,
// but lose to a function of the same signature that the user declares or
// defines; and a precompiled prelude loads them only where they are called (clang
// loads every device function with a body that is no template).
#define __DUET_WEAK template <int = 0> __DUET_HD
#define __DUET_WEAK_DEVICE template <int = 0> __DUET_FN
// A function of its arguments alone; arrives as `pure` under its own name.
#define __DUET_PURE extern "C" __attribute__((device)) __attribute__((const))
#define __DUET_EXTERN extern "C" __attribute__((device))
