// Thrust, as far as programs around kernels use it. Containers are memory of the device
// or the host with a size; pairs, tuples, complex numbers and function objects are plain
// code; algorithms are functions that nobody knows anything about: in host code they are
// calls of a library, in a kernel they leave it unproven.
#pragma once
#pragma clang system_header
#include <duet/algorithm.h>

namespace thrust {

template <class T> struct device_reference;

// A pointer to memory of the device.
template <class T> class device_ptr {
  T *place;

public:
  typedef T value_type;
  __DUET_HD device_ptr() : place(nullptr) {}
  __DUET_HD explicit device_ptr(T *p) : place(p) {}
  __DUET_HD T *get() const { return place; }
  __DUET_HD device_ptr operator+(ptrdiff_t n) const { return device_ptr(place + n); }
  __DUET_HD device_ptr operator-(ptrdiff_t n) const { return device_ptr(place - n); }
  __DUET_HD ptrdiff_t operator-(device_ptr other) const { return place - other.place; }
  __DUET_HD device_ptr &operator++() { return ++place, *this; }
  __DUET_HD device_ptr &operator+=(ptrdiff_t n) { return place += n, *this; }
  __DUET_HD bool operator==(device_ptr other) const { return place == other.place; }
  __DUET_HD bool operator!=(device_ptr other) const { return place != other.place; }
  __DUET_HD device_reference<T> operator*() const { return device_reference<T>{place}; }
  __DUET_HD device_reference<T> operator[](ptrdiff_t n) const {
    return device_reference<T>{place + n};
  }
};

// Copies between host and device that an access to an element of the device is.
template <class T> T __duet_thrust_get(const T *);
template <class T> void __duet_thrust_set(T *, T);

// An element in memory of the device.
template <class T> struct device_reference {
  T *place;
  __host__ operator T() const { return __duet_thrust_get(place); }
  template <class U> __host__ device_reference &operator=(const U &x) {
    return __duet_thrust_set(place, (T)x), *this;
  }
  __DUET_HD device_ptr<T> operator&() const { return device_ptr<T>(place); }
};

template <class T> __DUET_HD device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> __DUET_HD T *raw_pointer_cast(T *p) { return p; }
template <class T> __DUET_HD T *raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <class T> __DUET_HD T &raw_reference_cast(T &x) { return x; }
template <class T> __DUET_HD T &raw_reference_cast(device_reference<T> r) { return *r.place; }

namespace detail {
// Memory that a container owns.
#ifdef __DUET_HOST__
inline void *take_device(size_t n) { return __duet_malloc(n); }
inline void give_device(void *p) { __duet_free(p); }
#else
void *take_device(size_t);
void give_device(void *);
#endif
} // namespace detail

template <class T, class Allocator = void> class device_vector {
  T *place;
  size_t count;

public:
  typedef T value_type;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_ptr<T> pointer;
  __host__ device_vector() : place(nullptr), count(0) {}
  __host__ explicit device_vector(size_t n)
      : place((T *)detail::take_device(n * sizeof(T))), count(n) {}
  __host__ device_vector(size_t n, const T &) : device_vector(n) {}
  template <class Other, class = typename Other::value_type>
  __host__ device_vector(const Other &other) : device_vector(other.size()) {}
  __host__ device_vector(const device_vector &other) : device_vector(other.size()) {}
  __host__ device_vector(device_vector &&other) : device_vector() { swap(other); }
  __host__ device_vector &operator=(device_vector &&other) { return swap(other), *this; }
  __host__ void swap(device_vector &other) {
    T *p = place;
    place = other.place;
    other.place = p;
    size_t n = count;
    count = other.count;
    other.count = n;
  }
  template <class Iterator, class = decltype(*Iterator())>
  __host__ device_vector(Iterator from, Iterator to) : device_vector((size_t)(to - from)) {}
  __host__ ~device_vector() { detail::give_device(place); }
  template <class Other> __host__ device_vector &operator=(const Other &other) {
    return resize(other.size()), *this;
  }
  __host__ device_vector &operator=(const device_vector &other) {
    return resize(other.size()), *this;
  }
  __host__ void resize(size_t n) {
    if (n == count)
      return;
    detail::give_device(place);
    place = (T *)detail::take_device(n * sizeof(T));
    count = n;
  }
  __host__ void resize(size_t n, const T &) { resize(n); }
  __host__ void clear() { count = 0; }
  __host__ size_t size() const { return count; }
  __host__ bool empty() const { return count == 0; }
  __host__ pointer data() { return pointer(place); }
  __host__ iterator begin() { return iterator(place); }
  __host__ iterator end() { return iterator(place + count); }
  __host__ const_iterator begin() const { return const_iterator(place); }
  __host__ const_iterator end() const { return const_iterator(place + count); }
  __host__ device_reference<T> operator[](size_t n) const { return device_reference<T>{place + n}; }
  __host__ device_reference<T> back() const { return device_reference<T>{place + count - 1}; }
  __host__ device_reference<T> front() const { return device_reference<T>{place}; }
};

template <class T, class Allocator = void> class host_vector {
  T *place;
  size_t count;

public:
  typedef T value_type;
  typedef T *iterator;
  typedef const T *const_iterator;
  __host__ host_vector() : place(nullptr), count(0) {}
  __host__ explicit host_vector(size_t n) : place(new T[n]), count(n) {}
  __host__ host_vector(size_t n, const T &) : host_vector(n) {}
  template <class Other, class = typename Other::value_type>
  __host__ host_vector(const Other &other) : host_vector(other.size()) {}
  __host__ host_vector(const host_vector &other) : host_vector(other.size()) {}
  __host__ host_vector(host_vector &&other) : host_vector() { swap(other); }
  __host__ host_vector &operator=(host_vector &&other) { return swap(other), *this; }
  __host__ void swap(host_vector &other) {
    T *p = place;
    place = other.place;
    other.place = p;
    size_t n = count;
    count = other.count;
    other.count = n;
  }
  template <class Iterator, class = decltype(*Iterator())>
  __host__ host_vector(Iterator from, Iterator to) : host_vector((size_t)(to - from)) {}
  __host__ ~host_vector() { delete[] place; }
  template <class Other> __host__ host_vector &operator=(const Other &other) {
    return resize(other.size()), *this;
  }
  __host__ host_vector &operator=(const host_vector &other) { return resize(other.size()), *this; }
  __host__ void resize(size_t n) {
    delete[] place;
    place = new T[n];
    count = n;
  }
  __host__ size_t size() const { return count; }
  __host__ bool empty() const { return count == 0; }
  __host__ T *data() { return place; }
  __host__ iterator begin() { return place; }
  __host__ iterator end() { return place + count; }
  __host__ const_iterator begin() const { return place; }
  __host__ const_iterator end() const { return place + count; }
  __host__ T &operator[](size_t n) { return place[n]; }
  __host__ const T &operator[](size_t n) const { return place[n]; }
  __host__ T &back() { return place[count - 1]; }
};

// An iterator or a value that an algorithm makes up: nothing is known of it.
struct something {
  template <class T> __host__ operator T() const;
  template <class T> __host__ something operator+(T) const;
  template <class T> __host__ something operator-(T) const;
  __host__ something operator*() const;
  __host__ something get() const;
};
#define __DUET_THRUST(X)                                                                           \
  X(adjacent_difference) X(all_of) X(any_of) X(binary_search) X(copy) X(copy_if) X(copy_n)         \
  X(count) X(count_if) X(device_free) X(equal) X(exclusive_scan) X(exclusive_scan_by_key) X(fill)  \
  X(fill_n) X(find) X(find_if) X(for_each) X(for_each_n) X(gather) X(generate) X(inclusive_scan)   \
  X(inclusive_scan_by_key) X(inner_product) X(is_sorted) X(lower_bound) X(max_element)             \
  X(make_constant_iterator) X(make_counting_iterator) X(make_discard_iterator)                     \
  X(make_permutation_iterator) X(make_transform_iterator) X(make_zip_iterator) X(merge)            \
  X(min_element) X(minmax_element) X(partition) X(reduce) X(reduce_by_key) X(remove_if)            \
  X(replace_if) X(scatter) X(sequence) X(sort) X(sort_by_key) X(stable_partition) X(stable_sort)   \
  X(stable_sort_by_key) X(tabulate) X(transform) X(transform_exclusive_scan) X(transform_reduce)   \
  X(transform_inclusive_scan) X(unique) X(unique_by_key) X(unique_by_key_copy) X(upper_bound)
#ifndef __DUET_NATIVE__
// They have bodies, because a template without one cannot be given a lambda. All that is
// known is that the algorithm got its arguments, and may do anything with them.
#define __DUET_DECLARE(NAME)                                                                       \
  template <class... Args> __host__ __device__ something NAME(Args &&...args) {                    \
    int given[] = {0, __duet_algorithm(__builtin_addressof(args))...};                             \
    return (void)given, something();                                                               \
  }
#else // a host program that is really run, in tests: functions without arguments are called
namespace detail {
template <class F> auto call(F &&f, int) -> decltype(f(), 0) { return f(), 0; }
template <class F> int call(F &&, long) { return 0; }
} // namespace detail
#define __DUET_DECLARE(NAME)                                                                       \
  template <class... Args> __host__ something NAME(Args &&...args) {                               \
    int called[] = {0, detail::call(args, 0)...};                                                  \
    return (void)called, something();                                                              \
  }
#endif
__DUET_THRUST(__DUET_DECLARE)
#undef __DUET_DECLARE
#undef __DUET_THRUST
// Memory of no type.
template <> class device_ptr<void> {
  void *place;

public:
  __DUET_HD device_ptr() : place(nullptr) {}
  __DUET_HD explicit device_ptr(void *p) : place(p) {}
  __DUET_HD void *get() const { return place; }
  template <class T> __DUET_HD explicit operator device_ptr<T>() const {
    return device_ptr<T>((T *)place);
  }
};
__host__ inline device_ptr<void> device_malloc(size_t n) {
  return device_ptr<void>(detail::take_device(n));
}
template <class T> __host__ device_ptr<T> device_malloc(size_t n) {
  return device_ptr<T>((T *)detail::take_device(n * sizeof(T)));
}

namespace cuda {
struct par_t {
  template <class... Args> __host__ par_t on(Args...) const { return *this; }
};
static const par_t par;
} // namespace cuda
struct host_t {};
struct device_t {};
static const host_t host;
static const device_t device;

template <class T> __DUET_HD void swap(T &a, T &b) {
  T old = a;
  a = b;
  b = old;
}

template <class A, class B> struct pair {
  A first;
  B second;
  __DUET_HD pair() : first(), second() {}
  __DUET_HD pair(const A &a, const B &b) : first(a), second(b) {}
};
template <class A, class B> __DUET_HD pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }

