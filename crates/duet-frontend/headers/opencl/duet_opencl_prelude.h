/* Duet's OpenCL prelude: included before the kernel's source.
 *
 * Holds: the annotation language (docs/annotations.md) as declarations, the
 * brackets that make reads inside annotations ghost reads, and what kernels
 * expect of a device's headers beyond clang's own declarations.
 * Leaves out: OpenCL's built-in functions (clang declares them, the translator
 * gives them meaning) and bodies: every function here is an intrinsic that the
 * translator knows by its name, mangled where it is overloaded.
 */
#ifndef DUET_OPENCL_PRELUDE_H
#define DUET_OPENCL_PRELUDE_H
#pragma clang system_header

#define __DUET__ 1

/* At -O0 clang emits no body for an inline function that is not static: the
 * call would look like one of an unknown function. With always_inline every
 * such body is there, whether the source says inline, static inline or extern
 * inline. */
#define inline __attribute__((always_inline)) inline
#define __inline __attribute__((always_inline)) __inline
#define __inline__ __attribute__((always_inline)) __inline__

#define __DUET_OVERLOAD __attribute__((overloadable))

#define __DUET_SCOPE_CHECK
#include "../common/scoped_atomics.h"

/* ---- Ghost reads ------------------------------------------------------- */

void __non_temporal_loads_begin(void);
void __non_temporal_loads_end(void);

/* A macro of a function's own name: the inner name is not expanded again. */
#define __DUET_GHOST(...) \
  (__non_temporal_loads_begin(), __VA_ARGS__, __non_temporal_loads_end())

/* ---- Contracts --------------------------------------------------------- */

void __requires(bool);
void __global_requires(bool);
void __ensures(bool);
void __global_ensures(bool);
#define __requires(...) __DUET_GHOST(__requires(__VA_ARGS__))
#define __global_requires(...) __DUET_GHOST(__global_requires(__VA_ARGS__))
#define __ensures(...) __DUET_GHOST(__ensures(__VA_ARGS__))
#define __global_ensures(...) __DUET_GHOST(__global_ensures(__VA_ARGS__))

int __return_val_int(void);
bool __return_val_bool(void);
int4 __return_val_int4(void);
void *__return_val_ptr(void);
#define __return_val_funptr(TYPE) ((TYPE)__return_val_ptr())
int __old_int(int);
bool __old_bool(bool);

/* Overloads of F for a pointer into each address space that can be named. The
 * last is private memory, or the generic address space where there is one. */
#define __DUET_FOR_POINTERS(R, F) \
  R __DUET_OVERLOAD F(const volatile __local void *); \
  R __DUET_OVERLOAD F(const volatile __global void *); \
  R __DUET_OVERLOAD F(const volatile __constant void *); \
  R __DUET_OVERLOAD F(const volatile void *)

/* Overloads of F for images. */
#define __DUET_FOR_IMAGE(R, F, IMAGE) \
  R __DUET_OVERLOAD F(read_only IMAGE); \
  R __DUET_OVERLOAD F(write_only IMAGE)
#ifdef __opencl_c_read_write_images
#define __DUET_FOR_RW_IMAGE(R, F, IMAGE) R __DUET_OVERLOAD F(read_write IMAGE)
#else
#define __DUET_FOR_RW_IMAGE(R, F, IMAGE)
#endif
#define __DUET_FOR_IMAGES(R, F) \
  __DUET_FOR_IMAGE(R, F, image1d_t); \
  __DUET_FOR_IMAGE(R, F, image1d_array_t); \
  __DUET_FOR_IMAGE(R, F, image1d_buffer_t); \
  __DUET_FOR_IMAGE(R, F, image2d_t); \
  __DUET_FOR_IMAGE(R, F, image2d_array_t); \
  __DUET_FOR_IMAGE(R, F, image3d_t); \
  __DUET_FOR_RW_IMAGE(R, F, image1d_t); \
  __DUET_FOR_RW_IMAGE(R, F, image1d_array_t); \
  __DUET_FOR_RW_IMAGE(R, F, image1d_buffer_t); \
  __DUET_FOR_RW_IMAGE(R, F, image2d_t); \
  __DUET_FOR_RW_IMAGE(R, F, image2d_array_t); \
  __DUET_FOR_RW_IMAGE(R, F, image3d_t)

