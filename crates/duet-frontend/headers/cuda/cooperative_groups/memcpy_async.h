// Group-wide copies. The threads of the group share the elements out between
// them, at the point of the call. `wait` is a barrier of the group. A conflicting
// access before the wait is seen as a race with the thread that does the copying,
// unless a barrier stands between it and the call: that one is missed.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>

namespace cooperative_groups {

template <class Group> __DUET_FN void wait(const Group &g) { g.sync(); }
template <unsigned, class Group> __DUET_FN void wait_prior(const Group &g) { g.sync(); }

template <class Group, class T>
__DUET_FN void memcpy_async(const Group &g, T *to, const T *from, size_t bytes) {
  for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size())
    to[i] = from[i];
  // Part of an element is copied byte by byte.
  if (bytes % sizeof(T) != 0)
    for (size_t i = bytes - bytes % sizeof(T) + g.thread_rank(); i < bytes; i += g.size())
      ((char *)to)[i] = ((const char *)from)[i];
}
template <class Group, class T>
__DUET_FN void memcpy_async(const Group &g, T *to, size_t to_count, const T *from, size_t from_count) {
  size_t count = to_count < from_count ? to_count : from_count;
  for (size_t i = g.thread_rank(); i < count; i += g.size())
    to[i] = from[i];
}

} // namespace cooperative_groups
