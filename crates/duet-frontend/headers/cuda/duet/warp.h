// Exchanges among the lanes of a warp: shuffles, votes, ballots, match, reduce,
// with `_sync` and, for old code, without. A shuffle carries its value as an
// integer of 32 or 64 bits.
#pragma once
#pragma clang system_header

namespace duet {
template <class T> using shuffle_word = typename word<(sizeof(T) <= 4 ? 4 : 8)>::type;

// A value as the integer a shuffle carries, and back.
template <class T> __DUET_FN shuffle_word<T> to_word(T x) {
  return bit_cast<typename word<sizeof(T)>::type>(x);
}
template <class T> __DUET_FN T from_word(shuffle_word<T> bits) {
  return bit_cast<T>((typename word<sizeof(T)>::type)bits);
}

#define __DUET_SHUFFLE(WAY)                                                                        \
  __DUET_WEAK_DEVICE unsigned shuffle_##WAY(unsigned m, unsigned v, int l, int w) {                \
    return __duet_shuffle_##WAY##_i32(m, v, l, w);                                                 \
  }                                                                                                \
  __DUET_WEAK_DEVICE unsigned long long shuffle_##WAY(unsigned m, unsigned long long v, int l, int w) { \
    return __duet_shuffle_##WAY##_i64(m, v, l, w);                                                 \
  }                                                                                                \
  __DUET_WEAK_DEVICE unsigned shuffle_##WAY##_nosync(unsigned v, int l, int w) {                   \
    return __duet_shuffle_##WAY##_nosync_i32(v, l, w);                                             \
  }                                                                                                \
  __DUET_WEAK_DEVICE unsigned long long shuffle_##WAY##_nosync(unsigned long long v, int l, int w) { \
    return __duet_shuffle_##WAY##_nosync_i64(v, l, w);                                             \
  }
__DUET_SHUFFLE(index)
__DUET_SHUFFLE(up)
__DUET_SHUFFLE(down)
__DUET_SHUFFLE(xor)
#undef __DUET_SHUFFLE
} // namespace duet

// The public functions for one type. cuda_fp16.h and cuda_bf16.h use these too.
#define __DUET_SHUFFLE(NAME, WAY, T, LANE)                                                         \
  __DUET_WEAK_DEVICE T NAME##_sync(unsigned mask, T value, LANE lane, int width = 32) {            \
    return duet::from_word<T>(duet::shuffle_##WAY(mask, duet::to_word(value), (int)lane, width));  \
  }                                                                                                \
  __DUET_WEAK_DEVICE T NAME(T value, LANE lane, int width = 32) {                                  \
    return duet::from_word<T>(duet::shuffle_##WAY##_nosync(duet::to_word(value), (int)lane, width)); \
  }
#define __DUET_SHUFFLES(T)                                                                         \
  __DUET_SHUFFLE(__shfl, index, T, int)                                                            \
  __DUET_SHUFFLE(__shfl_up, up, T, unsigned)                                                       \
  __DUET_SHUFFLE(__shfl_down, down, T, unsigned)                                                   \
  __DUET_SHUFFLE(__shfl_xor, xor, T, int)
__DUET_SHUFFLES(int)
__DUET_SHUFFLES(unsigned)
__DUET_SHUFFLES(long)
__DUET_SHUFFLES(unsigned long)
__DUET_SHUFFLES(long long)
__DUET_SHUFFLES(unsigned long long)
__DUET_SHUFFLES(float)
__DUET_SHUFFLES(double)

__DUET_WEAK_DEVICE int __all_sync(unsigned mask, int p) { return __duet_vote_all(mask, p); }
__DUET_WEAK_DEVICE int __any_sync(unsigned mask, int p) { return __duet_vote_any(mask, p); }
__DUET_WEAK_DEVICE int __uni_sync(unsigned mask, int p) { return __duet_vote_uniform(mask, p); }
__DUET_WEAK_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __duet_ballot(mask, p); }
// Inside an annotation `__all` is the annotation (the predicate holds for both
// threads); the translator tells by where it stands.
__DUET_WEAK_DEVICE int __all(int p) { return __duet_vote_all_nosync(p); }
__DUET_WEAK_DEVICE int __any(int p) { return __duet_vote_any_nosync(p); }
__DUET_WEAK_DEVICE unsigned __ballot(int p) { return __duet_ballot_nosync(p); }
__DUET_WEAK_DEVICE unsigned __activemask() { return __duet_active_mask(); }

namespace duet {
__DUET_WEAK_DEVICE unsigned match_any(unsigned m, unsigned v) { return __duet_match_any_i32(m, v); }
__DUET_WEAK_DEVICE unsigned match_any(unsigned m, unsigned long long v) { return __duet_match_any_i64(m, v); }
__DUET_WEAK_DEVICE unsigned match_all(unsigned m, unsigned v) { return __duet_match_all_i32(m, v); }
__DUET_WEAK_DEVICE unsigned match_all(unsigned m, unsigned long long v) { return __duet_match_all_i64(m, v); }
} // namespace duet

// `__match_all_sync` yields the mask or zero; the predicate is whether it is the
// mask.
#define __DUET_MATCH(T)                                                                            \
  __DUET_WEAK_DEVICE unsigned __match_any_sync(unsigned mask, T value) {                           \
    return duet::match_any(mask, duet::to_word(value));                                            \
  }                                                                                                \
  __DUET_WEAK_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *predicate) {           \
    unsigned matching = duet::match_all(mask, duet::to_word(value));                               \
    *predicate = matching != 0;                                                                    \
    return matching;                                                                               \
  }
__DUET_MATCH(int)
__DUET_MATCH(unsigned)
__DUET_MATCH(long)
__DUET_MATCH(unsigned long)
__DUET_MATCH(long long)
__DUET_MATCH(unsigned long long)
__DUET_MATCH(float)
__DUET_MATCH(double)
#undef __DUET_MATCH

__DUET_WEAK_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned x) { return __duet_reduce_add_i32(mask, x); }
__DUET_WEAK_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned x) { return __duet_reduce_umin_i32(mask, x); }
__DUET_WEAK_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned x) { return __duet_reduce_umax_i32(mask, x); }
__DUET_WEAK_DEVICE int __reduce_add_sync(unsigned mask, int x) { return (int)__duet_reduce_add_i32(mask, (unsigned)x); }
__DUET_WEAK_DEVICE int __reduce_min_sync(unsigned mask, int x) { return (int)__duet_reduce_smin_i32(mask, (unsigned)x); }
__DUET_WEAK_DEVICE int __reduce_max_sync(unsigned mask, int x) { return (int)__duet_reduce_smax_i32(mask, (unsigned)x); }
__DUET_WEAK_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned x) { return __duet_reduce_and_i32(mask, x); }
__DUET_WEAK_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned x) { return __duet_reduce_or_i32(mask, x); }
__DUET_WEAK_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned x) { return __duet_reduce_xor_i32(mask, x); }