/* What a function touches. Where its contract stands for the function, any accesses to the
 * array are made: by every work-item, or, if work-items wait for each other in it, by one of
 * which nobody knows which it is. */
__DUET_FOR_POINTERS(void, __reads_from);
__DUET_FOR_POINTERS(void, __writes_to);
bool __duet_is_summary(void);
bool __duet_works_alone(void);
uint __duet_choice(void);
bool __duet_summary_again(void);
size_t __duet_summary_place(void);
int __duet_summary_value(void);
#define __DUET_IS_CHOSEN \
  (__duet_choice() == get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)))
#define __DUET_SUMMARY(ACCESS) \
  if (__duet_is_summary()) { \
    if (__duet_works_alone()) { \
      if (__DUET_IS_CHOSEN) \
        while (__duet_summary_again()) { \
          ACCESS; \
        } \
    } else \
      while (__duet_summary_again()) { \
        ACCESS; \
      } \
  }
#define __reads_from(P) \
  ({ \
    __reads_from(P); \
    __DUET_SUMMARY(int value = (int)(P)[__duet_summary_place()]) \
  })
#define __writes_to(P) \
  ({ \
    __writes_to(P); \
    __DUET_SUMMARY((P)[__duet_summary_place()] = __duet_summary_value()) \
  })

/* The first argument only tells the address space of the fresh array; the last
 * is the variable that is to point at it. */
#define __DUET_FRESH_ARRAY(SLOT) \
  void __DUET_OVERLOAD __requires_fresh_array(const volatile __global void *, SLOT *); \
  void __DUET_OVERLOAD __requires_fresh_array(const volatile __local void *, SLOT *)
__DUET_FRESH_ARRAY(__private void);
__DUET_FRESH_ARRAY(__local void);
__DUET_FRESH_ARRAY(__global void);
#define __requires_fresh_array(p) __DUET_GHOST(__requires_fresh_array((p), &(p)))

/* ---- Assertions, assumptions, invariants ------------------------------- */

void __assert(bool);
void __global_assert(bool);
void __candidate_assert(bool);
void __candidate_global_assert(bool);
#define __unsafe_assert(...) __DUET_GHOST(__assert(__VA_ARGS__))
#define __unsafe_global_assert(...) __DUET_GHOST(__global_assert(__VA_ARGS__))
#define __unsafe_candidate_assert(...) __DUET_GHOST(__candidate_assert(__VA_ARGS__))
#define __unsafe_candidate_global_assert(...) __DUET_GHOST(__candidate_global_assert(__VA_ARGS__))

void __function_wide_invariant(bool);
void __function_wide_candidate_invariant(bool);

void __assume(bool);
void __invariant(bool);
void __global_invariant(bool);
void __candidate_invariant(bool);
void __candidate_global_invariant(bool);
#define __assume(...) __DUET_GHOST(__assume(__VA_ARGS__))
#define __invariant(...) __DUET_GHOST(__invariant(__VA_ARGS__))
#define __global_invariant(...) __DUET_GHOST(__global_invariant(__VA_ARGS__))
#define __candidate_invariant(...) __DUET_GHOST(__candidate_invariant(__VA_ARGS__))
#define __candidate_global_invariant(...) __DUET_GHOST(__candidate_global_invariant(__VA_ARGS__))

void bugle_assert(int);
void bugle_requires(int);
void bugle_ensures(int);
void bugle_assume(int);

/* ---- The two threads --------------------------------------------------- */

bool __enabled(void);
bool __dominator_enabled(void);
bool __same_group(void);
#define __same_group __same_group()

/* The other thread's value keeps its type: a size_t is not cut to 32 bits. */
int __DUET_OVERLOAD __other_int(int);
uint __DUET_OVERLOAD __other_int(uint);
long __DUET_OVERLOAD __other_int(long);
ulong __DUET_OVERLOAD __other_int(ulong);
bool __other_bool(bool);