template <class... Types> struct tuple;
template <> struct tuple<> {};
template <class First, class... Rest> struct tuple<First, Rest...> {
  First first;
  tuple<Rest...> rest;
  tuple() = default;
  __DUET_HD tuple(const First &a, const Rest &...b) : first(a), rest(b...) {}
};
template <class... Types> __DUET_HD tuple<Types...> make_tuple(Types... x) {
  return tuple<Types...>(x...);
}
template <int N, class First, class... Rest> __DUET_HD auto &get(tuple<First, Rest...> &t) {
  if constexpr (N == 0)
    return t.first;
  else
    return get<N - 1>(t.rest);
}
template <int N, class First, class... Rest>
__DUET_HD const auto &get(const tuple<First, Rest...> &t) {
  if constexpr (N == 0)
    return t.first;
  else
    return get<N - 1>(t.rest);
}

#define __DUET_FUNCTION(NAME, RESULT, EXPR)                                                        \
  template <class T = void> struct NAME {                                                          \
    __DUET_HD RESULT operator()(const T &a, const T &b) const { return EXPR; }                     \
  };                                                                                               \
  template <> struct NAME<void> {                                                                  \
    template <class T> __DUET_HD auto operator()(const T &a, const T &b) const { return EXPR; }    \
  };
__DUET_FUNCTION(plus, T, a + b)
__DUET_FUNCTION(minus, T, a - b)
__DUET_FUNCTION(multiplies, T, a *b)
__DUET_FUNCTION(maximum, T, a < b ? b : a)
__DUET_FUNCTION(minimum, T, b < a ? b : a)
__DUET_FUNCTION(less, bool, a < b)
__DUET_FUNCTION(greater, bool, b < a)
__DUET_FUNCTION(less_equal, bool, a <= b)
__DUET_FUNCTION(greater_equal, bool, a >= b)
__DUET_FUNCTION(equal_to, bool, a == b)
__DUET_FUNCTION(not_equal_to, bool, a != b)
__DUET_FUNCTION(bit_and, T, a &b)
__DUET_FUNCTION(bit_or, T, a | b)
__DUET_FUNCTION(logical_and, bool, a &&b)
__DUET_FUNCTION(logical_or, bool, a || b)
#undef __DUET_FUNCTION
template <class T = void> struct identity {
  __DUET_HD const T &operator()(const T &x) const { return x; }
};
template <class A, class R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};

