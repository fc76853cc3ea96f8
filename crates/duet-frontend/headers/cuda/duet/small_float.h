// A 16-bit float type and its vector of two, with all functions and operators.
// Included once by cuda_fp16.h and once by cuda_bf16.h, which name the types:
//   __DUET_H, __DUET_H2   the public types (__half, __half2)
//   __DUET_S              the compiler's type that is stored (_Float16)
//   __DUET_N(A, B)        A##half##B, for names that hold the type's name
//   __DUET_N2(A, B)       A##half2##B
//   __DUET_DOUBLED        the function that makes a pair of one value
//   __DUET_INTRINSIC(A)   A##f16
// Arithmetic is the compiler's on the stored type; other functions are pure
// functions of their own names.

struct __align__(2) __DUET_H {
  __DUET_S __x;

  __DUET_H() = default;
  __DUET_HD constexpr __DUET_H(__DUET_S x) : __x(x) {}
  __DUET_HD constexpr __DUET_H(float x) : __x((__DUET_S)x) {}
  __DUET_HD constexpr __DUET_H(double x) : __x((__DUET_S)x) {}
  __DUET_HD constexpr __DUET_H(int x) : __x((__DUET_S)(float)x) {}
  __DUET_HD constexpr __DUET_H(unsigned x) : __x((__DUET_S)(float)x) {}
  __DUET_HD constexpr __DUET_H(short x) : __x((__DUET_S)(float)x) {}
  __DUET_HD constexpr __DUET_H(unsigned short x) : __x((__DUET_S)(float)x) {}
  __DUET_HD constexpr __DUET_H(long x) : __x((__DUET_S)(float)x) {}
  __DUET_HD constexpr __DUET_H(unsigned long x) : __x((__DUET_S)(float)x) {}
  __DUET_HD constexpr __DUET_H(long long x) : __x((__DUET_S)(float)x) {}
  __DUET_HD constexpr __DUET_H(unsigned long long x) : __x((__DUET_S)(float)x) {}
  __DUET_HD __DUET_H(const __DUET_N(__, _raw) &r) : __x(duet::bit_cast<__DUET_S>(r.x)) {}
  __DUET_HD operator __DUET_N(__, _raw)() const { return {duet::bit_cast<unsigned short>(__x)}; }
  __DUET_HD operator float() const { return (float)__x; }
  __DUET_HD explicit operator bool() const { return (float)__x != 0.0f; }
  __DUET_HD explicit operator char() const { return (char)(float)__x; }
  __DUET_HD explicit operator signed char() const { return (signed char)(float)__x; }
  __DUET_HD explicit operator unsigned char() const { return (unsigned char)(float)__x; }
  __DUET_HD explicit operator short() const { return (short)(float)__x; }
  __DUET_HD explicit operator unsigned short() const { return (unsigned short)(float)__x; }
  __DUET_HD explicit operator int() const { return (int)(float)__x; }
  __DUET_HD explicit operator unsigned() const { return (unsigned)(float)__x; }
  __DUET_HD explicit operator long() const { return (long)(float)__x; }
  __DUET_HD explicit operator unsigned long() const { return (unsigned long)(float)__x; }
  __DUET_HD explicit operator long long() const { return (long long)(float)__x; }
  __DUET_HD explicit operator unsigned long long() const { return (unsigned long long)(float)__x; }
  __DUET_HD explicit operator double() const { return (double)(float)__x; }
  __DUET_HD __DUET_H &operator=(float x) { return __x = (__DUET_S)x, *this; }
  __DUET_HD __DUET_H &operator=(double x) { return __x = (__DUET_S)x, *this; }
  __DUET_HD __DUET_H &operator=(int x) { return __x = (__DUET_S)(float)x, *this; }
};

struct __align__(4) __DUET_H2 {
  __DUET_H x, y;

  __DUET_H2() = default;
  __DUET_HD __DUET_H2(__DUET_H x, __DUET_H y) : x(x), y(y) {}
};

// Operators.
#define __DUET_OPERATOR(OP)                                                                        \
  __DUET_HD __DUET_H operator OP(const __DUET_H &a, const __DUET_H &b) {                           \
    return __DUET_H((__DUET_S)(a.__x OP b.__x));                                                   \
  }                                                                                                \
  __DUET_HD __DUET_H &operator OP##=(__DUET_H &a, const __DUET_H &b) { return a = a OP b; }        \
  __DUET_HD __DUET_H2 operator OP(const __DUET_H2 &a, const __DUET_H2 &b) {                        \
    return __DUET_H2(a.x OP b.x, a.y OP b.y);                                                      \
  }                                                                                                \
  __DUET_HD __DUET_H2 &operator OP##=(__DUET_H2 &a, const __DUET_H2 &b) { return a = a OP b; }