typedef int ptr_base_t;
__DUET_FOR_POINTERS(ptr_base_t, __ptr_base);
__DUET_FOR_POINTERS(ptr_base_t, __other_ptr_base);
__DUET_FOR_POINTERS(size_t, __ptr_offset_bytes);

#define __uniform_int(x) ((x) == __other_int(x))
#define __uniform_bool(x) ((bool)(x) == __other_bool(x))
#define __uniform_ptr_base(x) (__ptr_base(x) == __other_ptr_base(x))
#define __distinct_int(x) ((x) != __other_int(x))
#define __distinct_bool(x) ((bool)(x) != __other_bool(x))
#define __distinct_ptr_base(x) (__ptr_base(x) != __other_ptr_base(x))
#define __all(x) ((bool)(x) & __other_bool(x))
#define __exclusive(x) (!((bool)(x) & __other_bool(x)))

/* ---- Pending accesses -------------------------------------------------- */

__DUET_FOR_POINTERS(bool, __read);
__DUET_FOR_POINTERS(bool, __write);
__DUET_FOR_POINTERS(size_t, __read_offset_bytes);
__DUET_FOR_POINTERS(size_t, __write_offset_bytes);
__DUET_FOR_IMAGES(bool, __read);
__DUET_FOR_IMAGES(bool, __write);
__DUET_FOR_IMAGES(size_t, __read_offset_bytes);
__DUET_FOR_IMAGES(size_t, __write_offset_bytes);
#define __no_read(p) (!__read(p))
#define __no_write(p) (!__write(p))
// Old names, which count in elements.
#define __read_offset(p) (__read_offset_bytes(p) / sizeof(*(p)))
#define __write_offset(p) (__write_offset_bytes(p) / sizeof(*(p)))
#define __ptr_offset(p) (__ptr_offset_bytes(p) / sizeof(*(p)))
#define __read_implies(p, ...) __implies(__read(p), __VA_ARGS__)
#define __write_implies(p, ...) __implies(__write(p), __VA_ARGS__)

/* ---- Barrier invariants ------------------------------------------------ */

/* n parameters of type T, each after a comma. */
#define __DUET_AFTER_0(T)
#define __DUET_AFTER_1(T) __DUET_AFTER_0(T), T
#define __DUET_AFTER_2(T) __DUET_AFTER_1(T), T
#define __DUET_AFTER_3(T) __DUET_AFTER_2(T), T
#define __DUET_AFTER_4(T) __DUET_AFTER_3(T), T
#define __DUET_AFTER_5(T) __DUET_AFTER_4(T), T
#define __DUET_AFTER_6(T) __DUET_AFTER_5(T), T
#define __DUET_AFTER_7(T) __DUET_AFTER_6(T), T
#define __DUET_AFTER_8(T) __DUET_AFTER_7(T), T
#define __DUET_AFTER_9(T) __DUET_AFTER_8(T), T
#define __DUET_AFTER_10(T) __DUET_AFTER_9(T), T
#define __DUET_AFTER_11(T) __DUET_AFTER_10(T), T
#define __DUET_AFTER_12(T) __DUET_AFTER_11(T), T
#define __DUET_AFTER_13(T) __DUET_AFTER_12(T), T
#define __DUET_AFTER_14(T) __DUET_AFTER_13(T), T
#define __DUET_AFTER_15(T) __DUET_AFTER_14(T), T
#define __DUET_AFTER_16(T) __DUET_AFTER_15(T), T
#define __DUET_AFTER_17(T) __DUET_AFTER_16(T), T
#define __DUET_AFTER_18(T) __DUET_AFTER_17(T), T
#define __DUET_AFTER_19(T) __DUET_AFTER_18(T), T
#define __DUET_AFTER_20(T) __DUET_AFTER_19(T), T

