// Copies in stages by functions of C. Proofs don't cover them: each is a function without
// a body, which leaves a kernel that calls it unproven.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>

__device__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zero = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
__device__ void __pipeline_arrive_on(unsigned long long *);
