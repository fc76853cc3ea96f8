// What stands for a name that no header declares. A file that is read without one of its
// headers (mpi.h, GL/glut.h) gets a declaration of each such name, made from these.
//
// Nothing here has a body, so host code learns nothing from it: a value is whatever an
// unknown function returns, a call may do anything. It is for the host alone. Kernels that
// use such a name are rejected by the compiler, and those that depend on the size of such a
// type are found by compiling with two sizes (`compiler/unknown.rs`).
#pragma once
#pragma clang system_header

#ifndef __DUET_UNKNOWN_SIZE
#define __DUET_UNKNOWN_SIZE 1
#endif

namespace duet_unknown {
struct any {
  __host__ any();
  // On the host a copy is plain, so that one can be passed to `printf`. On the device there
  // must be none.
#ifndef __DUET_HOST__
  __host__ any(const any &);
  __host__ any &operator=(const any &);
  __host__ ~any();
#endif
  template <class T> __host__ any(T &&);
  template <class A, class B, class... C> __host__ any(A &&, B &&, C &&...);
  template <class T> __host__ any &operator=(T &&);
  template <class T> __host__ operator T() const;
  template <class... A> __host__ any operator()(A &&...) const;
  template <class I> __host__ any &operator[](I &&) const;
  __host__ any *operator->() const;
  __host__ any &operator*() const;
  __host__ any operator++();
  __host__ any operator++(int);
  __host__ any operator--();
  __host__ any operator--(int);
  __host__ any operator-() const;
  __host__ any operator~() const;
  __host__ bool operator!() const;
#ifdef __DUET_UNKNOWN_MEMBERS
  __DUET_UNKNOWN_MEMBERS
#endif
  char bytes[__DUET_UNKNOWN_SIZE];
};
#define __DUET_UNKNOWN_OPERATOR(R, O)                                                              \
  __host__ R operator O(const any &, const any &);                                                 \
  template <class T> __host__ R operator O(const any &, const T &);                                \
  template <class T> __host__ R operator O(const T &, const any &);
__DUET_UNKNOWN_OPERATOR(any, +)
__DUET_UNKNOWN_OPERATOR(any, -)
__DUET_UNKNOWN_OPERATOR(any, *)
__DUET_UNKNOWN_OPERATOR(any, /)
__DUET_UNKNOWN_OPERATOR(any, %)
__DUET_UNKNOWN_OPERATOR(any, &)
__DUET_UNKNOWN_OPERATOR(any, |)
__DUET_UNKNOWN_OPERATOR(any, ^)
__DUET_UNKNOWN_OPERATOR(any, <<)
__DUET_UNKNOWN_OPERATOR(any, >>)
__DUET_UNKNOWN_OPERATOR(bool, ==)
__DUET_UNKNOWN_OPERATOR(bool, !=)
__DUET_UNKNOWN_OPERATOR(bool, <)
__DUET_UNKNOWN_OPERATOR(bool, >)
__DUET_UNKNOWN_OPERATOR(bool, <=)
__DUET_UNKNOWN_OPERATOR(bool, >=)
#undef __DUET_UNKNOWN_OPERATOR
template <class T> __host__ any &operator+=(any &, const T &);
template <class T> __host__ any &operator-=(any &, const T &);
template <class T> __host__ any &operator|=(any &, const T &);
template <class T> __host__ any &operator&=(any &, const T &);
} // namespace duet_unknown