void __barrier_invariant_0(bool __DUET_AFTER_0(size_t));
void __barrier_invariant_1(bool __DUET_AFTER_1(size_t));
void __barrier_invariant_2(bool __DUET_AFTER_2(size_t));
void __barrier_invariant_3(bool __DUET_AFTER_3(size_t));
void __barrier_invariant_4(bool __DUET_AFTER_4(size_t));
void __barrier_invariant_5(bool __DUET_AFTER_5(size_t));
void __barrier_invariant_6(bool __DUET_AFTER_6(size_t));
void __barrier_invariant_7(bool __DUET_AFTER_7(size_t));
void __barrier_invariant_8(bool __DUET_AFTER_8(size_t));
void __barrier_invariant_9(bool __DUET_AFTER_9(size_t));
void __barrier_invariant_10(bool __DUET_AFTER_10(size_t));
void __barrier_invariant_11(bool __DUET_AFTER_11(size_t));
void __barrier_invariant_12(bool __DUET_AFTER_12(size_t));
void __barrier_invariant_13(bool __DUET_AFTER_13(size_t));
void __barrier_invariant_14(bool __DUET_AFTER_14(size_t));
void __barrier_invariant_15(bool __DUET_AFTER_15(size_t));
void __barrier_invariant_16(bool __DUET_AFTER_16(size_t));
void __barrier_invariant_17(bool __DUET_AFTER_17(size_t));
void __barrier_invariant_18(bool __DUET_AFTER_18(size_t));
void __barrier_invariant_19(bool __DUET_AFTER_19(size_t));
void __barrier_invariant_20(bool __DUET_AFTER_20(size_t));
void __barrier_invariant_binary_0(bool __DUET_AFTER_0(size_t) __DUET_AFTER_0(size_t));
void __barrier_invariant_binary_1(bool __DUET_AFTER_1(size_t) __DUET_AFTER_1(size_t));
void __barrier_invariant_binary_2(bool __DUET_AFTER_2(size_t) __DUET_AFTER_2(size_t));
void __barrier_invariant_binary_3(bool __DUET_AFTER_3(size_t) __DUET_AFTER_3(size_t));
void __barrier_invariant_binary_4(bool __DUET_AFTER_4(size_t) __DUET_AFTER_4(size_t));
void __barrier_invariant_binary_5(bool __DUET_AFTER_5(size_t) __DUET_AFTER_5(size_t));
void __barrier_invariant_binary_6(bool __DUET_AFTER_6(size_t) __DUET_AFTER_6(size_t));
void __barrier_invariant_binary_7(bool __DUET_AFTER_7(size_t) __DUET_AFTER_7(size_t));
void __barrier_invariant_binary_8(bool __DUET_AFTER_8(size_t) __DUET_AFTER_8(size_t));
void __barrier_invariant_binary_9(bool __DUET_AFTER_9(size_t) __DUET_AFTER_9(size_t));
void __barrier_invariant_binary_10(bool __DUET_AFTER_10(size_t) __DUET_AFTER_10(size_t));
void __barrier_invariant_binary_11(bool __DUET_AFTER_11(size_t) __DUET_AFTER_11(size_t));
void __barrier_invariant_binary_12(bool __DUET_AFTER_12(size_t) __DUET_AFTER_12(size_t));
void __barrier_invariant_binary_13(bool __DUET_AFTER_13(size_t) __DUET_AFTER_13(size_t));
void __barrier_invariant_binary_14(bool __DUET_AFTER_14(size_t) __DUET_AFTER_14(size_t));
void __barrier_invariant_binary_15(bool __DUET_AFTER_15(size_t) __DUET_AFTER_15(size_t));
void __barrier_invariant_binary_16(bool __DUET_AFTER_16(size_t) __DUET_AFTER_16(size_t));
void __barrier_invariant_binary_17(bool __DUET_AFTER_17(size_t) __DUET_AFTER_17(size_t));
void __barrier_invariant_binary_18(bool __DUET_AFTER_18(size_t) __DUET_AFTER_18(size_t));
void __barrier_invariant_binary_19(bool __DUET_AFTER_19(size_t) __DUET_AFTER_19(size_t));
void __barrier_invariant_binary_20(bool __DUET_AFTER_20(size_t) __DUET_AFTER_20(size_t));
#define __barrier_invariant_0(...) \
  __DUET_GHOST(__barrier_invariant_0(__VA_ARGS__))
