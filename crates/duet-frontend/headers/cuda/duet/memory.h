// Loads and stores with cache hints (plain accesses), copies, the device heap,
// questions about address spaces.
#pragma once
#pragma clang system_header

// A cache hint changes no value: these are ordinary accesses of any type.
#define __DUET_LOAD(NAME)                                                                          \
  template <class T> __DUET_FN T NAME(const T *p) { return *p; }
__DUET_LOAD(__ldca)
__DUET_LOAD(__ldcg)
__DUET_LOAD(__ldcs)
__DUET_LOAD(__ldlu)
#undef __DUET_LOAD
// This one reads through a cache that fences do not keep up to date.
template <class T> __DUET_FN T __ldg(const T *p) {
  __duet_cached_loads(1);
  T value = *p;
  __duet_cached_loads(0);
  return value;
}
// This one fetches again each time.
template <class T> __DUET_FN T __ldcv(const T *p) { return *(const volatile T *)p; }
namespace duet {
template <class T> struct identity {
  typedef T type;
};
} // namespace duet
#define __DUET_STORE(NAME)                                                                         \
  template <class T> __DUET_FN void NAME(T *p, typename duet::identity<T>::type x) { *p = x; }
__DUET_STORE(__stwb)
__DUET_STORE(__stcg)
__DUET_STORE(__stcs)
__DUET_STORE(__stwt)
#undef __DUET_STORE

extern "C" {
__DUET_FN void *memcpy(void *to, const void *from, size_t n) noexcept { return __builtin_memcpy(to, from, n); }
__DUET_FN void *memmove(void *to, const void *from, size_t n) noexcept { return __builtin_memmove(to, from, n); }
__DUET_FN void *memset(void *to, int byte, size_t n) noexcept { return __builtin_memset(to, byte, n); }

// The device heap.
__DUET_FN void *malloc(size_t n) noexcept { return __duet_malloc(n); }
__DUET_FN void free(void *p) noexcept { __duet_free(p); }
}

// Where a pointer points is not modelled: any answer, another one at each call.
#define __DUET_IS_IN(NAME)                                                                         \
  __DUET_WEAK_DEVICE unsigned NAME(const void *) { return __duet_fresh_i32() & 1; }
__DUET_IS_IN(__isGlobal)
__DUET_IS_IN(__isShared)
__DUET_IS_IN(__isConstant)
__DUET_IS_IN(__isLocal)
__DUET_IS_IN(__isGridConstant)
#undef __DUET_IS_IN
__DUET_WEAK_DEVICE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
__DUET_WEAK_DEVICE size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
__DUET_WEAK_DEVICE size_t __cvta_generic_to_constant(const void *p) { return (size_t)p; }
__DUET_WEAK_DEVICE size_t __cvta_generic_to_local(const void *p) { return (size_t)p; }
__DUET_WEAK_DEVICE void *__cvta_global_to_generic(size_t p) { return (void *)p; }
__DUET_WEAK_DEVICE void *__cvta_shared_to_generic(size_t p) { return (void *)p; }
__DUET_WEAK_DEVICE void *__cvta_constant_to_generic(size_t p) { return (void *)p; }
__DUET_WEAK_DEVICE void *__cvta_local_to_generic(size_t p) { return (void *)p; }

