// The C++ names: `sin(float)`, `min`, `max`, `abs`, classification, and what
// namespace std needs so that the C++ library's own host versions give way to
// ours in device code. An overload for float is the function with the suffix
// under another name. The host has the same overloads, as templates that lose to
// the C++ library's.
#pragma once
#pragma clang system_header

#define __DUET_NAMED(NAME) __attribute__((const)) __asm__(NAME)

#define __DUET_OVERLOAD(F)                                                                         \
  __device__ float F(float) __DUET_NAMED(#F "f");                                                  \
  template <int = 0> __host__ float F(float);                                                      \
  template <class T> __host__ typename duet::enable_if<duet::is_integral<T>::value, double>::type F(T); \
  template <class T> __DUET_FN typename duet::enable_if<duet::is_integral<T>::value, double>::type F(T x) { \
    return F((double)x);                                                                           \
  }
__DUET_MATH_1(__DUET_OVERLOAD)
#undef __DUET_OVERLOAD

namespace duet {
template <class A, class B> struct needs_promotion {
  static constexpr bool value =
      __is_arithmetic(A) && __is_arithmetic(B) &&
      !(is_same<A, float>::value && is_same<B, float>::value) &&
      !(is_same<A, double>::value && is_same<B, double>::value);
};
template <class A, class B, bool = needs_promotion<A, B>::value> struct promoted {};
template <class A, class B> struct promoted<A, B, true> {
  typedef double type;
};
} // namespace duet

#define __DUET_OVERLOAD(F)                                                                         \
  __device__ float F(float, float) __DUET_NAMED(#F "f");                                           \
  template <int = 0> __host__ float F(float, float);                                               \
  template <class A, class B> __host__ typename duet::promoted<A, B>::type F(A, B);                \
  template <class A, class B> __DUET_FN typename duet::promoted<A, B>::type F(A x, B y) {          \
    return F((double)x, (double)y);                                                                \
  }
__DUET_MATH_2(__DUET_OVERLOAD)
#undef __DUET_OVERLOAD

__device__ float fma(float, float, float) __DUET_NAMED("fmaf");
__device__ float pow(float, int) __DUET_NAMED("powif");
__device__ double pow(double, int) __DUET_NAMED("powi");
__device__ float ldexp(float, int) __DUET_NAMED("ldexpf");
__device__ float scalbn(float, int) __DUET_NAMED("scalbnf");
__device__ float scalbln(float, long) __DUET_NAMED("scalblnf");
__device__ int ilogb(float) __DUET_NAMED("ilogbf");
__device__ long lrint(float) __DUET_NAMED("lrintf");
__device__ long lround(float) __DUET_NAMED("lroundf");
__device__ long long llrint(float) __DUET_NAMED("llrintf");
__device__ long long llround(float) __DUET_NAMED("llroundf");
__device__ float norm3d(float, float, float) __DUET_NAMED("norm3df");
__device__ float rnorm3d(float, float, float) __DUET_NAMED("rnorm3df");
__DUET_FN float frexp(float x, int *e) { return frexpf(x, e); }
__DUET_FN float modf(float x, float *whole) { return modff(x, whole); }
__DUET_FN float remquo(float x, float y, int *q) { return remquof(x, y, q); }
__DUET_FN void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__DUET_FN void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

// Classification works on the bits: exact, and no float comparison.
__DUET_FN bool isnan(float x) { return (duet::bit_cast<unsigned>(x) & 0x7fffffff) > 0x7f800000; }
__DUET_FN bool isinf(float x) { return (duet::bit_cast<unsigned>(x) & 0x7fffffff) == 0x7f800000; }
__DUET_FN bool isfinite(float x) { return (duet::bit_cast<unsigned>(x) & 0x7fffffff) < 0x7f800000; }
__DUET_FN bool signbit(float x) { return duet::bit_cast<unsigned>(x) >> 31; }
__DUET_FN bool isnormal(float x) {
  unsigned magnitude = duet::bit_cast<unsigned>(x) & 0x7fffffff;
  return magnitude - 0x00800000 < 0x7f000000;
}
namespace duet {
__DUET_FN unsigned long long magnitude(double x) {
  return bit_cast<unsigned long long>(x) & 0x7fffffffffffffffull;
}
} // namespace duet
__DUET_FN bool isnan(double x) { return duet::magnitude(x) > 0x7ff0000000000000ull; }
__DUET_FN bool isinf(double x) { return duet::magnitude(x) == 0x7ff0000000000000ull; }
__DUET_FN bool isfinite(double x) { return duet::magnitude(x) < 0x7ff0000000000000ull; }
__DUET_FN bool signbit(double x) { return duet::bit_cast<unsigned long long>(x) >> 63; }
__DUET_FN bool isnormal(double x) {
  return duet::magnitude(x) - 0x0010000000000000ull < 0x7fe0000000000000ull;
}
__DUET_FN int __isnanf(float x) { return isnan(x); }
__DUET_FN int __isinff(float x) { return isinf(x); }
__DUET_FN int __finitef(float x) { return isfinite(x); }
__DUET_FN int __signbitf(float x) { return signbit(x); }
__DUET_FN int __isnan(double x) { return isnan(x); }
__DUET_FN int __isinf(double x) { return isinf(x); }
__DUET_FN int __finite(double x) { return isfinite(x); }
__DUET_FN int __signbitd(double x) { return signbit(x); }
__DUET_FN int finite(double x) { return isfinite(x); }
__DUET_FN int finitef(float x) { return isfinite(x); }

// Ordered comparisons that raise nothing.
__DUET_FN bool isgreater(float x, float y) { return x > y; }
__DUET_FN bool isgreaterequal(float x, float y) { return x >= y; }
__DUET_FN bool isless(float x, float y) { return x < y; }
__DUET_FN bool islessequal(float x, float y) { return x <= y; }
__DUET_FN bool isunordered(float x, float y) { return isnan(x) | isnan(y); }
__DUET_FN bool isgreater(double x, double y) { return x > y; }
__DUET_FN bool isgreaterequal(double x, double y) { return x >= y; }
__DUET_FN bool isless(double x, double y) { return x < y; }
__DUET_FN bool islessequal(double x, double y) { return x <= y; }
__DUET_FN bool isunordered(double x, double y) { return isnan(x) | isnan(y); }

// Minimum and maximum of integers without control flow.
#define __DUET_MIN_MAX(T, A, B)                                                                    \
  __DUET_WEAK T min(A a, B b) { return __builtin_elementwise_min((T)a, (T)b); }                    \
  __DUET_WEAK T max(A a, B b) { return __builtin_elementwise_max((T)a, (T)b); }
__DUET_MIN_MAX(int, int, int)
__DUET_MIN_MAX(unsigned, unsigned, unsigned)
__DUET_MIN_MAX(unsigned, int, unsigned)
__DUET_MIN_MAX(unsigned, unsigned, int)
__DUET_MIN_MAX(long, long, long)
__DUET_MIN_MAX(unsigned long, unsigned long, unsigned long)
__DUET_MIN_MAX(unsigned long, long, unsigned long)
__DUET_MIN_MAX(unsigned long, unsigned long, long)
__DUET_MIN_MAX(long long, long long, long long)
__DUET_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
__DUET_MIN_MAX(unsigned long long, long long, unsigned long long)
__DUET_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef __DUET_MIN_MAX
#define __DUET_MIN_MAX(T, A, B, SUFFIX)                                                            \
  __DUET_WEAK_DEVICE T min(A a, B b) { return fmin##SUFFIX((T)a, (T)b); }                          \
  __DUET_WEAK_DEVICE T max(A a, B b) { return fmax##SUFFIX((T)a, (T)b); }                          \
  template <int = 0> __host__ inline T min(A a, B b) { return b < a ? b : a; }                     \
  template <int = 0> __host__ inline T max(A a, B b) { return a < b ? b : a; }
__DUET_MIN_MAX(float, float, float, f)
__DUET_MIN_MAX(double, double, double, )
__DUET_MIN_MAX(double, float, double, )
__DUET_MIN_MAX(double, double, float, )
#undef __DUET_MIN_MAX
__DUET_WEAK unsigned umin(unsigned a, unsigned b) { return __builtin_elementwise_min(a, b); }
__DUET_WEAK unsigned umax(unsigned a, unsigned b) { return __builtin_elementwise_max(a, b); }
__DUET_WEAK long long llmin(long long a, long long b) { return __builtin_elementwise_min(a, b); }
__DUET_WEAK long long llmax(long long a, long long b) { return __builtin_elementwise_max(a, b); }
__DUET_WEAK unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return __builtin_elementwise_min(a, b);
}
__DUET_WEAK unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return __builtin_elementwise_max(a, b);
}

extern "C" {
__DUET_FN int abs(int x) noexcept { return __builtin_elementwise_abs(x); }
__DUET_FN long labs(long x) noexcept { return __builtin_elementwise_abs(x); }
__DUET_FN long long llabs(long long x) noexcept { return __builtin_elementwise_abs(x); }
}
__DUET_FN long abs(long x) { return __builtin_elementwise_abs(x); }
__DUET_FN long long abs(long long x) { return __builtin_elementwise_abs(x); }
__DUET_FN float abs(float x) { return fabsf(x); }
__DUET_FN double abs(double x) { return fabs(x); }
template <int = 0> __host__ long abs(long);
template <int = 0> __host__ long long abs(long long);
template <int = 0> __host__ float abs(float);
template <int = 0> __host__ double abs(double);
__DUET_WEAK_DEVICE float saturate(float x) { return __saturatef(x); }

// The C++ library leaves a constexpr function host-only when a device function
// of the same signature is already there.
namespace std {
#define __DUET_USING(F) using ::F; using ::F##f;
#define __DUET_STD_1(X)                                                                            \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) \
  X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb)      \
  X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)           \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)   \
  X(fma) X(frexp) X(modf) X(remquo) X(ldexp) X(scalbn) X(scalbln) X(ilogb) X(lrint) X(lround)      \
  X(llrint) X(llround)
__DUET_STD_1(__DUET_USING)
using ::abs;
using ::labs;
using ::llabs;
using ::isnan;
using ::isinf;
using ::isfinite;
using ::isnormal;
using ::signbit;
using ::isgreater;
using ::isgreaterequal;
using ::isless;
using ::islessequal;
using ::isunordered;
using ::nan;
using ::nanf;
#undef __DUET_STD_1
#undef __DUET_USING
} // namespace std
#undef __DUET_MATH_1
#undef __DUET_MATH_2