__DUET_OPERATOR(+)
__DUET_OPERATOR(-)
__DUET_OPERATOR(*)
__DUET_OPERATOR(/)
#undef __DUET_OPERATOR
#define __DUET_OPERATOR(OP)                                                                        \
  __DUET_HD bool operator OP(const __DUET_H &a, const __DUET_H &b) { return a.__x OP b.__x; }      \
  __DUET_HD bool operator OP(const __DUET_H2 &a, const __DUET_H2 &b) {                             \
    return (a.x OP b.x) & (a.y OP b.y);                                                            \
  }
__DUET_OPERATOR(==)
__DUET_OPERATOR(!=)
__DUET_OPERATOR(<)
__DUET_OPERATOR(<=)
__DUET_OPERATOR(>)
__DUET_OPERATOR(>=)
#undef __DUET_OPERATOR
__DUET_HD __DUET_H operator+(const __DUET_H &a) { return a; }
__DUET_HD __DUET_H operator-(const __DUET_H &a) { return __DUET_H((__DUET_S)-a.__x); }
__DUET_HD __DUET_H2 operator-(const __DUET_H2 &a) { return __DUET_H2(-a.x, -a.y); }
__DUET_HD __DUET_H &operator++(__DUET_H &a) { return a = a + __DUET_H(1.0f); }
__DUET_HD __DUET_H &operator--(__DUET_H &a) { return a = a - __DUET_H(1.0f); }
__DUET_HD __DUET_H operator++(__DUET_H &a, int) {
  __DUET_H old = a;
  ++a;
  return old;
}
__DUET_HD __DUET_H operator--(__DUET_H &a, int) {
  __DUET_H old = a;
  --a;
  return old;
}

// Conversions from and to float and double.
#define __DUET_DIRECTED(MODE)                                                                      \
  __DUET_PURE __DUET_S __DUET_N(__duet_float2, MODE)(float);                                       \
  __DUET_FN __DUET_H __DUET_N(__float2, MODE)(float x) { return __DUET_N(__duet_float2, MODE)(x); }
__DUET_DIRECTED(_rz)
__DUET_DIRECTED(_ru)
__DUET_DIRECTED(_rd)
#undef __DUET_DIRECTED
__DUET_HD __DUET_H __DUET_N(__float2, )(float x) { return __DUET_H(x); }
__DUET_HD __DUET_H __DUET_N(__float2, _rn)(float x) { return __DUET_H(x); }
__DUET_HD __DUET_H __DUET_N(__double2, )(double x) { return __DUET_H(x); }
__DUET_HD float __DUET_N(__, 2float)(__DUET_H x) { return (float)x.__x; }
__DUET_HD __DUET_H2 __DUET_N2(__float2, _rn)(float x) { return __DUET_H2(x, x); }
__DUET_HD __DUET_H2 __DUET_N2(__floats2, _rn)(float x, float y) { return __DUET_H2(x, y); }
__DUET_HD __DUET_H2 __DUET_N2(__float22, _rn)(float2 v) { return __DUET_H2(v.x, v.y); }
__DUET_HD float2 __DUET_N2(__, 2float2)(__DUET_H2 v) { return {(float)v.x.__x, (float)v.y.__x}; }
__DUET_HD float __low2float(__DUET_H2 v) { return (float)v.x.__x; }
__DUET_HD float __high2float(__DUET_H2 v) { return (float)v.y.__x; }

