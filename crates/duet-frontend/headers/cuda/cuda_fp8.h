// Numbers of eight bits. Conversions are pure functions of their names.
#pragma once
#pragma clang system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };

__DUET_PURE unsigned char __duet_float_to_fp8_e4m3(float, int saturates);
__DUET_PURE unsigned char __duet_float_to_fp8_e5m2(float, int saturates);
__DUET_PURE unsigned char __duet_double_to_fp8_e4m3(double, int saturates);
__DUET_PURE unsigned char __duet_double_to_fp8_e5m2(double, int saturates);
__DUET_PURE float __duet_fp8_e4m3_to_float(unsigned char);
__DUET_PURE float __duet_fp8_e5m2_to_float(unsigned char);

#define __DUET_FP8(NAME, KIND)                                                                     \
  struct NAME {                                                                                    \
    __nv_fp8_storage_t __x;                                                                        \
    NAME() = default;                                                                              \
    __DUET_FN explicit NAME(float x) : __x(__duet_float_to_fp8_##KIND(x, 1)) {}                    \
    __DUET_FN explicit NAME(double x) : __x(__duet_double_to_fp8_##KIND(x, 1)) {}                  \
    __DUET_FN explicit NAME(__half x) : __x(__duet_float_to_fp8_##KIND(__half2float(x), 1)) {}     \
    __DUET_FN explicit operator float() const { return __duet_fp8_##KIND##_to_float(__x); }        \
    __DUET_FN explicit operator double() const { return __duet_fp8_##KIND##_to_float(__x); }       \
  };
__DUET_FP8(__nv_fp8_e4m3, e4m3)
__DUET_FP8(__nv_fp8_e5m2, e5m2)
#undef __DUET_FP8

__DUET_FN __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturates,
                                                   __nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? __duet_float_to_fp8_e4m3(x, saturates)
                           : __duet_float_to_fp8_e5m2(x, saturates);
}
