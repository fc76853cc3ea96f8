// The annotation language (docs/annotations.md) for CUDA. Statements and ghost
// values are functions without a body, known to the translator by name. Reads
// inside contracts, invariants and assumptions are bracketed: they are reads of
// the specification, not of the kernel.
#pragma once
#pragma clang system_header

__DUET_EXTERN void __non_temporal_loads_begin();
__DUET_EXTERN void __non_temporal_loads_end();
#define __DUET_UNLOGGED(CALL) (__non_temporal_loads_begin(), (CALL), __non_temporal_loads_end())

// Contracts.
__DUET_EXTERN void __requires(bool);
__DUET_EXTERN void __global_requires(bool);
__DUET_EXTERN void __ensures(bool);
__DUET_EXTERN void __global_ensures(bool);
#define __requires(...) __DUET_UNLOGGED(__requires(__VA_ARGS__))
#define __global_requires(...) __DUET_UNLOGGED(__global_requires(__VA_ARGS__))
#define __ensures(...) __DUET_UNLOGGED(__ensures(__VA_ARGS__))
#define __global_ensures(...) __DUET_UNLOGGED(__global_ensures(__VA_ARGS__))
__DUET_EXTERN void __duet_requires_fresh_array(const volatile void *const volatile *);
#define __requires_fresh_array(p) __duet_requires_fresh_array((const volatile void *const volatile *)&(p))
__DUET_EXTERN int __return_val_int();
__DUET_EXTERN bool __return_val_bool();
__DUET_EXTERN void *__return_val_ptr();
#define __return_val_funptr(TYPE) ((TYPE)__return_val_ptr())
__DUET_EXTERN int __old_int(int);
__DUET_EXTERN bool __old_bool(bool);
// What a function touches. Where its contract stands for the function, any accesses to the
// array are made: by every thread, or, if threads wait for each other in it, by one of which
// nobody knows which it is.
__DUET_EXTERN void __reads_from(const volatile void *);
__DUET_EXTERN void __writes_to(const volatile void *);
__DUET_EXTERN bool __duet_is_summary();
__DUET_EXTERN bool __duet_works_alone();
__DUET_EXTERN unsigned __duet_choice();
__DUET_EXTERN bool __duet_summary_again();
__DUET_EXTERN size_t __duet_summary_place();
namespace duet {
__DUET_FN bool is_chosen(unsigned choice) {
  unsigned row = __duet_rank_thread_id_y() + __duet_rank_block_dim_y() * __duet_rank_thread_id_z();
  return __duet_rank_thread_id_x() + __duet_rank_block_dim_x() * row == choice;
}
template <class T> __DUET_FN void summary_reads(const volatile T *p) {
  while (__duet_summary_again()) {
    T value = ((T *)p)[__duet_summary_place()];
  }
}
template <class T> __DUET_FN void summary_writes(const volatile T *p) {
  while (__duet_summary_again()) {
    T value;
    ((T *)p)[__duet_summary_place()] = value;
  }
}
__DUET_FN void summary_reads(const volatile void *p) { summary_reads((const char *)p); }
__DUET_FN void summary_writes(const volatile void *p) { summary_writes((const char *)p); }
} // namespace duet
#define __DUET_SUMMARY(ACCESSES)                                                                   \
  if (__duet_is_summary()) {                                                                       \
    if (__duet_works_alone()) {                                                                    \
      if (duet::is_chosen(__duet_choice()))                                                        \
        ACCESSES;                                                                                  \
    } else                                                                                         \
      ACCESSES;                                                                                    \
  }
#define __reads_from(P)                                                                            \
  ({                                                                                               \
    __reads_from(P);                                                                               \
    __DUET_SUMMARY(duet::summary_reads(P))                                                         \
  })
#define __writes_to(P)                                                                             \
  ({                                                                                               \
    __writes_to(P);                                                                                \
    __DUET_SUMMARY(duet::summary_writes(P))                                                        \
  })

