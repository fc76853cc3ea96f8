// Scans over tiles, by shuffles.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>

namespace cooperative_groups {
namespace detail {

template <unsigned Distance, unsigned Size, class Group, class T, class Op>
__DUET_FN T scan_step(const Group &g, T value, Op op) {
  if constexpr (Distance >= Size) {
    return value;
  } else {
    T below = g.shfl_up(value, Distance);
    T next = g.thread_rank() >= Distance ? (T)op(below, value) : value;
    return scan_step<2 * Distance, Size>(g, next, op);
  }
}

} // namespace detail

template <unsigned Size, class P, class T, class Op>
__DUET_FN T inclusive_scan(const thread_block_tile<Size, P> &g, T value, Op op) {
  return detail::scan_step<1, Size>(g, value, op);
}
template <class Group, class T> __DUET_FN T inclusive_scan(const Group &g, T value) {
  return inclusive_scan(g, value, plus<T>());
}
// Of sums only: what the first thread gets from another operation is left to the
// implementation.
template <unsigned Size, class P, class T, class U>
__DUET_FN T exclusive_scan(const thread_block_tile<Size, P> &g, T value, plus<U> op) {
  T below = g.shfl_up(inclusive_scan(g, value, op), 1);
  return g.thread_rank() == 0 ? T() : below;
}
template <class Group, class T> __DUET_FN T exclusive_scan(const Group &g, T value) {
  return exclusive_scan(g, value, plus<T>());
}

} // namespace cooperative_groups