template <class T> struct complex {
  T re, im;
  __DUET_HD complex(const T &re = T(), const T &im = T()) : re(re), im(im) {}
  __DUET_HD T real() const { return re; }
  __DUET_HD T imag() const { return im; }
  __DUET_HD void real(T x) { re = x; }
  __DUET_HD void imag(T x) { im = x; }
  __DUET_HD complex operator+(const complex &o) const { return complex(re + o.re, im + o.im); }
  __DUET_HD complex operator-(const complex &o) const { return complex(re - o.re, im - o.im); }
  __DUET_HD complex operator-() const { return complex(-re, -im); }
  __DUET_HD complex operator*(const complex &o) const {
    return complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __DUET_HD complex operator*(T x) const { return complex(re * x, im * x); }
  __DUET_HD complex operator/(T x) const { return complex(re / x, im / x); }
  __DUET_HD complex &operator+=(const complex &o) { return *this = *this + o; }
  __DUET_HD complex &operator-=(const complex &o) { return *this = *this - o; }
  __DUET_HD complex &operator*=(const complex &o) { return *this = *this * o; }
  __DUET_HD bool operator==(const complex &o) const { return re == o.re && im == o.im; }
};
template <class T> __DUET_HD complex<T> operator*(T x, const complex<T> &c) { return c * x; }
template <class T> __DUET_HD complex<T> conj(const complex<T> &c) { return complex<T>(c.re, -c.im); }
template <class T> __DUET_HD T norm(const complex<T> &c) { return c.re * c.re + c.im * c.im; }
// These are no formulas of ours.
template <class T> __host__ __device__ T abs(const complex<T> &);
template <class T> __host__ __device__ T arg(const complex<T> &);
template <class T> __host__ __device__ complex<T> exp(const complex<T> &);
template <class T> __host__ __device__ complex<T> sqrt(const complex<T> &);
template <class T> __host__ __device__ complex<T> pow(const complex<T> &, T);
template <class T> __host__ __device__ complex<T> polar(T, T);

// Random numbers: nothing is known of them.
namespace random {
class default_random_engine {
  unsigned state;

public:
  __host__ __device__ default_random_engine(unsigned seed = 1);
  __host__ __device__ unsigned operator()();
  __host__ __device__ void discard(unsigned long long);
};
template <class T = double> class uniform_real_distribution {
public:
  __host__ __device__ uniform_real_distribution(T a = 0, T b = 1);
  template <class Engine> __host__ __device__ T operator()(Engine &);
};
template <class T = int> class uniform_int_distribution {
public:
  __host__ __device__ uniform_int_distribution(T a = 0, T b = 1);
  template <class Engine> __host__ __device__ T operator()(Engine &);
};
} // namespace random
using random::default_random_engine;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

class system_error {
public:
  const char *what() const noexcept;
};
namespace system {
using thrust::system_error;
}

} // namespace thrust
