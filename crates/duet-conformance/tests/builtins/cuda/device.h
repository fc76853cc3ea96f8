// One kernel for each case of a table: calls the built-in with made-up arguments.
// Read by Duet; nvcc can read it too.
#define ITEMS 256
#define SLOT 16

struct In {
  const unsigned char *b8;
  const unsigned short *b16;
  const unsigned *b32;
  const unsigned long long *b64;
  const unsigned short *f16;
  const unsigned *f32;
  const unsigned long long *f64;
};

__device__ inline int at(int argument, int item) {
  return (item * 5 + (item >> 6) * (argument * 11 + 1) + argument * 23) & 63;
}

template <class T, int Size = sizeof(T)> struct Pick;
template <class T> struct Pick<T, 1> {
  static __device__ T of(const In &in, int a, int i) { return (T)in.b8[at(a, i)]; }
};
template <class T> struct Pick<T, 2> {
  static __device__ T of(const In &in, int a, int i) { return (T)in.b16[at(a, i)]; }
};
template <class T> struct Pick<T, 4> {
  static __device__ T of(const In &in, int a, int i) { return (T)in.b32[at(a, i)]; }
};
template <class T> struct Pick<T, 8> {
  static __device__ T of(const In &in, int a, int i) { return (T)in.b64[at(a, i)]; }
};
template <> struct Pick<float, 4> {
  static __device__ float of(const In &in, int a, int i) { return __uint_as_float(in.f32[at(a, i)]); }
};
template <> struct Pick<double, 8> {
  static __device__ double of(const In &in, int a, int i) {
    return __longlong_as_double((long long)in.f64[at(a, i)]);
  }
};

template <class F, class R> __device__ R call(R (*)(), const In &in, int i) { return F::of(); }
template <class F, class R, class A> __device__ R call(R (*)(A), const In &in, int i) {
  return F::of(Pick<A>::of(in, 0, i));
}
template <class F, class R, class A, class B> __device__ R call(R (*)(A, B), const In &in, int i) {
  return F::of(Pick<A>::of(in, 0, i), Pick<B>::of(in, 1, i));
}
template <class F, class R, class A, class B, class C>
__device__ R call(R (*)(A, B, C), const In &in, int i) {
  return F::of(Pick<A>::of(in, 0, i), Pick<B>::of(in, 1, i), Pick<C>::of(in, 2, i));
}

template <class T> struct Two {
  T x, y;
};
template <class T> __device__ Two<T> two(T x, T y) {
  Two<T> pair = {x, y};
  return pair;
}
// A float and an integer, or two words.
struct Mixed {
  double x;
  long long y;
};
__device__ inline Mixed mixed(double x, long long y) {
  Mixed pair = {x, y};
  return pair;
}

#define KERNEL(ID, ...)                                                                            \
  __global__ void k_##ID(const unsigned char *b8, const unsigned short *b16, const unsigned *b32,  \
                         const unsigned long long *b64, const unsigned short *f16,                 \
                         const unsigned *f32, const unsigned long long *f64, unsigned char *out) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    In in = {b8, b16, b32, b64, f16, f32, f64};                                                    \
    __VA_ARGS__                                                                                    \
  }
// CASE(ID, NAMES, R, PARAMS, EXPR, BODY): the result EXPR of type R for PARAMS.
#define CASE(ID, NAMES, R, PARAMS, EXPR, ...)                                                      \
  struct call_##ID {                                                                               \
    static __device__ R of PARAMS { return EXPR; }                                                 \
  };                                                                                               \
  KERNEL(ID, *(R *)(out + i * SLOT) = call<call_##ID>((decltype(&call_##ID::of))0, in, i);)
// WARP(ID, NAMES, R, T, EXPR, BODY): EXPR of a lane's value v, its mask and its lane.
#define WARP(ID, NAMES, R, T, EXPR, ...)                                                           \
  KERNEL(ID, {                                                                                     \
    unsigned lane = threadIdx.x & 31;                                                              \
    unsigned mask = i < 128 ? 0xffffffffu : lane < 16 ? 0xffffu : 0xffff0000u;                     \
    T v = Pick<T>::of(in, 0, i);                                                                   \
    *(R *)(out + i * SLOT) = EXPR;                                                                 \
  })
// BLOCK(ID, NAMES, R, T, EXPR, BODY): EXPR of a thread's value v.
#define BLOCK(ID, NAMES, R, T, EXPR, ...)                                                          \
  KERNEL(ID, {                                                                                     \
    T v = Pick<T>::of(in, 0, i);                                                                   \
    *(R *)(out + i * SLOT) = EXPR;                                                                 \
  })
// ATOMIC(ID, NAMES, T, EXPR, BODY): EXPR of a cell p that holds a value, with x and y.
#define ATOMIC(ID, NAMES, T, EXPR, ...)                                                            \
  KERNEL(ID, {                                                                                     \
    T *p = (T *)(out + i * SLOT + SLOT / 2);                                                       \
    T x = Pick<T>::of(in, 1, i), y = Pick<T>::of(in, 2, i);                                        \
    *p = Pick<T>::of(in, 0, i);                                                                    \
    T old = EXPR;                                                                                  \
    *(T *)(out + i * SLOT) = old;                                                                  \
  })
