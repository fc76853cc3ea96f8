// Numbers of 16 bits. The references are the host compiler's.
#ifdef ROUNDED_ON_HOST
typedef _Float16 __half;
template <> struct Pick<__half, 2> {
  static __half of(int a, int i) { return __builtin_bit_cast(__half, f16[at(a, i)]); }
};
template <> struct Kind<__half> {
  static const char of = 'h';
};
template <> struct Kind<Two<__half>> {
  static const char of = 'h';
};
template <class T> static T kept(T x) { volatile T y = x; return y; }
#define ROUND(MODE, EXPR) { fesetround(MODE); auto r = EXPR; fesetround(FE_TONEAREST); return r; }
#else
#include <cuda_fp16.h>
template <> struct Pick<__half, 2> {
  static __device__ __half of(const In &in, int a, int i) { return __ushort_as_half(in.f16[at(a, i)]); }
};
#endif

#define ARITHMETIC(NAME, EXPR)                                                                     \
  CASE(NAME, #NAME "," #NAME "_rn", __half, (__half x, __half y), NAME(x, y), { return (__half)(EXPR); }) \
  CASE(NAME##2, #NAME "2," #NAME "2_rn", Two<__half>, (__half x, __half y), ({ __half2 r = NAME##2(__halves2half2(x, y), __halves2half2(y, x)); two(__low2half(r), __high2half(r)); }), { __half u = (__half)(EXPR); __half t = x; x = y; y = t; return two(u, (__half)(EXPR)); })
ARITHMETIC(__hadd, x + y) ARITHMETIC(__hsub, x - y) ARITHMETIC(__hmul, x * y)
CASE(hdiv, "__hdiv", __half, (__half x, __half y), __hdiv(x, y), { return (__half)(x / y); })
CASE(hneg, "__hneg", __half, (__half x), __hneg(x), { return -x; })
CASE(hisnan, "__hisnan", int, (__half x), (int)__hisnan(x), { return x != x; })
CASE(hisinf, "__hisinf", int, (__half x), __hisinf(x), { return (float)x == INFINITY ? 1 : (float)x == -INFINITY ? -1 : 0; })
#define COMPARE(NAME, OP)                                                                          \
  CASE(h##NAME, "__h" #NAME, int, (__half x, __half y), (int)__h##NAME(x, y), { return x OP y; })  \
  CASE(h##NAME##u, "__h" #NAME "u", int, (__half x, __half y), (int)__h##NAME##u(x, y), { return x OP y || x != x || y != y; })
COMPARE(eq, ==) COMPARE(lt, <) COMPARE(le, <=) COMPARE(gt, >) COMPARE(ge, >=)
// Not equal is ordered too: false if one is NaN.
CASE(hne, "__hne", int, (__half x, __half y), (int)__hne(x, y), { return x < y || x > y; })
CASE(hneu, "__hneu", int, (__half x, __half y), (int)__hneu(x, y), { return !(x == y); })

CASE(half2float, "__half2float", float, (__half x), __half2float(x), { return (float)x; })
CASE(float2half, "__float2half,__float2half_rn", __half, (float x), __float2half(x), { return (__half)x; })
CASE(double2half, "__double2half", __half, (double x), __double2half(x), { return (__half)x; })
CASE(half_as_short, "__half_as_short", short, (__half x), __half_as_short(x), { return __builtin_bit_cast(short, x); })
CASE(half_as_ushort, "__half_as_ushort", unsigned short, (__half x), __half_as_ushort(x), { return __builtin_bit_cast(unsigned short, x); })
CASE(short_as_half, "__short_as_half", __half, (short x), __short_as_half(x), { return __builtin_bit_cast(__half, x); })
CASE(ushort_as_half, "__ushort_as_half", __half, (unsigned short x), __ushort_as_half(x), { return __builtin_bit_cast(__half, x); })
#define FIT_H(X, LOW, HIGH) ((float)(X) > LOW && (float)(X) < HIGH ? (float)(X) : 1.5f)
#define FROM_HALF(NAME, R, LOW, HIGH)                                                              \
  CASE(half2##NAME##_rz, "__half2" #NAME "_rz", R, (__half x), __half2##NAME##_rz(__half(FIT_H(x, LOW, HIGH))), { return (R)truncf(FIT_H(x, LOW, HIGH)); }) \
  CASE(half2##NAME##_rn, "__half2" #NAME "_rn", R, (__half x), __half2##NAME##_rn(__half(FIT_H(x, LOW, HIGH))), { return (R)nearbyintf(FIT_H(x, LOW, HIGH)); }) \
  CASE(half2##NAME##_ru, "__half2" #NAME "_ru", R, (__half x), __half2##NAME##_ru(__half(FIT_H(x, LOW, HIGH))), { return (R)ceilf(FIT_H(x, LOW, HIGH)); }) \
  CASE(half2##NAME##_rd, "__half2" #NAME "_rd", R, (__half x), __half2##NAME##_rd(__half(FIT_H(x, LOW, HIGH))), { return (R)floorf(FIT_H(x, LOW, HIGH)); })
FROM_HALF(int, int, -70000.0f, 70000.0f) FROM_HALF(uint, unsigned, 0.0f, 70000.0f)
FROM_HALF(short, short, -32000.0f, 32000.0f) FROM_HALF(ushort, unsigned short, 0.0f, 65000.0f)
FROM_HALF(ll, long long, -70000.0f, 70000.0f) FROM_HALF(ull, unsigned long long, 0.0f, 70000.0f)
#define TO_HALF(NAME, A)                                                                           \
  CASE(NAME##2half_rn, "__" #NAME "2half_rn", __half, (A x), __##NAME##2half_rn(x), { return (__half)(double)x; })
TO_HALF(int, int) TO_HALF(uint, unsigned) TO_HALF(short, short) TO_HALF(ushort, unsigned short)

CASE(low_high, "__low2half,__high2half,__halves2half2,__lowhigh2highlow", Two<__half>, (__half x, __half y), ({ __half2 r = __lowhigh2highlow(__halves2half2(x, y)); two(__low2half(r), __high2half(r)); }), { return two(y, x); })
CASE(lows, "__lows2half2", Two<__half>, (__half x, __half y), ({ __half2 r = __lows2half2(__halves2half2(x, y), __halves2half2(y, x)); two(__low2half(r), __high2half(r)); }), { return two(x, y); })
CASE(highs, "__highs2half2", Two<__half>, (__half x, __half y), ({ __half2 r = __highs2half2(__halves2half2(x, y), __halves2half2(y, x)); two(__low2half(r), __high2half(r)); }), { return two(y, x); })
CASE(low2, "__low2half2", Two<__half>, (__half x, __half y), ({ __half2 r = __low2half2(__halves2half2(x, y)); two(__low2half(r), __high2half(r)); }), { return two(x, x); })
CASE(high2, "__high2half2", Two<__half>, (__half x, __half y), ({ __half2 r = __high2half2(__halves2half2(x, y)); two(__low2half(r), __high2half(r)); }), { return two(y, y); })
CASE(hlt2_mask, "__hlt2_mask", unsigned, (__half x, __half y), __hlt2_mask(__halves2half2(x, y), __halves2half2(y, x)), { return (x < y ? 0xffffu : 0) | (y < x ? 0xffff0000u : 0); })
CASE(hbge2, "__hbge2", int, (__half x, __half y), (int)__hbge2(__halves2half2(x, y), __halves2half2(y, y)), { return x >= y && y >= y; })
