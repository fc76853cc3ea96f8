// Integer functions, exact: abs, min, max, bit counts, wide and mixed products,
// averages, funnel shifts. Those without a C++ name of their own are plain
// functions; `min`, `max`, `abs` are in math_overloads.h.
#pragma once
#pragma clang system_header

__DUET_WEAK_DEVICE int __clz(int x) { return __builtin_clzg((unsigned)x, 32); }
__DUET_WEAK_DEVICE int __clzll(long long x) { return __builtin_clzg((unsigned long long)x, 64); }
__DUET_WEAK_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__DUET_WEAK_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__DUET_WEAK_DEVICE int __ffs(int x) { return __builtin_ctzg((unsigned)x, -1) + 1; }
__DUET_WEAK_DEVICE int __ffsll(long long x) { return __builtin_ctzg((unsigned long long)x, -1) + 1; }
__DUET_WEAK_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__DUET_WEAK_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

// The position of the n-th set bit from `base` upwards (n > 0) or downwards
// (n < 0), or all ones.
__DUET_WEAK_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  int wanted = offset;
  for (unsigned i = 0; i < 32; i++) {
    unsigned at = offset >= 0 ? base + i : base - i;
    if (at >= 32)
      return ~0u;
    if (offset == 0)
      return (mask >> at & 1) ? at : ~0u;
    if (mask >> at & 1)
      wanted += offset > 0 ? -1 : 1;
    if (wanted == 0)
      return at;
  }
  return ~0u;
}

// Products. The 24-bit forms are defined for 24-bit operands only; on those the
// full product's low word is the answer.
__DUET_WEAK_DEVICE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
__DUET_WEAK_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
__DUET_WEAK_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__DUET_WEAK_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
__DUET_WEAK_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long a0 = (unsigned)a, a1 = a >> 32, b0 = (unsigned)b, b1 = b >> 32;
  unsigned long long middle = a1 * b0 + (a0 * b0 >> 32);
  unsigned long long low_carry = a0 * b1 + (unsigned)middle;
  return a1 * b1 + (middle >> 32) + (low_carry >> 32);
}
__DUET_WEAK_DEVICE long long __mul64hi(long long a, long long b) {
  unsigned long long high = __umul64hi((unsigned long long)a, (unsigned long long)b);
  return (long long)(high - (a < 0 ? (unsigned long long)b : 0) - (b < 0 ? (unsigned long long)a : 0));
}
__DUET_WEAK_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
__DUET_WEAK_DEVICE unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
__DUET_WEAK_DEVICE long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
__DUET_WEAK_DEVICE unsigned long long mul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
__DUET_WEAK_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
__DUET_WEAK_DEVICE unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }

// Averages without overflow, and sums of absolute differences.
__DUET_WEAK_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__DUET_WEAK_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__DUET_WEAK_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
__DUET_WEAK_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
__DUET_WEAK_DEVICE unsigned __sad(int a, int b, unsigned sum) {
  return sum + ((unsigned)__builtin_elementwise_max(a, b) - (unsigned)__builtin_elementwise_min(a, b));
}
__DUET_WEAK_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned sum) {
  return sum + (__builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b));
}

// Bytes and funnels.
namespace duet {
template <int I> __DUET_FN unsigned picked_byte(unsigned long long bytes, unsigned selector) {
  return ((unsigned)(bytes >> (8 * (selector >> (4 * I) & 7))) & 0xff) << (8 * I);
}
} // namespace duet
__DUET_WEAK_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  return duet::picked_byte<0>(bytes, selector) | duet::picked_byte<1>(bytes, selector) |
         duet::picked_byte<2>(bytes, selector) | duet::picked_byte<3>(bytes, selector);
}
__DUET_WEAK_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  unsigned long long both = (unsigned long long)hi << 32 | lo;
  return (unsigned)(both << (shift & 31) >> 32);
}
__DUET_WEAK_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  unsigned long long both = (unsigned long long)hi << 32 | lo;
  return (unsigned)(both >> (shift & 31));
}
__DUET_WEAK_DEVICE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
  unsigned long long both = (unsigned long long)hi << 32 | lo;
  return (unsigned)(both << __builtin_elementwise_min(shift, 32u) >> 32);
}
__DUET_WEAK_DEVICE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
  unsigned long long both = (unsigned long long)hi << 32 | lo;
  return (unsigned)(both >> __builtin_elementwise_min(shift, 32u));
}

// Dot products of packed bytes and halfwords.
namespace duet {
template <class Byte, int I, class T> __DUET_FN T byte_product(T a, T b) {
  return (T)(Byte)(a >> 8 * I) * (T)(Byte)(b >> 8 * I);
}
template <class Byte, class T> __DUET_FN T dot_of_bytes(T a, T b, T sum) {
  return sum + byte_product<Byte, 0>(a, b) + byte_product<Byte, 1>(a, b) +
         byte_product<Byte, 2>(a, b) + byte_product<Byte, 3>(a, b);
}
} // namespace duet
__DUET_WEAK_DEVICE int __dp4a(int a, int b, int sum) { return duet::dot_of_bytes<signed char>(a, b, sum); }
__DUET_WEAK_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  return duet::dot_of_bytes<unsigned char>(a, b, sum);
}
#define __DUET_DP2A(SUFFIX, SHIFT)                                                                 \
  __DUET_WEAK_DEVICE int __dp2a_##SUFFIX(int a, int b, int sum) {                                  \
    return sum + (int)(short)a * (int)(signed char)(b >> SHIFT) +                                  \
           (a >> 16) * (int)(signed char)(b >> (SHIFT + 8));                                       \
  }                                                                                                \
  __DUET_WEAK_DEVICE unsigned __dp2a_##SUFFIX(unsigned a, unsigned b, unsigned sum) {              \
    return sum + (a & 0xffff) * (b >> SHIFT & 0xff) + (a >> 16) * (b >> (SHIFT + 8) & 0xff);       \
  }
__DUET_DP2A(lo, 0)
__DUET_DP2A(hi, 16)
#undef __DUET_DP2A
