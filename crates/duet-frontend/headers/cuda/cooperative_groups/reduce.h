// `reduce` over tiles and coalesced groups. Integers of a word use the warp's own
// reduction; everything else goes by shuffles among the lanes of a tile.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>

namespace cooperative_groups {
namespace detail {

// The reductions the hardware has, by function object and type.
template <class Op, class T> struct warp_reduction {
  static constexpr bool exists = false;
};
#define __DUET_WARP_REDUCTION(OP, T, HOW)                                                          \
  template <> struct warp_reduction<OP<T>, T> {                                                    \
    static constexpr bool exists = true;                                                           \
    static __DUET_FN T of(unsigned mask, T x) { return (T)__duet_reduce_##HOW##_i32(mask, (unsigned)x); } \
  };
__DUET_WARP_REDUCTION(plus, int, add)
__DUET_WARP_REDUCTION(plus, unsigned, add)
__DUET_WARP_REDUCTION(less, int, smin)
__DUET_WARP_REDUCTION(less, unsigned, umin)
__DUET_WARP_REDUCTION(greater, int, smax)
__DUET_WARP_REDUCTION(greater, unsigned, umax)
__DUET_WARP_REDUCTION(bit_and, int, and)
__DUET_WARP_REDUCTION(bit_and, unsigned, and)
__DUET_WARP_REDUCTION(bit_or, int, or)
__DUET_WARP_REDUCTION(bit_or, unsigned, or)
__DUET_WARP_REDUCTION(bit_xor, int, xor)
__DUET_WARP_REDUCTION(bit_xor, unsigned, xor)
#undef __DUET_WARP_REDUCTION

// A butterfly over the tile, halving the distance: every lane ends with the
// reduction. Written by recursion, so that the kernel gets no loop.
template <unsigned Distance, class Group, class T, class Op>
__DUET_FN T butterfly(const Group &g, T value, Op op) {
  if constexpr (Distance == 0)
    return value;
  else
    return butterfly<Distance / 2>(g, (T)op(value, g.shfl_xor(value, Distance)), op);
}

} // namespace detail

template <unsigned Size, class P, class T, class Op>
__DUET_FN T reduce(const thread_block_tile<Size, P> &g, T value, Op op) {
  if constexpr (detail::warp_reduction<Op, T>::exists)
    return detail::warp_reduction<Op, T>::of(g.mask(), value);
  else
    return detail::butterfly<Size / 2>(g, value, op);
}

// A coalesced group has no fixed shape: rank by rank.
template <class T, class Op> __DUET_FN T reduce(const coalesced_group &g, T value, Op op) {
  if constexpr (detail::warp_reduction<Op, T>::exists) {
    return detail::warp_reduction<Op, T>::of(g.mask(), value);
  } else {
    T result = g.shfl(value, 0);
    for (unsigned rank = 1; rank < g.size(); rank++)
      result = op(result, g.shfl(value, rank));
    return result;
  }
}

// Reduction straight into memory, by atomics.
template <class Group, class T, class Op>
__DUET_FN void reduce_update_async(const Group &, T *p, T value, plus<Op>) {
  atomicAdd(p, value);
}

} // namespace cooperative_groups
