// The functions the translator knows (docs/intrinsics.md), declared and no more.
#pragma once
#pragma clang system_header

#define __DUET_GEOMETRY(WHAT)                                                                      \
  __DUET_PURE unsigned __duet_##WHAT##_x();                                                        \
  __DUET_PURE unsigned __duet_##WHAT##_y();                                                        \
  __DUET_PURE unsigned __duet_##WHAT##_z();
__DUET_GEOMETRY(thread_id)
__DUET_GEOMETRY(block_id)
__DUET_GEOMETRY(block_dim)
__DUET_GEOMETRY(grid_dim)
__DUET_GEOMETRY(rank_thread_id)
__DUET_GEOMETRY(rank_block_id)
__DUET_GEOMETRY(rank_block_dim)
__DUET_GEOMETRY(rank_grid_dim)
#undef __DUET_GEOMETRY

// Barriers and fences. Bit 0 of the flags is shared memory, bit 1 global.
__DUET_EXTERN void __duet_barrier_block(unsigned flags);
__DUET_EXTERN int __duet_barrier_count(int predicate);
__DUET_EXTERN int __duet_barrier_and(int predicate);
__DUET_EXTERN int __duet_barrier_or(int predicate);
__DUET_EXTERN void __duet_barrier_warp(unsigned mask);
__DUET_EXTERN void __duet_barrier_grid();
__DUET_EXTERN void __duet_fence_block();
__DUET_EXTERN void __duet_fence_device();
__DUET_EXTERN void __duet_fence_system();
// Loads between a call with 1 and one with 0 go through the read-only cache.
__DUET_EXTERN void __duet_cached_loads(int begin);
__DUET_EXTERN void __duet_ordering_fence_block(int order);
__DUET_EXTERN void __duet_ordering_fence_device(int order);
__DUET_EXTERN void __duet_ordering_fence_system(int order);

// Atomics.
#define __DUET_ATOMIC(OP, TY, T)                                                                   \
  __DUET_EXTERN T __duet_atomic_##OP##_block_##TY(T *p, T x);                                      \
  __DUET_EXTERN T __duet_atomic_##OP##_device_##TY(T *p, T x);                                     \
  __DUET_EXTERN T __duet_atomic_##OP##_system_##TY(T *p, T x);
#define __DUET_ATOMIC_CAS(TY, T)                                                                   \
  __DUET_EXTERN T __duet_atomic_compare_exchange_block_##TY(T *p, T compare, T x);                 \
  __DUET_EXTERN T __duet_atomic_compare_exchange_device_##TY(T *p, T compare, T x);                \
  __DUET_EXTERN T __duet_atomic_compare_exchange_system_##TY(T *p, T compare, T x);
#define __DUET_ATOMIC_LOAD(TY, T)                                                                  \
  __DUET_EXTERN T __duet_atomic_load_block_##TY(T *p);                                             \
  __DUET_EXTERN T __duet_atomic_load_device_##TY(T *p);                                            \
  __DUET_EXTERN T __duet_atomic_load_system_##TY(T *p);
#define __DUET_ATOMIC_STORE(TY, T)                                                                 \
  __DUET_EXTERN void __duet_atomic_store_block_##TY(T *p, T x);                                    \
  __DUET_EXTERN void __duet_atomic_store_device_##TY(T *p, T x);                                   \
  __DUET_EXTERN void __duet_atomic_store_system_##TY(T *p, T x);
#define __DUET_ATOMICS_ON_INTEGERS(TY, T)                                                          \
  __DUET_ATOMIC(add, TY, T)                                                                        \
  __DUET_ATOMIC(sub, TY, T)                                                                        \
  __DUET_ATOMIC(exchange, TY, T)                                                                   \
  __DUET_ATOMIC(smin, TY, T)                                                                       \
  __DUET_ATOMIC(smax, TY, T)                                                                       \
  __DUET_ATOMIC(umin, TY, T)                                                                       \
  __DUET_ATOMIC(umax, TY, T)                                                                       \
  __DUET_ATOMIC(and, TY, T)                                                                        \
  __DUET_ATOMIC(or, TY, T)                                                                         \
  __DUET_ATOMIC(xor, TY, T)                                                                        \
  __DUET_ATOMIC(inc_wrap, TY, T)                                                                   \
  __DUET_ATOMIC(dec_wrap, TY, T)                                                                   \
  __DUET_ATOMIC_CAS(TY, T)                                                                         \
  __DUET_ATOMIC_LOAD(TY, T)                                                                        \
  __DUET_ATOMIC_STORE(TY, T)
#define __DUET_ATOMICS_ON_FLOATS(TY, T)                                                            \
  __DUET_ATOMIC(fadd, TY, T)                                                                       \
  __DUET_ATOMIC(fmin, TY, T)                                                                       \
  __DUET_ATOMIC(fmax, TY, T)                                                                       \
  __DUET_ATOMIC(exchange, TY, T)
__DUET_ATOMICS_ON_INTEGERS(i32, unsigned)
__DUET_ATOMICS_ON_INTEGERS(i64, unsigned long long)
__DUET_ATOMIC(exchange, i16, unsigned short)
__DUET_ATOMIC_CAS(i16, unsigned short)
__DUET_ATOMIC_LOAD(i8, unsigned char)
__DUET_ATOMIC_LOAD(i16, unsigned short)
__DUET_ATOMIC_STORE(i8, unsigned char)
__DUET_ATOMIC_STORE(i16, unsigned short)
__DUET_ATOMICS_ON_FLOATS(f16, _Float16)
__DUET_ATOMICS_ON_FLOATS(bf16, __bf16)
__DUET_ATOMICS_ON_FLOATS(f32, float)
__DUET_ATOMICS_ON_FLOATS(f64, double)
// The same with a memory order, by the numbers of C.
#define __DUET_ORDERED(OP, TY, T)                                                                  \
  __DUET_EXTERN T __duet_ordered_##OP##_block_##TY(T *p, T x, int order);                          \
  __DUET_EXTERN T __duet_ordered_##OP##_device_##TY(T *p, T x, int order);                         \
  __DUET_EXTERN T __duet_ordered_##OP##_system_##TY(T *p, T x, int order);