// Assertions, assumptions, invariants. `__assert` has C++ linkage: the C
// library has another function of that name.
__device__ void __assert(bool);
__DUET_EXTERN void __global_assert(bool);
__DUET_EXTERN void __candidate_assert(bool);
__DUET_EXTERN void __candidate_global_assert(bool);
#define __unsafe_assert(...) __DUET_UNLOGGED(__assert(__VA_ARGS__))
#define __unsafe_global_assert(...) __DUET_UNLOGGED(__global_assert(__VA_ARGS__))
#define __unsafe_candidate_assert(...) __DUET_UNLOGGED(__candidate_assert(__VA_ARGS__))
#define __unsafe_candidate_global_assert(...) __DUET_UNLOGGED(__candidate_global_assert(__VA_ARGS__))
__DUET_EXTERN void bugle_assert(int);
__DUET_EXTERN void bugle_assume(int);
__DUET_EXTERN void bugle_requires(int);
__DUET_EXTERN void bugle_ensures(int);
#define __assume(...) __DUET_UNLOGGED(bugle_assume(__VA_ARGS__))
__DUET_EXTERN void __invariant(bool);
__DUET_EXTERN void __global_invariant(bool);
__DUET_EXTERN void __candidate_invariant(bool);
__DUET_EXTERN void __candidate_global_invariant(bool);
__DUET_EXTERN void __function_wide_invariant(bool);
__DUET_EXTERN void __function_wide_candidate_invariant(bool);
#define __invariant(...) __DUET_UNLOGGED(__invariant(__VA_ARGS__))
#define __global_invariant(...) __DUET_UNLOGGED(__global_invariant(__VA_ARGS__))
#define __candidate_invariant(...) __DUET_UNLOGGED(__candidate_invariant(__VA_ARGS__))
#define __candidate_global_invariant(...) __DUET_UNLOGGED(__candidate_global_invariant(__VA_ARGS__))

// Thread-state predicates.
__DUET_EXTERN bool __enabled();
__DUET_EXTERN bool __dominator_enabled();
__DUET_EXTERN int __other_int(int);
__DUET_EXTERN long long __other_longlong(long long);
__DUET_EXTERN bool __other_bool(bool);
typedef int ptr_base_t;
__DUET_EXTERN ptr_base_t __other_ptr_base(ptr_base_t);
#define __uniform_int(x) ((x) == __other_int(x))
#define __uniform_bool(x) ((x) == __other_bool(x))
#define __uniform_ptr_base(x) ((x) == __other_ptr_base(x))
#define __distinct_int(x) ((x) != __other_int(x))
#define __distinct_bool(x) ((x) != __other_bool(x))
#define __distinct_ptr_base(x) ((x) != __other_ptr_base(x))
#define __exclusive(x) (!((x) & __other_bool(x)))
__DUET_EXTERN bool __duet_same_group();
#define __same_group __duet_same_group()

// Memory-access predicates.
__DUET_EXTERN bool __read(const volatile void *);
__DUET_EXTERN bool __write(const volatile void *);
__DUET_EXTERN size_t __read_offset_bytes(const volatile void *);
__DUET_EXTERN size_t __write_offset_bytes(const volatile void *);
__DUET_EXTERN ptr_base_t __ptr_base(const volatile void *);
__DUET_EXTERN size_t __ptr_offset_bytes(const volatile void *);
// Old names, which count in elements. The elements of an array of arrays are its numbers.
namespace duet {
template <class T> struct element { typedef T type; };
template <class T> struct element<T &> : element<T> {};
template <class T> struct element<T[]> : element<T> {};
template <class T, unsigned long N> struct element<T[N]> : element<T> {};
} // namespace duet
#define __DUET_ELEMENT(p) sizeof(typename duet::element<decltype(*(p))>::type)
#define __read_offset(p) (__read_offset_bytes(p) / __DUET_ELEMENT(p))
#define __write_offset(p) (__write_offset_bytes(p) / __DUET_ELEMENT(p))
#define __ptr_offset(p) (__ptr_offset_bytes(p) / __DUET_ELEMENT(p))
#define __no_read(p) (!__read(p))
#define __no_write(p) (!__write(p))
#define __read_implies(p, ...) __implies(__read(p), __VA_ARGS__)
#define __write_implies(p, ...) __implies(__write(p), __VA_ARGS__)

