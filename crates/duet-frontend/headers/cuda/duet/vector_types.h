// The built-in vector types: plain structs with CUDA's alignment, `make_*`,
// `dim3`, and the trait by which our operators recognise them. Operators are in
// vector_operators.h.
#pragma once
#pragma clang system_header

#include <stddef.h>

namespace duet {

// The element type and the length of a vector type; empty for others.
template <class V> struct vector_traits {};
template <class V> struct vector_traits<const V> : vector_traits<V> {};

template <class V, class E, int N> struct vector_traits_of {
  typedef E element;
  typedef V type;
  static constexpr int length = N;
};

} // namespace duet

#define __DUET_VECTOR(NAME, E, N, ALIGN, FIELDS)                                                   \
  struct ALIGN NAME {                                                                              \
    E FIELDS;                                                                                      \
  };                                                                                               \
  template <> struct duet::vector_traits<NAME> : duet::vector_traits_of<NAME, E, N> {};

#define __DUET_COMMA ,
#define __DUET_VECTORS(NAME, E, ALIGN2, ALIGN4)                                                    \
  __DUET_VECTOR(NAME##1, E, 1, , x)                                                                \
  __DUET_VECTOR(NAME##2, E, 2, __align__(ALIGN2), x __DUET_COMMA y)                                \
  __DUET_VECTOR(NAME##3, E, 3, , x __DUET_COMMA y __DUET_COMMA z)                                  \
  __DUET_VECTOR(NAME##4, E, 4, __align__(ALIGN4), x __DUET_COMMA y __DUET_COMMA z __DUET_COMMA w)  \
  __DUET_WEAK NAME##1 make_##NAME##1(E x) { return {x}; }                                            \
  __DUET_WEAK NAME##2 make_##NAME##2(E x, E y) { return {x, y}; }                                    \
  __DUET_WEAK NAME##3 make_##NAME##3(E x, E y, E z) { return {x, y, z}; }                            \
  __DUET_WEAK NAME##4 make_##NAME##4(E x, E y, E z, E w) { return {x, y, z, w}; }

__DUET_VECTORS(char, signed char, 2, 4)
__DUET_VECTORS(uchar, unsigned char, 2, 4)
__DUET_VECTORS(short, short, 4, 8)
__DUET_VECTORS(ushort, unsigned short, 4, 8)
__DUET_VECTORS(int, int, 8, 16)
__DUET_VECTORS(uint, unsigned int, 8, 16)
__DUET_VECTORS(long, long, 2 * sizeof(long), 16)
__DUET_VECTORS(ulong, unsigned long, 2 * sizeof(long), 16)
__DUET_VECTORS(longlong, long long, 16, 16)
__DUET_VECTORS(ulonglong, unsigned long long, 16, 16)
__DUET_VECTORS(float, float, 8, 16)
__DUET_VECTORS(double, double, 16, 16)

#undef __DUET_VECTORS
#undef __DUET_VECTOR
#undef __DUET_COMMA

struct dim3 {
  unsigned int x, y, z;
  __DUET_HD constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __DUET_HD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __DUET_HD constexpr operator uint3() const { return {x, y, z}; }
#ifdef __DUET_HOST__
  // With a copy constructor of its own it is passed by reference, and each size stays a
  // value of its own; else two of them are packed into one integer.
  __DUET_HD constexpr dim3(const dim3 &o) : x(o.x), y(o.y), z(o.z) {}
  __DUET_HD constexpr dim3 &operator=(const dim3 &o) {
    x = o.x, y = o.y, z = o.z;
    return *this;
  }
#endif
};

// Short names the SDK's host headers bring along and kernels rely on.
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