#define __barrier_invariant_1(...) \
  __DUET_GHOST(__barrier_invariant_1(__VA_ARGS__))
#define __barrier_invariant_2(...) \
  __DUET_GHOST(__barrier_invariant_2(__VA_ARGS__))
#define __barrier_invariant_3(...) \
  __DUET_GHOST(__barrier_invariant_3(__VA_ARGS__))
#define __barrier_invariant_4(...) \
  __DUET_GHOST(__barrier_invariant_4(__VA_ARGS__))
#define __barrier_invariant_5(...) \
  __DUET_GHOST(__barrier_invariant_5(__VA_ARGS__))
#define __barrier_invariant_6(...) \
  __DUET_GHOST(__barrier_invariant_6(__VA_ARGS__))
#define __barrier_invariant_7(...) \
  __DUET_GHOST(__barrier_invariant_7(__VA_ARGS__))
#define __barrier_invariant_8(...) \
  __DUET_GHOST(__barrier_invariant_8(__VA_ARGS__))
#define __barrier_invariant_9(...) \
  __DUET_GHOST(__barrier_invariant_9(__VA_ARGS__))
#define __barrier_invariant_10(...) \
  __DUET_GHOST(__barrier_invariant_10(__VA_ARGS__))
#define __barrier_invariant_11(...) \
  __DUET_GHOST(__barrier_invariant_11(__VA_ARGS__))
#define __barrier_invariant_12(...) \
  __DUET_GHOST(__barrier_invariant_12(__VA_ARGS__))
#define __barrier_invariant_13(...) \
  __DUET_GHOST(__barrier_invariant_13(__VA_ARGS__))
#define __barrier_invariant_14(...) \
  __DUET_GHOST(__barrier_invariant_14(__VA_ARGS__))
#define __barrier_invariant_15(...) \
  __DUET_GHOST(__barrier_invariant_15(__VA_ARGS__))
#define __barrier_invariant_16(...) \
  __DUET_GHOST(__barrier_invariant_16(__VA_ARGS__))
#define __barrier_invariant_17(...) \
  __DUET_GHOST(__barrier_invariant_17(__VA_ARGS__))
#define __barrier_invariant_18(...) \
  __DUET_GHOST(__barrier_invariant_18(__VA_ARGS__))
#define __barrier_invariant_19(...) \
  __DUET_GHOST(__barrier_invariant_19(__VA_ARGS__))
#define __barrier_invariant_20(...) \
  __DUET_GHOST(__barrier_invariant_20(__VA_ARGS__))
#define __barrier_invariant_binary_0(...) \
  __DUET_GHOST(__barrier_invariant_binary_0(__VA_ARGS__))
#define __barrier_invariant_binary_1(...) \
  __DUET_GHOST(__barrier_invariant_binary_1(__VA_ARGS__))
#define __barrier_invariant_binary_2(...) \
  __DUET_GHOST(__barrier_invariant_binary_2(__VA_ARGS__))
#define __barrier_invariant_binary_3(...) \
  __DUET_GHOST(__barrier_invariant_binary_3(__VA_ARGS__))
#define __barrier_invariant_binary_4(...) \
  __DUET_GHOST(__barrier_invariant_binary_4(__VA_ARGS__))
#define __barrier_invariant_binary_5(...) \
  __DUET_GHOST(__barrier_invariant_binary_5(__VA_ARGS__))
#define __barrier_invariant_binary_6(...) \
  __DUET_GHOST(__barrier_invariant_binary_6(__VA_ARGS__))
#define __barrier_invariant_binary_7(...) \
  __DUET_GHOST(__barrier_invariant_binary_7(__VA_ARGS__))
#define __barrier_invariant_binary_8(...) \
  __DUET_GHOST(__barrier_invariant_binary_8(__VA_ARGS__))
#define __barrier_invariant_binary_9(...) \
  __DUET_GHOST(__barrier_invariant_binary_9(__VA_ARGS__))
