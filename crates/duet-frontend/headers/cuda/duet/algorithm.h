// What the algorithms of Thrust and CUB have in common: a function that nobody knows
// anything about. It is told where the arguments are, keeps that, and may call the
// program's functions; in a kernel it is not modelled.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>

extern "C" __host__ __device__ int __duet_algorithm(const volatile void *);
