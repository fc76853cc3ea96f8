// Functions of floats whose results are specified bit by bit, and conversions. The
// references are the host's C library, in the rounding mode that the name says.

#ifdef ROUNDED_ON_HOST
template <class T> static T kept(T x) { volatile T y = x; return y; }
#define ROUND(MODE, EXPR) { fesetround(MODE); auto r = EXPR; fesetround(FE_TONEAREST); return r; }
#endif

#define BOTH_1(F)                                                                                  \
  CASE(F##f, #F "f", float, (float x), F##f(x), { return F##f(x); })                               \
  CASE(F, #F, double, (double x), F(x), { return F(x); })                                          \
  CASE(F##_o, #F, float, (float x), F(x), { return F##f(x); })
BOTH_1(ceil) BOTH_1(floor) BOTH_1(trunc) BOTH_1(rint) BOTH_1(nearbyint) BOTH_1(round)
BOTH_1(fabs) BOTH_1(sqrt)
#define BOTH_2(F)                                                                                  \
  CASE(F##f, #F "f", float, (float x, float y), F##f(x, y), { return F##f(x, y); })                \
  CASE(F, #F, double, (double x, double y), F(x, y), { return F(x, y); })                          \
  CASE(F##_o, #F, float, (float x, float y), F(x, y), { return F##f(x, y); })
BOTH_2(copysign) BOTH_2(fmod) BOTH_2(remainder) BOTH_2(fdim)
// Either zero may be the smaller one.
#define NOT_ZERO(X) ((X) == 0 ? (X) + 1 : (X))
#define MIN_MAX_F(F, G, ID)                                                                        \
  CASE(F##f, #F "f", float, (float x, float y), F##f(NOT_ZERO(x), NOT_ZERO(y)), { return F##f(NOT_ZERO(x), NOT_ZERO(y)); }) \
  CASE(F, #F, double, (double x, double y), F(NOT_ZERO(x), NOT_ZERO(y)), { return F(NOT_ZERO(x), NOT_ZERO(y)); }) \
  CASE(G##_float, #G, float, (float x, float y), G(NOT_ZERO(x), NOT_ZERO(y)), { return F##f(NOT_ZERO(x), NOT_ZERO(y)); }) \
  CASE(G##_double, #G, double, (double x, double y), G(NOT_ZERO(x), NOT_ZERO(y)), { return F(NOT_ZERO(x), NOT_ZERO(y)); })
MIN_MAX_F(fmin, min, 0) MIN_MAX_F(fmax, max, 0)
CASE(fmaf, "fmaf", float, (float x, float y, float z), fmaf(x, y, z), { return fmaf(x, y, z); })
CASE(fma, "fma", double, (double x, double y, double z), fma(x, y, z), { return fma(x, y, z); })
CASE(abs_f, "abs", float, (float x), abs(x), { return fabsf(x); })
CASE(abs_d, "abs", double, (double x), abs(x), { return fabs(x); })
CASE(saturate, "__saturatef,saturate", float, (float x), __saturatef(x), { return x != x || x < 0 ? 0 : x > 1 ? 1 : x + 0.0f; })
CASE(modff, "modff", Two<float>, (float x), ({ float w; float r = modff(x, &w); two(r, w); }), { float w; float r = modff(x, &w); return two(r, w); })
CASE(modf, "modf", Two<double>, (double x), ({ double w; double r = modf(x, &w); two(r, w); }), { double w; double r = modf(x, &w); return two(r, w); })

// Tests of one float and of two.
#define TEST_1(F, EXPR)                                                                            \
  CASE(F##_f, #F, int, (float x), (int)F(x), { typedef float T; return EXPR; })                    \
  CASE(F##_d, #F, int, (double x), (int)F(x), { typedef double T; return EXPR; })
TEST_1(isnan, x != x)
TEST_1(isinf, x == x && x - x != x - x)
TEST_1(isfinite, x - x == x - x)
TEST_1(signbit, __builtin_copysign(1.0, (double)x) < 0)
TEST_1(isnormal, x - x == x - x && (x < 0 ? -x : x) >= (sizeof(T) == 4 ? 0x1p-126 : 0x1p-1022))
CASE(isnanf, "__isnanf", int, (float x), __isnanf(x) != 0, { return x != x; })
CASE(isinff, "__isinff", int, (float x), __isinff(x) != 0, { return x == x && x - x != x - x; })
CASE(finitef, "__finitef,finitef", int, (float x), __finitef(x) != 0, { return x - x == x - x; })
CASE(signbitf, "__signbitf", int, (float x), __signbitf(x) != 0, { return __builtin_copysign(1.0, (double)x) < 0; })
CASE(isnand, "__isnan", int, (double x), __isnan(x) != 0, { return x != x; })
CASE(isinfd, "__isinf", int, (double x), __isinf(x) != 0, { return x == x && x - x != x - x; })
CASE(finited, "__finite,finite", int, (double x), __finite(x) != 0, { return x - x == x - x; })
CASE(signbitd, "__signbitd", int, (double x), __signbitd(x) != 0, { return __builtin_copysign(1.0, x) < 0; })
#define TEST_2(F, EXPR)                                                                            \
  CASE(F##_f, #F, int, (float x, float y), (int)F(x, y), { return EXPR; })                         \
  CASE(F##_d, #F, int, (double x, double y), (int)F(x, y), { return EXPR; })
TEST_2(isgreater, x > y) TEST_2(isgreaterequal, x >= y) TEST_2(isless, x < y)
TEST_2(islessequal, x <= y) TEST_2(isunordered, x != x || y != y)

// Bits.
CASE(float_as_int, "__float_as_int,float_as_int", int, (float x), __float_as_int(x), { int r; memcpy(&r, &x, 4); return r; })
CASE(float_as_uint, "__float_as_uint,float_as_uint", unsigned, (float x), __float_as_uint(x), { unsigned r; memcpy(&r, &x, 4); return r; })
CASE(int_as_float, "__int_as_float,int_as_float", float, (int x), __int_as_float(x), { float r; memcpy(&r, &x, 4); return r; })
CASE(uint_as_float, "__uint_as_float,uint_as_float", float, (unsigned x), __uint_as_float(x), { float r; memcpy(&r, &x, 4); return r; })
CASE(double_as_ll, "__double_as_longlong", long long, (double x), __double_as_longlong(x), { long long r; memcpy(&r, &x, 8); return r; })
CASE(ll_as_double, "__longlong_as_double", double, (long long x), __longlong_as_double(x), { double r; memcpy(&r, &x, 8); return r; })
CASE(double2hiint, "__double2hiint", int, (double x), __double2hiint(x), { int r[2]; memcpy(r, &x, 8); return r[1]; })
CASE(double2loint, "__double2loint", int, (double x), __double2loint(x), { int r[2]; memcpy(r, &x, 8); return r[0]; })
CASE(hiloint2double, "__hiloint2double", double, (int h, int l), __hiloint2double(h, l), { int w[2] = {l, h}; double r; memcpy(&r, w, 8); return r; })

// Conversions. Out of range, what a device yields is open here.
#define FIT(X, LOW, HIGH) ((X) > LOW && (X) < HIGH ? (X) : 1.5f)
#define FROM_FLOAT(NAME, R, A, LOW, HIGH)                                                          \
  CASE(NAME##_rz, "__" #NAME "_rz", R, (A x), __##NAME##_rz(FIT(x, LOW, HIGH)), { return (R)trunc(FIT(x, LOW, HIGH)); }) \
  CASE(NAME##_rn, "__" #NAME "_rn", R, (A x), __##NAME##_rn(FIT(x, LOW, HIGH)), { return (R)nearbyint(FIT(x, LOW, HIGH)); }) \
  CASE(NAME##_ru, "__" #NAME "_ru", R, (A x), __##NAME##_ru(FIT(x, LOW, HIGH)), { return (R)ceil(FIT(x, LOW, HIGH)); }) \
  CASE(NAME##_rd, "__" #NAME "_rd", R, (A x), __##NAME##_rd(FIT(x, LOW, HIGH)), { return (R)floor(FIT(x, LOW, HIGH)); })
FROM_FLOAT(float2int, int, float, -2147483000.0f, 2147483000.0f)
FROM_FLOAT(float2uint, unsigned, float, 0.0f, 4294967000.0f)
FROM_FLOAT(float2ll, long long, float, -9.2e18f, 9.2e18f)
FROM_FLOAT(float2ull, unsigned long long, float, 0.0f, 1.8e19f)
FROM_FLOAT(double2int, int, double, -2147483000.0, 2147483000.0)
FROM_FLOAT(double2uint, unsigned, double, 0.0, 4294967000.0)
FROM_FLOAT(double2ll, long long, double, -9.2e18, 9.2e18)
FROM_FLOAT(double2ull, unsigned long long, double, 0.0, 1.8e19)
#define TO_FLOAT(NAME, R, A)                                                                       \
  CASE(NAME##_rn, "__" #NAME "_rn", R, (A x), __##NAME##_rn(x), ROUND(FE_TONEAREST, kept((R)kept(x)))) \
  CASE(NAME##_rz, "__" #NAME "_rz", R, (A x), __##NAME##_rz(x), ROUND(FE_TOWARDZERO, kept((R)kept(x)))) \
  CASE(NAME##_ru, "__" #NAME "_ru", R, (A x), __##NAME##_ru(x), ROUND(FE_UPWARD, kept((R)kept(x)))) \
  CASE(NAME##_rd, "__" #NAME "_rd", R, (A x), __##NAME##_rd(x), ROUND(FE_DOWNWARD, kept((R)kept(x))))
TO_FLOAT(int2float, float, int) TO_FLOAT(uint2float, float, unsigned)
TO_FLOAT(ll2float, float, long long) TO_FLOAT(ull2float, float, unsigned long long)
TO_FLOAT(ll2double, double, long long) TO_FLOAT(ull2double, double, unsigned long long)
TO_FLOAT(double2float, float, double)
CASE(int2double_rn, "__int2double_rn", double, (int x), __int2double_rn(x), { return x; })
CASE(uint2double_rn, "__uint2double_rn", double, (unsigned x), __uint2double_rn(x), { return x; })
#define NEAREST(F, R, G)                                                                           \
  CASE(F##f, #F "f", R, (float x), F##f(FIT(x, -9.2e18f, 9.2e18f)), { return (R)G(FIT(x, -9.2e18f, 9.2e18f)); }) \
  CASE(F, #F, R, (double x), F(FIT(x, -9.2e18, 9.2e18)), { return (R)G(FIT(x, -9.2e18, 9.2e18)); })
NEAREST(lrint, long, nearbyint) NEAREST(llrint, long long, nearbyint)
NEAREST(lround, long, round) NEAREST(llround, long long, round)

// Arithmetic by name, to nearest.
#define NAMED(NAME, T, EXPR) CASE(NAME, "__" #NAME, T, (T x, T y), __##NAME(x, y), { return EXPR; })
NAMED(fadd_rn, float, x + y) NAMED(fsub_rn, float, x - y) NAMED(fmul_rn, float, x * y) NAMED(fdiv_rn, float, x / y)
NAMED(dadd_rn, double, x + y) NAMED(dsub_rn, double, x - y) NAMED(dmul_rn, double, x * y) NAMED(ddiv_rn, double, x / y)
CASE(fmaf_rn, "__fmaf_rn,__fmaf_ieee_rn", float, (float x, float y, float z), __fmaf_rn(x, y, z), { return fmaf(x, y, z); })
CASE(fma_rn, "__fma_rn", double, (double x, double y, double z), __fma_rn(x, y, z), { return fma(x, y, z); })
CASE(fsqrt_rn, "__fsqrt_rn", float, (float x), __fsqrt_rn(x), { return sqrtf(x); })
CASE(dsqrt_rn, "__dsqrt_rn", double, (double x), __dsqrt_rn(x), { return sqrt(x); })
CASE(frcp_rn, "__frcp_rn", float, (float x), __frcp_rn(x), { return 1 / x; })
CASE(drcp_rn, "__drcp_rn", double, (double x), __drcp_rn(x), { return 1 / x; })
