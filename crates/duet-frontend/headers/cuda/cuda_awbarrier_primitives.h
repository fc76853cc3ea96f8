// Barriers as objects by functions of C. Proofs don't cover them: each is a function
// without a body.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
__device__ void __mbarrier_init(__mbarrier_t *, unsigned);
__device__ void __mbarrier_inval(__mbarrier_t *);
__device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *);
__device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *);
__device__ bool __mbarrier_test_wait(__mbarrier_t *, __mbarrier_token_t);