// Conversions from and to integers: the machine's own mode, and pure functions
// for the others.
#define __DUET_INTEGER(T, NAME)                                                                    \
  __DUET_HD T __DUET_N(__, 2##NAME##_rz)(__DUET_H x) { return (T)x.__x; }                          \
  __DUET_HD __DUET_H __DUET_N(__##NAME##2, _rn)(T x) { return __DUET_H((__DUET_S)x); }             \
  __DUET_INTEGER_MODE(T, NAME, rn)                                                                 \
  __DUET_INTEGER_MODE(T, NAME, ru)                                                                 \
  __DUET_INTEGER_MODE(T, NAME, rd)                                                                 \
  __DUET_TO_MODE(T, NAME, rz)                                                                      \
  __DUET_TO_MODE(T, NAME, ru)                                                                      \
  __DUET_TO_MODE(T, NAME, rd)
#define __DUET_INTEGER_MODE(T, NAME, MODE)                                                         \
  __DUET_PURE T __DUET_N(__duet_, 2##NAME##_##MODE)(__DUET_S);                                     \
  __DUET_FN T __DUET_N(__, 2##NAME##_##MODE)(__DUET_H x) {                                         \
    return __DUET_N(__duet_, 2##NAME##_##MODE)(x.__x);                                             \
  }
#define __DUET_TO_MODE(T, NAME, MODE)                                                              \
  __DUET_PURE __DUET_S __DUET_N(__duet_##NAME##2, _##MODE)(T);                                     \
  __DUET_FN __DUET_H __DUET_N(__##NAME##2, _##MODE)(T x) {                                         \
    return __DUET_N(__duet_##NAME##2, _##MODE)(x);                                                 \
  }
__DUET_INTEGER(int, int)
__DUET_INTEGER(unsigned, uint)
__DUET_INTEGER(short, short)
__DUET_INTEGER(unsigned short, ushort)
__DUET_INTEGER(long long, ll)
__DUET_INTEGER(unsigned long long, ull)
#undef __DUET_TO_MODE
#undef __DUET_INTEGER_MODE
#undef __DUET_INTEGER

// Bits, and putting pairs together.
__DUET_HD short __DUET_N(__, _as_short)(__DUET_H x) { return duet::bit_cast<short>(x.__x); }
__DUET_HD unsigned short __DUET_N(__, _as_ushort)(__DUET_H x) {
  return duet::bit_cast<unsigned short>(x.__x);
}
__DUET_HD __DUET_H __DUET_N(__short_as_, )(short x) { return duet::bit_cast<__DUET_S>(x); }
__DUET_HD __DUET_H __DUET_N(__ushort_as_, )(unsigned short x) { return duet::bit_cast<__DUET_S>(x); }
__DUET_HD __DUET_H2 __DUET_N2(__halves2, )(__DUET_H x, __DUET_H y) { return __DUET_H2(x, y); }
__DUET_HD __DUET_H2 __DUET_N2(make_, )(__DUET_H x, __DUET_H y) { return __DUET_H2(x, y); }
__DUET_HD __DUET_H2 __DUET_DOUBLED(__DUET_H x) { return __DUET_H2(x, x); }
__DUET_HD __DUET_H __DUET_N(__low2, )(__DUET_H2 v) { return v.x; }
__DUET_HD __DUET_H __DUET_N(__high2, )(__DUET_H2 v) { return v.y; }
__DUET_HD __DUET_H2 __DUET_N2(__low2, )(__DUET_H2 v) { return __DUET_H2(v.x, v.x); }
__DUET_HD __DUET_H2 __DUET_N2(__high2, )(__DUET_H2 v) { return __DUET_H2(v.y, v.y); }
__DUET_HD __DUET_H2 __lowhigh2highlow(__DUET_H2 v) { return __DUET_H2(v.y, v.x); }
__DUET_HD __DUET_H2 __DUET_N2(__lows2, )(__DUET_H2 a, __DUET_H2 b) { return __DUET_H2(a.x, b.x); }
__DUET_HD __DUET_H2 __DUET_N2(__highs2, )(__DUET_H2 a, __DUET_H2 b) { return __DUET_H2(a.y, b.y); }

// Arithmetic by name.
__DUET_PURE __DUET_S __DUET_N(__duet_, _saturate)(__DUET_S);
__DUET_PURE __DUET_S __DUET_N(__duet_, _fma)(__DUET_S, __DUET_S, __DUET_S);
__DUET_PURE __DUET_S __DUET_N(__duet_, _abs)(__DUET_S);
__DUET_PURE __DUET_S __DUET_N(__duet_, _max)(__DUET_S, __DUET_S);
__DUET_PURE __DUET_S __DUET_N(__duet_, _min)(__DUET_S, __DUET_S);
__DUET_PURE __DUET_S __DUET_N(__duet_, _max_nan)(__DUET_S, __DUET_S);
__DUET_PURE __DUET_S __DUET_N(__duet_, _min_nan)(__DUET_S, __DUET_S);
#define __DUET_ARITHMETIC(NAME, OP)                                                                \
  __DUET_FN __DUET_H NAME(__DUET_H a, __DUET_H b) { return a OP b; }                               \
  __DUET_FN __DUET_H NAME##_rn(__DUET_H a, __DUET_H b) { return a OP b; }                          \
  __DUET_FN __DUET_H NAME##_sat(__DUET_H a, __DUET_H b) {                                          \
    return __DUET_N(__duet_, _saturate)((a OP b).__x);                                             \
  }                                                                                                \
  __DUET_FN __DUET_H2 NAME##2(__DUET_H2 a, __DUET_H2 b) { return a OP b; }                         \
  __DUET_FN __DUET_H2 NAME##2_rn(__DUET_H2 a, __DUET_H2 b) { return a OP b; }                      \
  __DUET_FN __DUET_H2 NAME##2_sat(__DUET_H2 a, __DUET_H2 b) {                                      \
    return __DUET_H2(NAME##_sat(a.x, b.x), NAME##_sat(a.y, b.y));                                  \
  }
__DUET_ARITHMETIC(__hadd, +)
__DUET_ARITHMETIC(__hsub, -)
__DUET_ARITHMETIC(__hmul, *)
#undef __DUET_ARITHMETIC
__DUET_FN __DUET_H __hdiv(__DUET_H a, __DUET_H b) { return a / b; }
__DUET_FN __DUET_H2 __h2div(__DUET_H2 a, __DUET_H2 b) { return a / b; }
__DUET_FN __DUET_H __hneg(__DUET_H a) { return -a; }
__DUET_FN __DUET_H2 __hneg2(__DUET_H2 a) { return -a; }
__DUET_FN __DUET_H __hfma(__DUET_H a, __DUET_H b, __DUET_H c) {
  return __DUET_N(__duet_, _fma)(a.__x, b.__x, c.__x);
}
__DUET_FN __DUET_H __hfma_sat(__DUET_H a, __DUET_H b, __DUET_H c) {
  return __DUET_N(__duet_, _saturate)(__hfma(a, b, c).__x);
}
__DUET_FN __DUET_H __hfma_relu(__DUET_H a, __DUET_H b, __DUET_H c) {
  return __DUET_N(__duet_, _max)(__hfma(a, b, c).__x, (__DUET_S)0.0f);
}
__DUET_FN __DUET_H2 __hfma2(__DUET_H2 a, __DUET_H2 b, __DUET_H2 c) {
  return __DUET_H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__DUET_FN __DUET_H2 __hfma2_sat(__DUET_H2 a, __DUET_H2 b, __DUET_H2 c) {
  return __DUET_H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
__DUET_FN __DUET_H2 __hfma2_relu(__DUET_H2 a, __DUET_H2 b, __DUET_H2 c) {
  return __DUET_H2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
__DUET_FN __DUET_H __habs(__DUET_H a) { return __DUET_N(__duet_, _abs)(a.__x); }
__DUET_FN __DUET_H2 __habs2(__DUET_H2 a) { return __DUET_H2(__habs(a.x), __habs(a.y)); }
#define __DUET_MIN_MAX(NAME, WHAT)                                                                 \
  __DUET_FN __DUET_H NAME(__DUET_H a, __DUET_H b) { return __DUET_N(__duet_, WHAT)(a.__x, b.__x); }
#define __DUET_MIN_MAX_2(NAME, NAME2)                                                              \
  __DUET_FN __DUET_H2 NAME2(__DUET_H2 a, __DUET_H2 b) { return __DUET_H2(NAME(a.x, b.x), NAME(a.y, b.y)); }
__DUET_MIN_MAX(__hmax, _max)
__DUET_MIN_MAX(__hmin, _min)
__DUET_MIN_MAX(__hmax_nan, _max_nan)
__DUET_MIN_MAX(__hmin_nan, _min_nan)
__DUET_MIN_MAX_2(__hmax, __hmax2)
__DUET_MIN_MAX_2(__hmin, __hmin2)
__DUET_MIN_MAX_2(__hmax_nan, __hmax2_nan)
__DUET_MIN_MAX_2(__hmin_nan, __hmin2_nan)
#undef __DUET_MIN_MAX_2
#undef __DUET_MIN_MAX

// Comparisons: ordered (not equal, too, is false of a NaN), unordered (`u`), both of a pair (`b…2`), as 1.0 or 0.0
// (`…2`), as a mask (`…2_mask`).
__DUET_FN bool __hisnan(__DUET_H a) { return isnan((float)a.__x); }
__DUET_FN int __hisinf(__DUET_H a) {
  float x = (float)a.__x;
  return isinf(x) ? (signbit(x) ? -1 : 1) : 0;
}
__DUET_FN __DUET_H2 __hisnan2(__DUET_H2 a) {
  return __DUET_H2(__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f);
}
#define __DUET_COMPARE(NAME, OP)                                                                   \
  __DUET_FN bool __h##NAME(__DUET_H a, __DUET_H b) {                                               \
    return (a.__x OP b.__x) & !__hisnan(a) & !__hisnan(b);                                         \
  }                                                                                                \
  __DUET_FN bool __h##NAME##u(__DUET_H a, __DUET_H b) {                                            \
    return (a.__x OP b.__x) | __hisnan(a) | __hisnan(b);                                           \
  }                                                                                                \
  __DUET_FN bool __hb##NAME##2(__DUET_H2 a, __DUET_H2 b) {                                         \
    return __h##NAME(a.x, b.x) & __h##NAME(a.y, b.y);                                              \
  }                                                                                                \
  __DUET_FN bool __hb##NAME##u2(__DUET_H2 a, __DUET_H2 b) {                                        \
    return __h##NAME##u(a.x, b.x) & __h##NAME##u(a.y, b.y);                                        \
  }                                                                                                \
  __DUET_FN __DUET_H2 __h##NAME##2(__DUET_H2 a, __DUET_H2 b) {                                     \
    return __DUET_H2((float)__h##NAME(a.x, b.x), (float)__h##NAME(a.y, b.y));                      \
  }                                                                                                \
  __DUET_FN __DUET_H2 __h##NAME##u2(__DUET_H2 a, __DUET_H2 b) {                                    \
    return __DUET_H2((float)__h##NAME##u(a.x, b.x), (float)__h##NAME##u(a.y, b.y));                \
  }                                                                                                \
  __DUET_FN unsigned __h##NAME##2_mask(__DUET_H2 a, __DUET_H2 b) {                                 \
    return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u);        \
  }
__DUET_COMPARE(eq, ==)
__DUET_COMPARE(ne, !=)
__DUET_COMPARE(lt, <)
__DUET_COMPARE(le, <=)
__DUET_COMPARE(gt, >)
__DUET_COMPARE(ge, >=)
#undef __DUET_COMPARE

// Functions.
#define __DUET_FUNCTION(F)                                                                         \
  __DUET_PURE __DUET_S __DUET_N(__duet_, _##F)(__DUET_S);                                          \
  __DUET_FN __DUET_H h##F(__DUET_H a) { return __DUET_N(__duet_, _##F)(a.__x); }                   \
  __DUET_FN __DUET_H2 h2##F(__DUET_H2 a) { return __DUET_H2(h##F(a.x), h##F(a.y)); }
__DUET_FUNCTION(ceil)
__DUET_FUNCTION(cos)
__DUET_FUNCTION(exp)
__DUET_FUNCTION(exp10)
__DUET_FUNCTION(exp2)
__DUET_FUNCTION(floor)
__DUET_FUNCTION(log)
__DUET_FUNCTION(log10)
__DUET_FUNCTION(log2)
__DUET_FUNCTION(rcp)
__DUET_FUNCTION(rint)
__DUET_FUNCTION(rsqrt)
__DUET_FUNCTION(sin)
__DUET_FUNCTION(sqrt)
__DUET_FUNCTION(tanh)
__DUET_FUNCTION(trunc)
#undef __DUET_FUNCTION

// Warp exchanges and atomics. A pair is added by two atomic operations.
__DUET_SHUFFLES(__DUET_H)
__DUET_SHUFFLES(__DUET_H2)
#define __DUET_ADD_IN(NAME, SCOPE)                                                                 \
  __DUET_FN __DUET_H NAME(__DUET_H *p, __DUET_H x) {                                               \
    return __DUET_INTRINSIC(__duet_atomic_fadd_##SCOPE##_)(&p->__x, x.__x);                        \
  }                                                                                                \
  __DUET_FN __DUET_H2 NAME(__DUET_H2 *p, __DUET_H2 x) {                                            \
    __DUET_H low = NAME(&p->x, x.x);                                                               \
    return __DUET_H2(low, NAME(&p->y, x.y));                                                       \
  }
__DUET_ADD_IN(atomicAdd, device)
__DUET_ADD_IN(atomicAdd_block, block)
__DUET_ADD_IN(atomicAdd_system, system)
#undef __DUET_ADD_IN