#define __barrier_invariant_binary_10(...) \
  __DUET_GHOST(__barrier_invariant_binary_10(__VA_ARGS__))
#define __barrier_invariant_binary_11(...) \
  __DUET_GHOST(__barrier_invariant_binary_11(__VA_ARGS__))
#define __barrier_invariant_binary_12(...) \
  __DUET_GHOST(__barrier_invariant_binary_12(__VA_ARGS__))
#define __barrier_invariant_binary_13(...) \
  __DUET_GHOST(__barrier_invariant_binary_13(__VA_ARGS__))
#define __barrier_invariant_binary_14(...) \
  __DUET_GHOST(__barrier_invariant_binary_14(__VA_ARGS__))
#define __barrier_invariant_binary_15(...) \
  __DUET_GHOST(__barrier_invariant_binary_15(__VA_ARGS__))
#define __barrier_invariant_binary_16(...) \
  __DUET_GHOST(__barrier_invariant_binary_16(__VA_ARGS__))
#define __barrier_invariant_binary_17(...) \
  __DUET_GHOST(__barrier_invariant_binary_17(__VA_ARGS__))
#define __barrier_invariant_binary_18(...) \
  __DUET_GHOST(__barrier_invariant_binary_18(__VA_ARGS__))
#define __barrier_invariant_binary_19(...) \
  __DUET_GHOST(__barrier_invariant_binary_19(__VA_ARGS__))
#define __barrier_invariant_binary_20(...) \
  __DUET_GHOST(__barrier_invariant_binary_20(__VA_ARGS__))

/* A read that takes part in races and that no pass removes: its value goes to
 * a volatile variable. */
#define __read_permission(TYPE, ...) \
  ({ volatile __private TYPE __duet_permission = (__VA_ARGS__); (void)0; })

/* What holds of every element of an array at the barrier that comes next: `k`
 * stands for the number of any element. */
__DUET_FOR_POINTERS(uint, __duet_cell);
void __duet_cell_invariant(bool, uint);
#define __cell_invariant(A, K, ...) \
  ({ \
    uint K = __duet_cell(A); \
    __DUET_GHOST(__duet_cell_invariant(__VA_ARGS__, K)); \
  })

/* The elements lo, lo+1, ... below hi of an array, folded from left to right. */
#define __DUET_SUM_OF(NAME, OP, SUFFIX, T) \
  T __duet_sum_##OP##_##SUFFIX(const volatile __global void *, uint, uint); \
  __attribute__((overloadable, always_inline)) T __sum_##NAME( \
      const __global T *a, uint lo, uint hi) { \
    return __duet_sum_##OP##_##SUFFIX(a, lo, hi); \
  }
