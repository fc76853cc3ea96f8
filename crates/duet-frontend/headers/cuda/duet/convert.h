// Conversions with rounding modes and reinterpretations.
#pragma once
#pragma clang system_header

__DUET_WEAK_DEVICE int __float_as_int(float x) { return duet::bit_cast<int>(x); }
__DUET_WEAK_DEVICE unsigned __float_as_uint(float x) { return duet::bit_cast<unsigned>(x); }
__DUET_WEAK_DEVICE float __int_as_float(int x) { return duet::bit_cast<float>(x); }
__DUET_WEAK_DEVICE float __uint_as_float(unsigned x) { return duet::bit_cast<float>(x); }
__DUET_WEAK_DEVICE long long __double_as_longlong(double x) { return duet::bit_cast<long long>(x); }
__DUET_WEAK_DEVICE double __longlong_as_double(long long x) { return duet::bit_cast<double>(x); }
__DUET_WEAK_DEVICE int __double2hiint(double x) { return (int)(duet::bit_cast<long long>(x) >> 32); }
__DUET_WEAK_DEVICE int __double2loint(double x) { return (int)duet::bit_cast<long long>(x); }
__DUET_WEAK_DEVICE double __hiloint2double(int hi, int lo) {
  return duet::bit_cast<double>((unsigned long long)(unsigned)hi << 32 | (unsigned)lo);
}

// Float to integer: towards zero is the machine's own conversion; the other
// modes are unknown functions of the argument.
#define __DUET_FROM_FLOAT(NAME, R, A)                                                              \
  __DUET_WEAK_DEVICE R __##NAME##_rz(A x) { return (R)x; }                                         \
  __DUET_PURE R __##NAME##_rn(A);                                                                  \
  __DUET_PURE R __##NAME##_ru(A);                                                                  \
  __DUET_PURE R __##NAME##_rd(A);
__DUET_FROM_FLOAT(float2int, int, float)
__DUET_FROM_FLOAT(float2uint, unsigned, float)
__DUET_FROM_FLOAT(float2ll, long long, float)
__DUET_FROM_FLOAT(float2ull, unsigned long long, float)
__DUET_FROM_FLOAT(double2int, int, double)
__DUET_FROM_FLOAT(double2uint, unsigned, double)
__DUET_FROM_FLOAT(double2ll, long long, double)
__DUET_FROM_FLOAT(double2ull, unsigned long long, double)
#undef __DUET_FROM_FLOAT

// Integer or double to float: to nearest is the machine's own.
#define __DUET_TO_FLOAT(NAME, R, A)                                                                \
  __DUET_WEAK_DEVICE R __##NAME##_rn(A x) { return (R)x; }                                         \
  __DUET_PURE R __##NAME##_rz(A);                                                                  \
  __DUET_PURE R __##NAME##_ru(A);                                                                  \
  __DUET_PURE R __##NAME##_rd(A);
__DUET_TO_FLOAT(int2float, float, int)
__DUET_TO_FLOAT(uint2float, float, unsigned)
__DUET_TO_FLOAT(ll2float, float, long long)
__DUET_TO_FLOAT(ull2float, float, unsigned long long)
__DUET_TO_FLOAT(ll2double, double, long long)
__DUET_TO_FLOAT(ull2double, double, unsigned long long)
__DUET_TO_FLOAT(double2float, float, double)
#undef __DUET_TO_FLOAT
__DUET_WEAK_DEVICE double __int2double_rn(int x) { return x; }
__DUET_WEAK_DEVICE double __uint2double_rn(unsigned x) { return x; }

// The old names.
__DUET_WEAK_DEVICE int float2int(float x) { return (int)x; }
__DUET_WEAK_DEVICE unsigned float2uint(float x) { return (unsigned)x; }
__DUET_WEAK_DEVICE float int2float(int x) { return (float)x; }
__DUET_WEAK_DEVICE float uint2float(unsigned x) { return (float)x; }
__DUET_WEAK_DEVICE int float_as_int(float x) { return duet::bit_cast<int>(x); }
__DUET_WEAK_DEVICE float int_as_float(int x) { return duet::bit_cast<float>(x); }
__DUET_WEAK_DEVICE unsigned float_as_uint(float x) { return duet::bit_cast<unsigned>(x); }
__DUET_WEAK_DEVICE float uint_as_float(unsigned x) { return duet::bit_cast<float>(x); }
