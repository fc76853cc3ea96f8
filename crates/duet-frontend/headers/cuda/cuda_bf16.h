// The bfloat16 format: __nv_bfloat16 and its pair on the compiler's __bf16.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>
#define __CUDA_BF16_H__

struct __bfloat16_raw {
  unsigned short x;
};
typedef __bfloat16_raw __nv_bfloat16_raw;

#define __DUET_H __nv_bfloat16
#define __DUET_H2 __nv_bfloat162
#define __DUET_S __bf16
#define __DUET_N(A, B) A##bfloat16##B
#define __DUET_N2(A, B) A##bfloat162##B
#define __DUET_DOUBLED __bfloat162bfloat162
#define __DUET_INTRINSIC(A) A##bf16
#include "duet/small_float.h"
#undef __DUET_INTRINSIC
#undef __DUET_DOUBLED
#undef __DUET_N2
#undef __DUET_N
#undef __DUET_S
#undef __DUET_H2
#undef __DUET_H

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