#define __DUET_ORDERED_OTHERS(SCOPE, TY, T)                                                        \
  __DUET_EXTERN T __duet_ordered_compare_exchange_##SCOPE##_##TY(T *p, T compare, T x, int order); \
  __DUET_EXTERN T __duet_ordered_load_##SCOPE##_##TY(T *p, int order);                             \
  __DUET_EXTERN void __duet_ordered_store_##SCOPE##_##TY(T *p, T x, int order);
#define __DUET_ORDERED_ON_INTEGERS(TY, T)                                                          \
  __DUET_ORDERED(add, TY, T)                                                                       \
  __DUET_ORDERED(sub, TY, T)                                                                       \
  __DUET_ORDERED(exchange, TY, T)                                                                  \
  __DUET_ORDERED(smin, TY, T)                                                                      \
  __DUET_ORDERED(smax, TY, T)                                                                      \
  __DUET_ORDERED(umin, TY, T)                                                                      \
  __DUET_ORDERED(umax, TY, T)                                                                      \
  __DUET_ORDERED(and, TY, T)                                                                       \
  __DUET_ORDERED(or, TY, T)                                                                        \
  __DUET_ORDERED(xor, TY, T)                                                                       \
  __DUET_ORDERED_OTHERS(block, TY, T)                                                              \
  __DUET_ORDERED_OTHERS(device, TY, T)                                                             \
  __DUET_ORDERED_OTHERS(system, TY, T)
__DUET_ORDERED_ON_INTEGERS(i32, unsigned)
__DUET_ORDERED_ON_INTEGERS(i64, unsigned long long)
__DUET_ORDERED(fadd, f32, float)
__DUET_ORDERED(fadd, f64, double)
#undef __DUET_ORDERED_ON_INTEGERS
#undef __DUET_ORDERED_OTHERS
#undef __DUET_ORDERED
#undef __DUET_ATOMICS_ON_FLOATS
#undef __DUET_ATOMICS_ON_INTEGERS
#undef __DUET_ATOMIC_STORE
#undef __DUET_ATOMIC_LOAD
#undef __DUET_ATOMIC_CAS
#undef __DUET_ATOMIC

// Exchanges among the lanes of a warp.
#define __DUET_SHUFFLE(WAY, TY, T)                                                                 \
  __DUET_EXTERN T __duet_shuffle_##WAY##_##TY(unsigned mask, T value, int lane, int width);        \
  __DUET_EXTERN T __duet_shuffle_##WAY##_nosync_##TY(T value, int lane, int width);
#define __DUET_SHUFFLES(TY, T)                                                                     \
  __DUET_SHUFFLE(index, TY, T)                                                                     \
  __DUET_SHUFFLE(up, TY, T)                                                                        \
  __DUET_SHUFFLE(down, TY, T)                                                                      \
  __DUET_SHUFFLE(xor, TY, T)                                                                       \
  __DUET_EXTERN unsigned __duet_match_any_##TY(unsigned mask, T value);                            \
  __DUET_EXTERN unsigned __duet_match_all_##TY(unsigned mask, T value);
__DUET_SHUFFLES(i32, unsigned)
__DUET_SHUFFLES(i64, unsigned long long)
#undef __DUET_SHUFFLES
#undef __DUET_SHUFFLE

__DUET_EXTERN int __duet_vote_all(unsigned mask, int predicate);
__DUET_EXTERN int __duet_vote_any(unsigned mask, int predicate);
__DUET_EXTERN int __duet_vote_uniform(unsigned mask, int predicate);
__DUET_EXTERN unsigned __duet_ballot(unsigned mask, int predicate);
__DUET_EXTERN int __duet_vote_all_nosync(int predicate);
__DUET_EXTERN int __duet_vote_any_nosync(int predicate);
__DUET_EXTERN int __duet_vote_uniform_nosync(int predicate);
__DUET_EXTERN unsigned __duet_ballot_nosync(int predicate);
__DUET_EXTERN unsigned __duet_active_mask();

#define __DUET_REDUCE(OP) __DUET_EXTERN unsigned __duet_reduce_##OP##_i32(unsigned mask, unsigned value);
__DUET_REDUCE(add)
__DUET_REDUCE(smin)
__DUET_REDUCE(smax)
__DUET_REDUCE(umin)
__DUET_REDUCE(umax)
__DUET_REDUCE(and)
__DUET_REDUCE(or)
__DUET_REDUCE(xor)
#undef __DUET_REDUCE

// Unknown values, one per call.
__DUET_EXTERN unsigned char __duet_fresh_i8();
__DUET_EXTERN unsigned short __duet_fresh_i16();
__DUET_EXTERN unsigned __duet_fresh_i32();
__DUET_EXTERN unsigned long long __duet_fresh_i64();
__DUET_EXTERN float __duet_fresh_f32();
__DUET_EXTERN double __duet_fresh_f64();

// Images.
__DUET_EXTERN void *__duet_texture_object(unsigned long long handle);
__DUET_EXTERN void *__duet_surface_object(unsigned long long handle);
__DUET_PURE size_t __duet_texel(float x, float y, float z);

// The rest.
__DUET_EXTERN __attribute__((noreturn)) void __duet_assert_fail();
__DUET_EXTERN void *__duet_malloc(size_t size);
__DUET_EXTERN void __duet_free(void *p);
