// Float and double functions without a body: each arrives as a pure function of
// its name. What has more than a value (frexp, modf, sincos) is written in terms
// of such functions. Overloads without suffix are in math_overloads.h.
#pragma once
#pragma clang system_header

// One argument, `f(double)` and `ff(float)`.
#define __DUET_MATH_1(X)                                                                           \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(cospi)       \
  X(erf) X(erfc) X(erfcinv) X(erfcx) X(erfinv) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(floor)   \
  X(j0) X(j1) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(normcdf)           \
  X(normcdfinv) X(rcbrt) X(rint) X(round) X(rsqrt) X(sin) X(sinh) X(sinpi) X(sqrt) X(tan) X(tanh)  \
  X(tgamma) X(trunc) X(y0) X(y1)
// Two arguments.
#define __DUET_MATH_2(X)                                                                           \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)   \
  X(rhypot)

#define __DUET_DECLARE(F)                                                                          \
  __DUET_PURE double F(double) noexcept;                                                           \
  __DUET_PURE float F##f(float) noexcept;
__DUET_MATH_1(__DUET_DECLARE)
#undef __DUET_DECLARE
#define __DUET_DECLARE(F)                                                                          \
  __DUET_PURE double F(double, double) noexcept;                                                   \
  __DUET_PURE float F##f(float, float) noexcept;
__DUET_MATH_2(__DUET_DECLARE)
#undef __DUET_DECLARE

__DUET_PURE double fma(double, double, double) noexcept;
__DUET_PURE float fmaf(float, float, float) noexcept;
__DUET_PURE double norm3d(double, double, double) noexcept;
__DUET_PURE float norm3df(float, float, float) noexcept;
__DUET_PURE double rnorm3d(double, double, double) noexcept;
__DUET_PURE float rnorm3df(float, float, float) noexcept;
__DUET_PURE double norm4d(double, double, double, double) noexcept;
__DUET_PURE float norm4df(float, float, float, float) noexcept;
__DUET_PURE double rnorm4d(double, double, double, double) noexcept;
__DUET_PURE float rnorm4df(float, float, float, float) noexcept;
__DUET_PURE double cyl_bessel_i0(double) noexcept;
__DUET_PURE float cyl_bessel_i0f(float) noexcept;
__DUET_PURE double cyl_bessel_i1(double) noexcept;
__DUET_PURE float cyl_bessel_i1f(float) noexcept;
__DUET_PURE float fdividef(float, float) noexcept;
__DUET_PURE double fdivide(double, double) noexcept;

// Mixed with integers.
#define __DUET_WITH_INT(R, F, ARGS)                                                                \
  __DUET_PURE R F ARGS noexcept;
__DUET_WITH_INT(int, ilogb, (double))
__DUET_WITH_INT(int, ilogbf, (float))
__DUET_WITH_INT(double, jn, (int, double))
__DUET_WITH_INT(float, jnf, (int, float))
__DUET_WITH_INT(double, yn, (int, double))
__DUET_WITH_INT(float, ynf, (int, float))
__DUET_WITH_INT(double, ldexp, (double, int))
__DUET_WITH_INT(float, ldexpf, (float, int))
__DUET_WITH_INT(double, scalbn, (double, int))
__DUET_WITH_INT(float, scalbnf, (float, int))
__DUET_WITH_INT(double, scalbln, (double, long))
__DUET_WITH_INT(float, scalblnf, (float, long))
__DUET_WITH_INT(double, powi, (double, int))
__DUET_WITH_INT(float, powif, (float, int))
__DUET_WITH_INT(long, lrint, (double))
__DUET_WITH_INT(long, lrintf, (float))
__DUET_WITH_INT(long, lround, (double))
__DUET_WITH_INT(long, lroundf, (float))
__DUET_WITH_INT(long long, llrint, (double))
__DUET_WITH_INT(long long, llrintf, (float))
__DUET_WITH_INT(long long, llround, (double))
__DUET_WITH_INT(long long, llroundf, (float))
#undef __DUET_WITH_INT