// Barrier invariants: the condition, then the ids to instantiate it with.
// The lists of ids grow by one macro each.
#define __DUET_IDS_0
#define __DUET_IDS_1 __DUET_IDS_0, size_t
#define __DUET_IDS_2 __DUET_IDS_1, size_t
#define __DUET_IDS_3 __DUET_IDS_2, size_t
#define __DUET_IDS_4 __DUET_IDS_3, size_t
#define __DUET_IDS_5 __DUET_IDS_4, size_t
#define __DUET_IDS_6 __DUET_IDS_5, size_t
#define __DUET_IDS_7 __DUET_IDS_6, size_t
#define __DUET_IDS_8 __DUET_IDS_7, size_t
#define __DUET_IDS_9 __DUET_IDS_8, size_t
#define __DUET_IDS_10 __DUET_IDS_9, size_t
#define __DUET_IDS_11 __DUET_IDS_10, size_t
#define __DUET_IDS_12 __DUET_IDS_11, size_t
#define __DUET_IDS_13 __DUET_IDS_12, size_t
#define __DUET_IDS_14 __DUET_IDS_13, size_t
#define __DUET_IDS_15 __DUET_IDS_14, size_t
#define __DUET_IDS_16 __DUET_IDS_15, size_t
#define __DUET_IDS_17 __DUET_IDS_16, size_t
#define __DUET_IDS_18 __DUET_IDS_17, size_t
#define __DUET_IDS_19 __DUET_IDS_18, size_t
#define __DUET_IDS_20 __DUET_IDS_19, size_t
#define __DUET_IDS_21 __DUET_IDS_20, size_t
#define __DUET_IDS_22 __DUET_IDS_21, size_t
#define __DUET_IDS_23 __DUET_IDS_22, size_t
#define __DUET_IDS_24 __DUET_IDS_23, size_t
#define __DUET_IDS_25 __DUET_IDS_24, size_t
#define __DUET_IDS_26 __DUET_IDS_25, size_t
#define __DUET_IDS_27 __DUET_IDS_26, size_t
#define __DUET_IDS_28 __DUET_IDS_27, size_t
#define __DUET_IDS_29 __DUET_IDS_28, size_t
#define __DUET_IDS_30 __DUET_IDS_29, size_t
#define __DUET_IDS_31 __DUET_IDS_30, size_t
#define __DUET_IDS_32 __DUET_IDS_31, size_t
#define __DUET_IDS_33 __DUET_IDS_32, size_t
#define __DUET_IDS_34 __DUET_IDS_33, size_t
#define __DUET_IDS_35 __DUET_IDS_34, size_t
#define __DUET_IDS_36 __DUET_IDS_35, size_t
#define __DUET_IDS_37 __DUET_IDS_36, size_t
#define __DUET_IDS_38 __DUET_IDS_37, size_t
#define __DUET_IDS_39 __DUET_IDS_38, size_t
#define __DUET_IDS_40 __DUET_IDS_39, size_t
#define __DUET_BARRIER_INVARIANT(N, TWICE)                                                         \
  __DUET_EXTERN void __barrier_invariant_##N(bool __DUET_IDS_##N);                                 \
  __DUET_EXTERN void __barrier_invariant_binary_##N(bool __DUET_IDS_##TWICE);
