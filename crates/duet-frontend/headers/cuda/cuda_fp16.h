// Half precision: __half and __half2 on the compiler's _Float16.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>
#define __CUDA_FP16_H__

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

#define __DUET_H __half
#define __DUET_H2 __half2
#define __DUET_S _Float16
#define __DUET_N(A, B) A##half##B
#define __DUET_N2(A, B) A##half2##B
#define __DUET_DOUBLED __half2half2
#define __DUET_INTRINSIC(A) A##f16
#include "duet/small_float.h"
#undef __DUET_INTRINSIC
#undef __DUET_DOUBLED
#undef __DUET_N2
#undef __DUET_N
#undef __DUET_S
#undef __DUET_H2
#undef __DUET_H

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
__DUET_FN __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