#define __DUET_SUMS(SIGN, SUFFIX, T) \
  __DUET_SUM_OF(add, add, SUFFIX, T) \
  __DUET_SUM_OF(max, SIGN##max, SUFFIX, T) \
  __DUET_SUM_OF(min, SIGN##min, SUFFIX, T) \
  __DUET_SUM_OF(or, or, SUFFIX, T) \
  __DUET_SUM_OF(and, and, SUFFIX, T) \
  __DUET_SUM_OF(xor, xor, SUFFIX, T)
#define __DUET_SUM_DECLARED(SUFFIX, T) \
  T __duet_sum_declared_##SUFFIX(const volatile __global void *, uint, uint, T, T, uint); \
  __attribute__((overloadable, always_inline)) T __duet_declared_sum( \
      const __global T *a, uint lo, uint hi, T identity, T applied, uint flags) { \
    return __duet_sum_declared_##SUFFIX(a, lo, hi, identity, applied, flags); \
  }
__DUET_SUM_DECLARED(i8, char)
__DUET_SUM_DECLARED(u8, uchar)
__DUET_SUM_DECLARED(i16, short)
__DUET_SUM_DECLARED(u16, ushort)
__DUET_SUM_DECLARED(i32, int)
__DUET_SUM_DECLARED(u32, uint)
__DUET_SUM_DECLARED(i64, long)
__DUET_SUM_DECLARED(u64, ulong)
#undef __DUET_SUM_DECLARED
/* Does the sum of the elements fit their type? */
#define __DUET_SUM_NO_OVERFLOW(SUFFIX, T) \
  bool __duet_sum_fits_##SUFFIX(const volatile __global void *, uint, uint); \
  __attribute__((overloadable, always_inline)) bool __sum_noovfl( \
      const __global T *a, uint lo, uint hi) { \
    return __duet_sum_fits_##SUFFIX(a, lo, hi); \
  }
__DUET_SUM_NO_OVERFLOW(u8, uchar)
__DUET_SUM_NO_OVERFLOW(u16, ushort)
__DUET_SUM_NO_OVERFLOW(u32, uint)
__DUET_SUM_NO_OVERFLOW(u64, ulong)
#undef __DUET_SUM_NO_OVERFLOW
__DUET_SUMS(s, i8, char)
__DUET_SUMS(u, u8, uchar)
__DUET_SUMS(s, i16, short)
__DUET_SUMS(u, u16, ushort)
__DUET_SUMS(s, i32, int)
__DUET_SUMS(u, u32, uint)
__DUET_SUMS(s, i64, long)
__DUET_SUMS(u, u64, ulong)
#undef __DUET_SUMS
#undef __DUET_SUM_OF

/* ---- Arithmetic and logic without control flow -------------------------- */

bool __implies(bool, bool);

#define __DUET_FOR_INTEGERS(F) \
  F(char, char) F(short, short) F(int, int) F(long, long) \
  F(unsigned char, unsigned_char) F(unsigned short, unsigned_short) \
  F(unsigned int, unsigned_int) F(unsigned long, unsigned_long)
#define __DUET_ARITHMETIC(T, NAME) \
  T __ite_##NAME(bool, T, T); \
  T __DUET_OVERLOAD __ite(bool, T, T); \
  T __add_##NAME(T, T); \
  T __DUET_OVERLOAD __add(T, T); \
  T __add_noovfl_##NAME(T, T);
__DUET_FOR_INTEGERS(__DUET_ARITHMETIC)
bool __ite_bool(bool, bool, bool);
bool __DUET_OVERLOAD __ite(bool, bool, bool);
size_t __ite_size_t(bool, size_t, size_t);

/* Does the sum of all arguments fit their type? */
#define __DUET_SUM_FITS(T, NAME, N, LESS) \
  bool __add_noovfl_##NAME##_##N(T __DUET_AFTER_##LESS(T)); \
  bool __DUET_OVERLOAD __add_noovfl(T __DUET_AFTER_##LESS(T));
#define __DUET_FOR_UNSIGNED(F, N, LESS) \
  F(unsigned char, unsigned_char, N, LESS) F(unsigned short, unsigned_short, N, LESS) \
  F(unsigned int, unsigned_int, N, LESS) F(unsigned long, unsigned_long, N, LESS)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 1, 0)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 2, 1)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 3, 2)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 4, 3)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 5, 4)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 6, 5)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 7, 6)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 8, 7)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 9, 8)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 10, 9)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 11, 10)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 12, 11)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 13, 12)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 14, 13)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 15, 14)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 16, 15)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 17, 16)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 18, 17)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 19, 18)
__DUET_FOR_UNSIGNED(__DUET_SUM_FITS, 20, 19)

#define __is_pow2(x) ((((x) & ((x) - 1)) == 0))
#define __mod_pow2(x, y) ((x) & ((y) - 1))