__DUET_BARRIER_INVARIANT(0, 0)
__DUET_BARRIER_INVARIANT(1, 2)
__DUET_BARRIER_INVARIANT(2, 4)
__DUET_BARRIER_INVARIANT(3, 6)
__DUET_BARRIER_INVARIANT(4, 8)
__DUET_BARRIER_INVARIANT(5, 10)
__DUET_BARRIER_INVARIANT(6, 12)
__DUET_BARRIER_INVARIANT(7, 14)
__DUET_BARRIER_INVARIANT(8, 16)
__DUET_BARRIER_INVARIANT(9, 18)
__DUET_BARRIER_INVARIANT(10, 20)
__DUET_BARRIER_INVARIANT(11, 22)
__DUET_BARRIER_INVARIANT(12, 24)
__DUET_BARRIER_INVARIANT(13, 26)
__DUET_BARRIER_INVARIANT(14, 28)
__DUET_BARRIER_INVARIANT(15, 30)
__DUET_BARRIER_INVARIANT(16, 32)
__DUET_BARRIER_INVARIANT(17, 34)
__DUET_BARRIER_INVARIANT(18, 36)
__DUET_BARRIER_INVARIANT(19, 38)
__DUET_BARRIER_INVARIANT(20, 40)
#undef __DUET_BARRIER_INVARIANT
#define __barrier_invariant_0(...) __DUET_UNLOGGED(__barrier_invariant_0(__VA_ARGS__))
#define __barrier_invariant_1(...) __DUET_UNLOGGED(__barrier_invariant_1(__VA_ARGS__))
#define __barrier_invariant_2(...) __DUET_UNLOGGED(__barrier_invariant_2(__VA_ARGS__))
#define __barrier_invariant_3(...) __DUET_UNLOGGED(__barrier_invariant_3(__VA_ARGS__))
#define __barrier_invariant_4(...) __DUET_UNLOGGED(__barrier_invariant_4(__VA_ARGS__))
#define __barrier_invariant_5(...) __DUET_UNLOGGED(__barrier_invariant_5(__VA_ARGS__))
#define __barrier_invariant_6(...) __DUET_UNLOGGED(__barrier_invariant_6(__VA_ARGS__))
#define __barrier_invariant_7(...) __DUET_UNLOGGED(__barrier_invariant_7(__VA_ARGS__))
#define __barrier_invariant_8(...) __DUET_UNLOGGED(__barrier_invariant_8(__VA_ARGS__))
#define __barrier_invariant_9(...) __DUET_UNLOGGED(__barrier_invariant_9(__VA_ARGS__))
#define __barrier_invariant_10(...) __DUET_UNLOGGED(__barrier_invariant_10(__VA_ARGS__))
#define __barrier_invariant_11(...) __DUET_UNLOGGED(__barrier_invariant_11(__VA_ARGS__))
#define __barrier_invariant_12(...) __DUET_UNLOGGED(__barrier_invariant_12(__VA_ARGS__))
#define __barrier_invariant_13(...) __DUET_UNLOGGED(__barrier_invariant_13(__VA_ARGS__))
#define __barrier_invariant_14(...) __DUET_UNLOGGED(__barrier_invariant_14(__VA_ARGS__))
#define __barrier_invariant_15(...) __DUET_UNLOGGED(__barrier_invariant_15(__VA_ARGS__))
#define __barrier_invariant_16(...) __DUET_UNLOGGED(__barrier_invariant_16(__VA_ARGS__))
#define __barrier_invariant_17(...) __DUET_UNLOGGED(__barrier_invariant_17(__VA_ARGS__))
#define __barrier_invariant_18(...) __DUET_UNLOGGED(__barrier_invariant_18(__VA_ARGS__))
#define __barrier_invariant_19(...) __DUET_UNLOGGED(__barrier_invariant_19(__VA_ARGS__))
#define __barrier_invariant_20(...) __DUET_UNLOGGED(__barrier_invariant_20(__VA_ARGS__))
#define __barrier_invariant_binary_0(...) __DUET_UNLOGGED(__barrier_invariant_binary_0(__VA_ARGS__))
#define __barrier_invariant_binary_1(...) __DUET_UNLOGGED(__barrier_invariant_binary_1(__VA_ARGS__))
#define __barrier_invariant_binary_2(...) __DUET_UNLOGGED(__barrier_invariant_binary_2(__VA_ARGS__))
#define __barrier_invariant_binary_3(...) __DUET_UNLOGGED(__barrier_invariant_binary_3(__VA_ARGS__))
#define __barrier_invariant_binary_4(...) __DUET_UNLOGGED(__barrier_invariant_binary_4(__VA_ARGS__))
#define __barrier_invariant_binary_5(...) __DUET_UNLOGGED(__barrier_invariant_binary_5(__VA_ARGS__))
#define __barrier_invariant_binary_6(...) __DUET_UNLOGGED(__barrier_invariant_binary_6(__VA_ARGS__))
#define __barrier_invariant_binary_7(...) __DUET_UNLOGGED(__barrier_invariant_binary_7(__VA_ARGS__))
#define __barrier_invariant_binary_8(...) __DUET_UNLOGGED(__barrier_invariant_binary_8(__VA_ARGS__))
#define __barrier_invariant_binary_9(...) __DUET_UNLOGGED(__barrier_invariant_binary_9(__VA_ARGS__))
#define __barrier_invariant_binary_10(...) __DUET_UNLOGGED(__barrier_invariant_binary_10(__VA_ARGS__))
#define __barrier_invariant_binary_11(...) __DUET_UNLOGGED(__barrier_invariant_binary_11(__VA_ARGS__))
#define __barrier_invariant_binary_12(...) __DUET_UNLOGGED(__barrier_invariant_binary_12(__VA_ARGS__))
#define __barrier_invariant_binary_13(...) __DUET_UNLOGGED(__barrier_invariant_binary_13(__VA_ARGS__))
#define __barrier_invariant_binary_14(...) __DUET_UNLOGGED(__barrier_invariant_binary_14(__VA_ARGS__))
#define __barrier_invariant_binary_15(...) __DUET_UNLOGGED(__barrier_invariant_binary_15(__VA_ARGS__))
#define __barrier_invariant_binary_16(...) __DUET_UNLOGGED(__barrier_invariant_binary_16(__VA_ARGS__))
#define __barrier_invariant_binary_17(...) __DUET_UNLOGGED(__barrier_invariant_binary_17(__VA_ARGS__))
#define __barrier_invariant_binary_18(...) __DUET_UNLOGGED(__barrier_invariant_binary_18(__VA_ARGS__))
#define __barrier_invariant_binary_19(...) __DUET_UNLOGGED(__barrier_invariant_binary_19(__VA_ARGS__))
#define __barrier_invariant_binary_20(...) __DUET_UNLOGGED(__barrier_invariant_binary_20(__VA_ARGS__))

