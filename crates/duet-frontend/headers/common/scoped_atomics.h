/* clang's atomic builtins that take a memory scope as their last argument.
 *
 * Neither target of ours keeps the scope: clang drops it before there is any
 * LLVM IR, so an operation that is atomic within a block only would look like
 * one that is atomic for the whole device. Each builtin is therefore a macro of
 * its own name (the inner name is not expanded again) that first hands the scope
 * to the translator, which rejects one narrower than the device, with its place.
 *
 * Included by both preludes; __DUET_SCOPE_CHECK declares a function without a
 * body in either language. */

__DUET_SCOPE_CHECK void __duet_scope_of_scoped_atomic(int scope);
__DUET_SCOPE_CHECK void __duet_scope_of_opencl_atomic(int scope);
__DUET_SCOPE_CHECK void __duet_scope_of_hip_atomic(int scope);

#define __DUET_SCOPED(SCOPE, ...) (__duet_scope_of_scoped_atomic(SCOPE), __VA_ARGS__)
#define __DUET_OPENCL_SCOPED(SCOPE, ...) (__duet_scope_of_opencl_atomic(SCOPE), __VA_ARGS__)
#define __DUET_HIP_SCOPED(SCOPE, ...) (__duet_scope_of_hip_atomic(SCOPE), __VA_ARGS__)

#define __scoped_atomic_load_n(p, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_load_n(p, o, s))
#define __scoped_atomic_load(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_load(p, v, o, s))
#define __scoped_atomic_store(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_store(p, v, o, s))
#define __scoped_atomic_store_n(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_store_n(p, v, o, s))
#define __scoped_atomic_exchange_n(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_exchange_n(p, v, o, s))
#define __scoped_atomic_fetch_add(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_add(p, v, o, s))
#define __scoped_atomic_fetch_sub(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_sub(p, v, o, s))
#define __scoped_atomic_fetch_and(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_and(p, v, o, s))
#define __scoped_atomic_fetch_or(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_or(p, v, o, s))
#define __scoped_atomic_fetch_xor(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_xor(p, v, o, s))
#define __scoped_atomic_fetch_nand(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_nand(p, v, o, s))
#define __scoped_atomic_fetch_min(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_min(p, v, o, s))
#define __scoped_atomic_fetch_max(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_fetch_max(p, v, o, s))
#define __scoped_atomic_add_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_add_fetch(p, v, o, s))
#define __scoped_atomic_sub_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_sub_fetch(p, v, o, s))
#define __scoped_atomic_and_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_and_fetch(p, v, o, s))
#define __scoped_atomic_or_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_or_fetch(p, v, o, s))
#define __scoped_atomic_xor_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_xor_fetch(p, v, o, s))
#define __scoped_atomic_nand_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_nand_fetch(p, v, o, s))
#define __scoped_atomic_min_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_min_fetch(p, v, o, s))
#define __scoped_atomic_max_fetch(p, v, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_max_fetch(p, v, o, s))
#define __scoped_atomic_exchange(p, v, r, o, s) \
  __DUET_SCOPED(s, __scoped_atomic_exchange(p, v, r, o, s))
#define __scoped_atomic_compare_exchange(p, e, d, w, o, f, s) \
  __DUET_SCOPED(s, __scoped_atomic_compare_exchange(p, e, d, w, o, f, s))
#define __scoped_atomic_compare_exchange_n(p, e, d, w, o, f, s) \
  __DUET_SCOPED(s, __scoped_atomic_compare_exchange_n(p, e, d, w, o, f, s))

#define __opencl_atomic_load(p, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_load(p, o, s))
#define __opencl_atomic_store(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_store(p, v, o, s))
#define __opencl_atomic_exchange(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_exchange(p, v, o, s))
#define __opencl_atomic_fetch_add(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_fetch_add(p, v, o, s))
#define __opencl_atomic_fetch_sub(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_fetch_sub(p, v, o, s))
#define __opencl_atomic_fetch_and(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_fetch_and(p, v, o, s))
#define __opencl_atomic_fetch_or(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_fetch_or(p, v, o, s))
#define __opencl_atomic_fetch_xor(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_fetch_xor(p, v, o, s))
#define __opencl_atomic_fetch_min(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_fetch_min(p, v, o, s))
#define __opencl_atomic_fetch_max(p, v, o, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_fetch_max(p, v, o, s))
#define __opencl_atomic_compare_exchange_strong(p, e, d, o, f, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_compare_exchange_strong(p, e, d, o, f, s))
#define __opencl_atomic_compare_exchange_weak(p, e, d, o, f, s) \
  __DUET_OPENCL_SCOPED(s, __opencl_atomic_compare_exchange_weak(p, e, d, o, f, s))

#define __hip_atomic_load(p, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_load(p, o, s))
#define __hip_atomic_store(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_store(p, v, o, s))
#define __hip_atomic_exchange(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_exchange(p, v, o, s))
#define __hip_atomic_fetch_add(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_fetch_add(p, v, o, s))
#define __hip_atomic_fetch_sub(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_fetch_sub(p, v, o, s))
#define __hip_atomic_fetch_and(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_fetch_and(p, v, o, s))
#define __hip_atomic_fetch_or(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_fetch_or(p, v, o, s))
#define __hip_atomic_fetch_xor(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_fetch_xor(p, v, o, s))
#define __hip_atomic_fetch_min(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_fetch_min(p, v, o, s))
#define __hip_atomic_fetch_max(p, v, o, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_fetch_max(p, v, o, s))
#define __hip_atomic_compare_exchange_strong(p, e, d, o, f, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_compare_exchange_strong(p, e, d, o, f, s))
#define __hip_atomic_compare_exchange_weak(p, e, d, o, f, s) \
  __DUET_HIP_SCOPED(s, __hip_atomic_compare_exchange_weak(p, e, d, o, f, s))
