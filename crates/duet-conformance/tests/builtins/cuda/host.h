// The same cases in plain C++ for the host, by the reference that the table gives.
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "values.h"

#define ITEMS 256
#define SLOT 16
#define BLOCKS 2
#define THREADS (ITEMS / BLOCKS)

static int at(int argument, int item) {
  return (item * 5 + (item >> 6) * (argument * 11 + 1) + argument * 23) & 63;
}

template <class T, int Size = sizeof(T)> struct Pick;
template <class T> struct Pick<T, 1> {
  static T of(int a, int i) { return (T)b8[at(a, i)]; }
};
template <class T> struct Pick<T, 2> {
  static T of(int a, int i) { return (T)b16[at(a, i)]; }
};
template <class T> struct Pick<T, 4> {
  static T of(int a, int i) { return (T)b32[at(a, i)]; }
};
template <class T> struct Pick<T, 8> {
  static T of(int a, int i) { return (T)b64[at(a, i)]; }
};
template <> struct Pick<float, 4> {
  static float of(int a, int i) { return __builtin_bit_cast(float, f32[at(a, i)]); }
};
template <> struct Pick<double, 8> {
  static double of(int a, int i) { return __builtin_bit_cast(double, f64[at(a, i)]); }
};

template <class R> static R call(R (*f)(), int) { return f(); }
template <class R, class A> static R call(R (*f)(A), int i) { return f(Pick<A>::of(0, i)); }
template <class R, class A, class B> static R call(R (*f)(A, B), int i) {
  return f(Pick<A>::of(0, i), Pick<B>::of(1, i));
}
template <class R, class A, class B, class C> static R call(R (*f)(A, B, C), int i) {
  return f(Pick<A>::of(0, i), Pick<B>::of(1, i), Pick<C>::of(2, i));
}

template <class T> struct Two {
  T x, y;
};
template <class T> static Two<T> two(T x, T y) { return {x, y}; }
struct Mixed {
  double x;
  long long y;
};
static Mixed mixed(double x, long long y) { return {x, y}; }

// How a result is compared: as a float, a double, or bit by bit.
template <class T> struct Kind {
  static const char of = 'x';
};
template <> struct Kind<float> {
  static const char of = 'f';
};
template <> struct Kind<double> {
  static const char of = 'd';
};
template <> struct Kind<Two<float>> {
  static const char of = 'f';
};
template <> struct Kind<Two<double>> {
  static const char of = 'd';
};
template <> struct Kind<Mixed> {
  static const char of = 'd';
};

static unsigned char slots[ITEMS][SLOT];
template <class R> static void put(int i, R value) { memcpy(slots[i], &value, sizeof value); }
static void finish(const char *id, const char *names, char kind) {
  printf("%s|%s|%c|", id, names, kind);
  for (int i = 0; i < ITEMS; i++)
    for (int b = 0; b < SLOT; b++)
      printf("%02x", slots[i][b]);
  printf("\n");
  memset(slots, 0, sizeof slots);
}

// Tables are read once with functions, once with calls of them in main.
#define CASE(ID, NAMES, R, PARAMS, EXPR, ...)                                                      \
  static R ref_##ID PARAMS __VA_ARGS__                                                             \
  static struct Run_##ID { Run_##ID() {                                                            \
    for (int i = 0; i < ITEMS; i++) put(i, call(ref_##ID, i));                                     \
    finish(#ID, NAMES, Kind<R>::of);                                                               \
  } } run_##ID;
// v[l] is the value of lane l of the warp; `in(l)` says whether l is in the mask.
#define WARP(ID, NAMES, R, T, EXPR, ...)                                                           \
  static R ref_##ID(const T *v, unsigned mask, unsigned lane) __VA_ARGS__                          \
  static struct Run_##ID { Run_##ID() {                                                            \
    for (int i = 0; i < ITEMS; i++) {                                                              \
      T v[32];                                                                                     \
      for (int l = 0; l < 32; l++) v[l] = Pick<T>::of(0, i / 32 * 32 + l);                         \
      unsigned lane = i % 32;                                                                      \
      unsigned mask = i < 128 ? 0xffffffffu : lane < 16 ? 0xffffu : 0xffff0000u;                   \
      put(i, ref_##ID(v, mask, lane));                                                             \
    }                                                                                              \
    finish(#ID, NAMES, Kind<R>::of);                                                               \
  } } run_##ID;
#define BLOCK(ID, NAMES, R, T, EXPR, ...)                                                          \
  static R ref_##ID(const T *v) __VA_ARGS__                                                        \
  static struct Run_##ID { Run_##ID() {                                                            \
    for (int i = 0; i < ITEMS; i++) {                                                              \
      T v[THREADS];                                                                                \
      for (int l = 0; l < THREADS; l++) v[l] = Pick<T>::of(0, i / THREADS * THREADS + l);          \
      put(i, ref_##ID(v));                                                                         \
    }                                                                                              \
    finish(#ID, NAMES, Kind<R>::of);                                                               \
  } } run_##ID;
// BODY yields the new value of the cell.
#define ATOMIC(ID, NAMES, T, EXPR, ...)                                                            \
  static T ref_##ID(T old, T x, T y) __VA_ARGS__                                                   \
  static struct Run_##ID { Run_##ID() {                                                            \
    for (int i = 0; i < ITEMS; i++) {                                                              \
      T old = Pick<T>::of(0, i), x = Pick<T>::of(1, i), y = Pick<T>::of(2, i);                     \
      T now = ref_##ID(old, x, y);                                                                 \
      memcpy(slots[i], &old, sizeof old);                                                          \
      memcpy(slots[i] + SLOT / 2, &now, sizeof now);                                               \
    }                                                                                              \
    finish(#ID, NAMES, Kind<T>::of);                                                               \
  } } run_##ID;

int main() { return 0; }