// A read for the sake of having read: a barrier invariant may then mention it. It takes
// part in races, and no pass removes it: its value goes to a volatile variable, by whose
// name it is known.
#define __read_permission(TYPE, ...)                                                               \
  ({                                                                                               \
    volatile TYPE __duet_permission = (__VA_ARGS__);                                               \
    (void)0;                                                                                       \
  })

// What holds of every element of an array at the barrier that comes next: `k` stands for
// the number of any element.
__DUET_EXTERN unsigned __duet_cell(const volatile void *);
__DUET_EXTERN void __duet_cell_invariant(bool, unsigned);
#define __cell_invariant(A, K, ...)                                                                \
  ({                                                                                               \
    unsigned K = __duet_cell(A);                                                                   \
    __DUET_UNLOGGED(__duet_cell_invariant(__VA_ARGS__, K));                                        \
  })

// The elements lo, lo+1, ... below hi of an array, folded from left to right.
#define __DUET_SUM_OF(NAME, OP, SUFFIX, T)                                                         \
  __DUET_EXTERN T __duet_sum_##OP##_##SUFFIX(const volatile void *, unsigned, unsigned);           \
  __DUET_FN T __sum_##NAME(const T *a, unsigned lo, unsigned hi) {                                 \
    return __duet_sum_##OP##_##SUFFIX(a, lo, hi);                                                  \
  }
#define __DUET_SUMS(SIGN, SUFFIX, T)                                                               \
  __DUET_SUM_OF(add, add, SUFFIX, T)                                                               \
  __DUET_SUM_OF(max, SIGN##max, SUFFIX, T)                                                         \
  __DUET_SUM_OF(min, SIGN##min, SUFFIX, T)                                                         \
  __DUET_SUM_OF(or, or, SUFFIX, T)                                                                 \
  __DUET_SUM_OF(and, and, SUFFIX, T)                                                               \
  __DUET_SUM_OF(xor, xor, SUFFIX, T)
#define __DUET_SUM_DECLARED(SUFFIX, T)                                                             \
  __DUET_EXTERN T __duet_sum_declared_##SUFFIX(const volatile void *, unsigned, unsigned, T, T,    \
                                               unsigned);                                          \
  namespace duet {                                                                                 \
  __DUET_FN T sum_declared(const T *a, unsigned lo, unsigned hi, T identity, T applied,            \
                           unsigned flags) {                                                       \
    return __duet_sum_declared_##SUFFIX(a, lo, hi, identity, applied, flags);                      \
  }                                                                                                \
  }
__DUET_SUM_DECLARED(i8, signed char)
__DUET_SUM_DECLARED(u8, unsigned char)
__DUET_SUM_DECLARED(i16, short)
__DUET_SUM_DECLARED(u16, unsigned short)
__DUET_SUM_DECLARED(i32, int)
__DUET_SUM_DECLARED(u32, unsigned)
__DUET_SUM_DECLARED(i64, long long)
__DUET_SUM_DECLARED(u64, unsigned long long)
#undef __DUET_SUM_DECLARED
// Does the sum of the elements fit their type?
#define __DUET_SUM_FITS(SUFFIX, T)                                                                 \
  __DUET_EXTERN bool __duet_sum_fits_##SUFFIX(const volatile void *, unsigned, unsigned);          \
  __DUET_FN bool __sum_noovfl(const T *a, unsigned lo, unsigned hi) {                              \
    return __duet_sum_fits_##SUFFIX(a, lo, hi);                                                    \
  }
__DUET_SUM_FITS(u8, unsigned char)
__DUET_SUM_FITS(u16, unsigned short)
__DUET_SUM_FITS(u32, unsigned)
__DUET_SUM_FITS(u64, unsigned long long)
#undef __DUET_SUM_FITS
__DUET_SUMS(s, i8, signed char)
__DUET_SUMS(u, u8, unsigned char)
__DUET_SUMS(s, i16, short)
__DUET_SUMS(u, u16, unsigned short)
__DUET_SUMS(s, i32, int)
__DUET_SUMS(u, u32, unsigned)
__DUET_SUMS(s, i64, long long)
__DUET_SUMS(u, u64, unsigned long long)
// Other types of the same width.
#define __DUET_SUM_AS(NAME, OP, SUFFIX, T)                                                         \
  __DUET_FN T __sum_##NAME(const T *a, unsigned lo, unsigned hi) {                                 \
    return (T)__duet_sum_##OP##_##SUFFIX(a, lo, hi);                                               \
  }
