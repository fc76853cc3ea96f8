// Reinterpretation of bits between types of one size, and the few type traits
// our templates need (the C++ library may be absent).
#pragma once
#pragma clang system_header

namespace duet {

template <class To, class From> __DUET_HD constexpr To bit_cast(From x) {
  return __builtin_bit_cast(To, x);
}

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  typedef T type;
};

template <class A, class B> struct is_same {
  static constexpr bool value = false;
};
template <class A> struct is_same<A, A> {
  static constexpr bool value = true;
};

template <class T> struct is_integral {
  static constexpr bool value = __is_integral(T);
};

template <bool B, class T, class F> struct conditional {
  typedef T type;
};
template <class T, class F> struct conditional<false, T, F> {
  typedef F type;
};

// The unsigned integer of a given size.
template <int Size> struct word {};
template <> struct word<1> {
  typedef unsigned char type;
};
template <> struct word<2> {
  typedef unsigned short type;
};
template <> struct word<4> {
  typedef unsigned type;
};
template <> struct word<8> {
  typedef unsigned long long type;
};

} // namespace duet