/* A name that starts so is an uninterpreted function. The kernel calls it NAME. */
#define DECLARE_UF_UNARY(NAME, A1, R) \
  R NAME(A1) __asm__("__uninterpreted_function_" #NAME) __attribute__((const));
#define DECLARE_UF_BINARY(NAME, A1, A2, R) \
  R NAME(A1, A2) __asm__("__uninterpreted_function_" #NAME) __attribute__((const));

/* A function of which the identity is known, and what the flags say. */
#define __associative 1u
#define __commutative 2u
#define __operator(NAME, T, IDENTITY, ...) \
  DECLARE_UF_BINARY(NAME, T, T, T) \
  __attribute__((overloadable, always_inline)) T __sum_##NAME( \
      const __global T *a, uint lo, uint hi) { \
    return __duet_declared_sum(a, lo, hi, (T)(IDENTITY), NAME((T)(IDENTITY), (T)(IDENTITY)), \
                               (__VA_ARGS__)); \
  }

/* At file scope: a function of its own that nothing calls. */
#define __DUET_GLUE_(A, B) A##B
#define __DUET_GLUE(A, B) __DUET_GLUE_(A, B)
#define __axiom(...) \
  __attribute__((used)) bool __DUET_GLUE(__axiom_, __COUNTER__)(void) { return (__VA_ARGS__); }

int __DUET_OVERLOAD __attribute__((const)) bugle_frexp_exp(float);
float __DUET_OVERLOAD __attribute__((const)) bugle_frexp_frac(float);
int __DUET_OVERLOAD __attribute__((const)) bugle_frexp_exp(double);
double __DUET_OVERLOAD __attribute__((const)) bugle_frexp_frac(double);

/* ---- Arrays and atomics ------------------------------------------------ */

void __DUET_OVERLOAD __array_snapshot(__local void *, const __local void *);
void __DUET_OVERLOAD __array_snapshot(__global void *, const __global void *);
bool __DUET_OVERLOAD __atomic_has_taken_value(const volatile __local unsigned *, size_t, unsigned);
bool __DUET_OVERLOAD __atomic_has_taken_value(const volatile __global unsigned *, size_t, unsigned);

/* A name of a contract: its contract, its number there, and itself. The type is told by
 * the symbol of the overload. */
#define __DUET_CAPTURE(T) \
  void __DUET_OVERLOAD __duet_capture(int, int, T); \
  void __DUET_OVERLOAD __duet_capture(int, int, const volatile __local T *); \
  void __DUET_OVERLOAD __duet_capture(int, int, const volatile __global T *); \
  void __DUET_OVERLOAD __duet_capture(int, int, const volatile __constant T *)
__DUET_CAPTURE(char);
__DUET_CAPTURE(uchar);
__DUET_CAPTURE(short);
__DUET_CAPTURE(ushort);
__DUET_CAPTURE(int);
__DUET_CAPTURE(uint);
__DUET_CAPTURE(long);
__DUET_CAPTURE(ulong);
__DUET_CAPTURE(float);
#ifdef cl_khr_fp64
__DUET_CAPTURE(double);
#endif

/* A counter of cl_ext_atomic_counters_32: a number in global memory that only
 * atomic_inc and atomic_dec touch. */
typedef volatile __global uint *counter32_t;

/* ---- The device -------------------------------------------------------- */

void __assert_fail(void);
#define assert(e) ((e) ? (void)0 : __assert_fail())

/* Extensions that kernels ask for and whose functions are core or unused. */
#ifndef cl_amd_fp64
#define cl_amd_fp64 1
#endif
#ifndef cl_ext_atomic_counters_32
#define cl_ext_atomic_counters_32 1
#endif

/* Limits of images. Annotations divide byte offsets by them, so they follow the
 * layout of texels: 16 bytes each, number x + (y << 20) + (z << 40). */
#ifndef CL_DEVICE_IMAGE2D_MAX_WIDTH
#define CL_DEVICE_IMAGE2D_MAX_WIDTH (1 << 20)
#endif
#ifndef CL_DEVICE_IMAGE2D_MAX_HEIGHT
#define CL_DEVICE_IMAGE2D_MAX_HEIGHT (1 << 20)
#endif
#ifndef CL_DEVICE_IMAGE3D_MAX_WIDTH
#define CL_DEVICE_IMAGE3D_MAX_WIDTH (1 << 20)
#endif
#ifndef CL_DEVICE_IMAGE3D_MAX_HEIGHT
#define CL_DEVICE_IMAGE3D_MAX_HEIGHT (1 << 20)
#endif
#ifndef CL_DEVICE_IMAGE3D_MAX_DEPTH
#define CL_DEVICE_IMAGE3D_MAX_DEPTH (1 << 20)
#endif

#endif
