// What `cuda/barrier` and `cuda/pipeline` have in common: copies that somebody else does
// while the threads go on. They are functions without a body: a kernel that calls one is
// unproven.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>

extern "C" __device__ void __duet_init_barrier(void *, ptrdiff_t);

namespace cuda {

template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __DUET_HD explicit constexpr aligned_size_t(size_t n) : value(n) {}
  __DUET_HD constexpr operator size_t() const { return value; }
};
// Any of: (to, from, bytes, sync) and (group, to, from, bytes, sync).
template <class... Args> __device__ void memcpy_async(Args &&...);

} // namespace cuda
