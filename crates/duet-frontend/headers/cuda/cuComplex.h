// Complex numbers as vectors of two, with the C functions on them.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __DUET_COMPLEX(C, T, MAKE, SUFFIX, ROOT)                                                   \
  __DUET_HD C MAKE(T r, T i) { return {r, i}; }                                                    \
  __DUET_HD T cuCreal##SUFFIX(C a) { return a.x; }                                                 \
  __DUET_HD T cuCimag##SUFFIX(C a) { return a.y; }                                                 \
  __DUET_HD C cuConj##SUFFIX(C a) { return {a.x, -a.y}; }                                          \
  __DUET_HD C cuCadd##SUFFIX(C a, C b) { return {a.x + b.x, a.y + b.y}; }                          \
  __DUET_HD C cuCsub##SUFFIX(C a, C b) { return {a.x - b.x, a.y - b.y}; }                          \
  __DUET_HD C cuCmul##SUFFIX(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }  \
  __DUET_HD C cuCdiv##SUFFIX(C a, C b) {                                                           \
    T d = b.x * b.x + b.y * b.y;                                                                   \
    return {(a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d};                             \
  }                                                                                                \
  __DUET_HD C cuCfma##SUFFIX(C a, C b, C c) { return cuCadd##SUFFIX(cuCmul##SUFFIX(a, b), c); }    \
  __device__ __DUET_INLINE T cuCabs##SUFFIX(C a) { return ROOT(a.x * a.x + a.y * a.y); }
__DUET_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, sqrtf)
__DUET_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , sqrt)
#undef __DUET_COMPLEX
__DUET_HD cuComplex make_cuComplex(float r, float i) { return {r, i}; }
__host__ float cuCabsf(cuFloatComplex);
__host__ double cuCabs(cuDoubleComplex);
__DUET_HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
__DUET_HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
