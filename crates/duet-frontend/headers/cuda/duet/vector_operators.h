// Element-wise operators on the built-in vector types. CUDA has none; kernels
// bring their own or rely on a verifier's headers. Ours are templates whose
// scalar operand is not deduced, so that any operator the user defines wins.
#pragma once
#pragma clang system_header

#define __DUET_BINARY(OP)                                                                          \
  template <class V> __DUET_HD typename duet::vector_traits<V>::type operator OP(V a, V b) {       \
    typedef duet::vector_traits<V> traits;                                                         \
    typedef typename traits::element E;                                                            \
    a.x = (E)(a.x OP b.x);                                                                         \
    if constexpr (traits::length > 1)                                                              \
      a.y = (E)(a.y OP b.y);                                                                       \
    if constexpr (traits::length > 2)                                                              \
      a.z = (E)(a.z OP b.z);                                                                       \
    if constexpr (traits::length > 3)                                                              \
      a.w = (E)(a.w OP b.w);                                                                       \
    return a;                                                                                      \
  }                                                                                                \
  template <class V>                                                                               \
  __DUET_HD typename duet::vector_traits<V>::type operator OP(                                     \
      V a, typename duet::vector_traits<V>::element b) {                                           \
    return a OP duet::splat<V>(b);                                                                 \
  }                                                                                                \
  template <class V>                                                                               \
  __DUET_HD typename duet::vector_traits<V>::type operator OP(                                     \
      typename duet::vector_traits<V>::element a, V b) {                                           \
    return duet::splat<V>(a) OP b;                                                                 \
  }                                                                                                \
  template <class V>                                                                               \
  __DUET_HD typename duet::vector_traits<V>::type &operator OP##=(V &a, V b) {                     \
    return a = a OP b;                                                                             \
  }                                                                                                \
  template <class V>                                                                               \
  __DUET_HD typename duet::vector_traits<V>::type &operator OP##=(                                 \
      V &a, typename duet::vector_traits<V>::element b) {                                          \
    return a = a OP duet::splat<V>(b);                                                             \
  }

namespace duet {
// The vector with every field `x`.
template <class V> __DUET_HD typename vector_traits<V>::type splat(typename vector_traits<V>::element x) {
  if constexpr (vector_traits<V>::length == 1)
    return {x};
  else if constexpr (vector_traits<V>::length == 2)
    return {x, x};
  else if constexpr (vector_traits<V>::length == 3)
    return {x, x, x};
  else
    return {x, x, x, x};
}
} // namespace duet

__DUET_BINARY(+)
__DUET_BINARY(-)
__DUET_BINARY(*)
__DUET_BINARY(/)
__DUET_BINARY(%)
__DUET_BINARY(&)
__DUET_BINARY(|)
__DUET_BINARY(^)
__DUET_BINARY(<<)
__DUET_BINARY(>>)
#undef __DUET_BINARY

// Negation is the compiler's own on each field: 0 - x differs from -x at zero.
template <class V> __DUET_HD typename duet::vector_traits<V>::type operator-(V a) {
  typedef duet::vector_traits<V> traits;
  typedef typename traits::element E;
  a.x = (E)-a.x;
  if constexpr (traits::length > 1)
    a.y = (E)-a.y;
  if constexpr (traits::length > 2)
    a.z = (E)-a.z;
  if constexpr (traits::length > 3)
    a.w = (E)-a.w;
  return a;
}
template <class V> __DUET_HD typename duet::vector_traits<V>::type operator~(V a) {
  return a ^ duet::splat<V>((typename duet::vector_traits<V>::element)-1);
}