// The fast and the directed-rounding forms.
#define __DUET_FAST(F) __DUET_PURE float __##F##f(float);
__DUET_FAST(sin)
__DUET_FAST(cos)
__DUET_FAST(tan)
__DUET_FAST(tanh)
__DUET_FAST(exp)
__DUET_FAST(exp10)
__DUET_FAST(log)
__DUET_FAST(log2)
__DUET_FAST(log10)
__DUET_FAST(saturate)
#undef __DUET_FAST
__DUET_PURE float __powf(float, float);
__DUET_PURE float __fdividef(float, float);
__DUET_PURE float __frsqrt_rn(float);
#define __DUET_ROUNDED(MODE)                                                                       \
  __DUET_PURE float __fadd_##MODE(float, float);                                                   \
  __DUET_PURE float __fsub_##MODE(float, float);                                                   \
  __DUET_PURE float __fmul_##MODE(float, float);                                                   \
  __DUET_PURE float __fdiv_##MODE(float, float);                                                   \
  __DUET_PURE float __fmaf_##MODE(float, float, float);                                            \
  __DUET_PURE float __fmaf_ieee_##MODE(float, float, float);                                       \
  __DUET_PURE float __frcp_##MODE(float);                                                          \
  __DUET_PURE float __fsqrt_##MODE(float);                                                         \
  __DUET_PURE double __dadd_##MODE(double, double);                                                \
  __DUET_PURE double __dsub_##MODE(double, double);                                                \
  __DUET_PURE double __dmul_##MODE(double, double);                                                \
  __DUET_PURE double __ddiv_##MODE(double, double);                                                \
  __DUET_PURE double __fma_##MODE(double, double, double);                                         \
  __DUET_PURE double __drcp_##MODE(double);                                                        \
  __DUET_PURE double __dsqrt_##MODE(double);
__DUET_ROUNDED(rn)
__DUET_ROUNDED(rz)
__DUET_ROUNDED(ru)
__DUET_ROUNDED(rd)
#undef __DUET_ROUNDED

// Results through pointers: real stores of pure values.
__DUET_PURE double __duet_frexp_fraction(double);
__DUET_PURE int __duet_frexp_exponent(double);
__DUET_PURE float __duet_frexpf_fraction(float);
__DUET_PURE int __duet_frexpf_exponent(float);
__DUET_PURE int __duet_remquo_quotient(double, double);
__DUET_PURE int __duet_remquof_quotient(float, float);
#define __DUET_NORM(NAME, T)                                                                       \
  __DUET_PURE T __duet_##NAME##_next(T, T);                                                        \
  __DUET_PURE T __duet_##NAME(T);
__DUET_NORM(norm, double)
__DUET_NORM(normf, float)
__DUET_NORM(rnorm, double)
__DUET_NORM(rnormf, float)
#undef __DUET_NORM

extern "C" {
__DUET_FN double frexp(double x, int *exponent) noexcept {
  *exponent = __duet_frexp_exponent(x);
  return __duet_frexp_fraction(x);
}
__DUET_FN float frexpf(float x, int *exponent) noexcept {
  *exponent = __duet_frexpf_exponent(x);
  return __duet_frexpf_fraction(x);
}
// The rest of an infinity is zero.
__DUET_FN double modf(double x, double *whole) noexcept {
  bool infinite = (duet::bit_cast<unsigned long long>(x) & ~0ull >> 1) == 0x7ffull << 52;
  *whole = trunc(x);
  return copysign(infinite ? 0.0 : x - trunc(x), x);
}
__DUET_FN float modff(float x, float *whole) noexcept {
  bool infinite = (duet::bit_cast<unsigned>(x) & 0x7fffffff) == 0x7f800000;
  *whole = truncf(x);
  return copysignf(infinite ? 0.0f : x - truncf(x), x);
}
__DUET_FN double remquo(double x, double y, int *quotient) noexcept {
  *quotient = __duet_remquo_quotient(x, y);
  return remainder(x, y);
}
__DUET_FN float remquof(float x, float y, int *quotient) noexcept {
  *quotient = __duet_remquof_quotient(x, y);
  return remainderf(x, y);
}
__DUET_FN void sincos(double x, double *s, double *c) noexcept {
  *s = sin(x);
  *c = cos(x);
}
__DUET_FN void sincosf(float x, float *s, float *c) noexcept {
  *s = sinf(x);
  *c = cosf(x);
}
__DUET_FN void sincospi(double x, double *s, double *c) noexcept {
  *s = sinpi(x);
  *c = cospi(x);
}
__DUET_FN void sincospif(float x, float *s, float *c) noexcept {
  *s = sinpif(x);
  *c = cospif(x);
}
__DUET_FN void __sincosf(float x, float *s, float *c) {
  *s = __sinf(x);
  *c = __cosf(x);
}
// Which NaN the text asks for is not modelled; there is one.
__DUET_FN double nan(const char *) noexcept { return __builtin_nan(""); }
__DUET_FN float nanf(const char *) noexcept { return __builtin_nanf(""); }
// The norm of an array reads every element, and is otherwise an unknown function of
// them: how it is summed and scaled is the library's choice.
#define __DUET_NORM(NAME, T)                                                                       \
  __DUET_FN T NAME(int n, const T *v) {                                                            \
    T all = 0;                                                                                     \
    for (int i = 0; i < n; i++)                                                                    \
      all = __duet_##NAME##_next(all, v[i]);                                                       \
    return __duet_##NAME(all);                                                                     \
  }
__DUET_NORM(norm, double)
__DUET_NORM(normf, float)
__DUET_NORM(rnorm, double)
__DUET_NORM(rnormf, float)
#undef __DUET_NORM
}