#define __DUET_SUMS_AS(SIGN, SUFFIX, T)                                                            \
  __DUET_SUM_AS(add, add, SUFFIX, T)                                                               \
  __DUET_SUM_AS(max, SIGN##max, SUFFIX, T)                                                         \
  __DUET_SUM_AS(min, SIGN##min, SUFFIX, T)                                                         \
  __DUET_SUM_AS(or, or, SUFFIX, T)                                                                 \
  __DUET_SUM_AS(and, and, SUFFIX, T)                                                               \
  __DUET_SUM_AS(xor, xor, SUFFIX, T)
__DUET_SUMS_AS(s, i8, char)
__DUET_SUMS_AS(s, i64, long)
__DUET_SUMS_AS(u, u64, unsigned long)
#undef __DUET_SUMS_AS
#undef __DUET_SUM_AS
namespace duet {
__DUET_FN char sum_declared(const char *a, unsigned lo, unsigned hi, char identity, char applied,
                            unsigned flags) {
  return (char)__duet_sum_declared_i8(a, lo, hi, identity, applied, flags);
}
__DUET_FN long sum_declared(const long *a, unsigned lo, unsigned hi, long identity, long applied,
                            unsigned flags) {
  return __duet_sum_declared_i64(a, lo, hi, identity, applied, flags);
}
__DUET_FN unsigned long sum_declared(const unsigned long *a, unsigned lo, unsigned hi,
                                     unsigned long identity, unsigned long applied,
                                     unsigned flags) {
  return __duet_sum_declared_u64(a, lo, hi, identity, applied, flags);
}
} // namespace duet
__DUET_FN bool __sum_noovfl(const unsigned long *a, unsigned lo, unsigned hi) {
  return __duet_sum_fits_u64(a, lo, hi);
}
#undef __DUET_SUMS
#undef __DUET_SUM_OF

// Arithmetic and logic without control flow.
__DUET_EXTERN bool __implies(bool, bool);
#define __DUET_ARITHMETIC(NAME, T)                                                                 \
  __DUET_EXTERN T __ite_##NAME(bool, T, T);                                                        \
  __DUET_EXTERN T __add_##NAME(T, T);                                                              \
  __DUET_EXTERN T __add_noovfl_##NAME(T, T);                                                       \
  __DUET_WEAK_DEVICE T __ite(bool c, T a, T b) { return __ite_##NAME(c, a, b); }                            \
  __DUET_WEAK_DEVICE T __add(T a, T b) { return __add_##NAME(a, b); }
__DUET_ARITHMETIC(char, char)
__DUET_ARITHMETIC(unsigned_char, unsigned char)
__DUET_ARITHMETIC(short, short)
__DUET_ARITHMETIC(unsigned_short, unsigned short)
__DUET_ARITHMETIC(int, int)
__DUET_ARITHMETIC(unsigned_int, unsigned int)
__DUET_ARITHMETIC(long, long)
__DUET_ARITHMETIC(unsigned_long, unsigned long)
#undef __DUET_ARITHMETIC
// Other types of the same width.
#define __DUET_ARITHMETIC_AS(NAME, T)                                                              \
  __DUET_WEAK_DEVICE T __ite(bool c, T a, T b) { return (T)__ite_##NAME(c, a, b); }                \
  __DUET_WEAK_DEVICE T __add(T a, T b) { return (T)__add_##NAME(a, b); }
__DUET_ARITHMETIC_AS(char, signed char)
__DUET_ARITHMETIC_AS(long, long long)
__DUET_ARITHMETIC_AS(unsigned_long, unsigned long long)
#undef __DUET_ARITHMETIC_AS
__DUET_WEAK_DEVICE bool __ite(bool c, bool a, bool b) { return __ite_int(c, a, b) != 0; }
__DUET_EXTERN size_t __ite_size_t(bool, size_t, size_t);
#define __is_pow2(x) ((((x) & ((x) - 1)) == 0))
#define __mod_pow2(x, y) ((x) & ((y) - 1))

// `__add_noovfl(v0, …, vk)`: the unsigned sum does not wrap. Each prefix sum of
// an unsigned addition that does not wrap is at least its last summand.
namespace duet {
template <class T> __DUET_FN bool no_overflow(T) { return true; }
template <class T, class... Rest> __DUET_FN bool no_overflow(T a, T b, Rest... rest) {
  T sum = (T)(a + b);
  return (sum >= b) & no_overflow<T>(sum, rest...);
}
} // namespace duet
#define __DUET_NO_OVERFLOW(T)                                                                      \
  template <class... Rest> __DUET_FN bool __add_noovfl(T first, Rest... rest) {                    \
    return duet::no_overflow<T>(first, (T)rest...);                                                \
  }
__DUET_NO_OVERFLOW(unsigned char)
__DUET_NO_OVERFLOW(unsigned short)
__DUET_NO_OVERFLOW(unsigned int)
__DUET_NO_OVERFLOW(unsigned long)
__DUET_NO_OVERFLOW(unsigned long long)
#undef __DUET_NO_OVERFLOW

// Uninterpreted functions, and axioms about them at file scope.
#define DECLARE_UF_UNARY(NAME, A, R)                                                               \
  __DUET_PURE R __uninterpreted_function_##NAME(A);                                                \
  __DUET_FN R NAME(A x) { return __uninterpreted_function_##NAME(x); }
#define DECLARE_UF_BINARY(NAME, A, B, R)                                                           \
  __DUET_PURE R __uninterpreted_function_##NAME(A, B);                                             \
  __DUET_FN R NAME(A x, B y) { return __uninterpreted_function_##NAME(x, y); }
// A function of which the identity is known, and what the flags say.
#define __associative 1u
#define __commutative 2u
#define __operator(NAME, T, IDENTITY, ...)                                                         \
  DECLARE_UF_BINARY(NAME, T, T, T)                                                                 \
  __DUET_FN T __sum_##NAME(const T *a, unsigned lo, unsigned hi) {                                 \
    return duet::sum_declared(a, lo, hi, (T)(IDENTITY), NAME((T)(IDENTITY), (T)(IDENTITY)),        \
                              (__VA_ARGS__));                                                      \
  }
#define __DUET_JOIN(A, B) A##B
#define __DUET_JOIN_EXPANDED(A, B) __DUET_JOIN(A, B)
#define __axiom(...)                                                                               \
  extern "C" __device__ __attribute__((used)) bool __DUET_JOIN_EXPANDED(__axiom_, __COUNTER__)() { \
    return (__VA_ARGS__);                                                                          \
  }

// Arrays and atomics.
__DUET_EXTERN void __array_snapshot(void *, void *);
__DUET_EXTERN bool __atomic_has_taken_value(unsigned *, unsigned, unsigned);
__DUET_PURE int bugle_frexp_exp(double);
__DUET_PURE double bugle_frexp_frac(double);

// A name of a contract: its contract, its number there, and itself. The type is told by the
// symbol of the instance.
template <class T> __device__ void __duet_capture(int, int, T);
