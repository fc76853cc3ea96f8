// Group-wide copies. The threads of the group share the elements out between
// them, at the point of the call. `wait` is a barrier of the group. In a run a
// conflicting access before the wait is a race with the thread that does the copying,
// unless a barrier stands between it and the call. Proofs must not miss that one:
// they are told that there is a copy, which leaves them unproven.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>

__DUET_EXTERN void __duet_asynchronous_copy();

namespace cooperative_groups {

template <class Group> __DUET_FN void wait(const Group &g) { g.sync(); }
template <unsigned, class Group> __DUET_FN void wait_prior(const Group &g) { g.sync(); }

template <class Group, class T>
__DUET_FN void memcpy_async(const Group &g, T *to, const T *from, size_t bytes) {
  __duet_asynchronous_copy();
  for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size())
    to[i] = from[i];
  // Part of an element is copied byte by byte.
  if (bytes % sizeof(T) != 0)
    for (size_t i = bytes - bytes % sizeof(T) + g.thread_rank(); i < bytes; i += g.size())
      ((char *)to)[i] = ((const char *)from)[i];
}
template <class Group, class T>
__DUET_FN void memcpy_async(const Group &g, T *to, size_t to_count, const T *from, size_t from_count) {
  __duet_asynchronous_copy();
  size_t count = to_count < from_count ? to_count : from_count;
  for (size_t i = g.thread_rank(); i < count; i += g.size())
    to[i] = from[i];
}

} // namespace cooperative_groups
