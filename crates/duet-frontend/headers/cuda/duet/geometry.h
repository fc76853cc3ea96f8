// `threadIdx` and its kin: objects without storage whose fields are calls.
#pragma once
#pragma clang system_header

#define __DUET_ID_FIELD(TYPE, WHAT, FIELD)                                                         \
  __declspec(property(get = __duet_get_##FIELD)) TYPE FIELD;                                       \
  static __DUET_FN TYPE __duet_get_##FIELD() { return __duet_##WHAT##_##FIELD(); }
#define __DUET_ID(NAME, WHAT)                                                                      \
  struct __duet_##WHAT##_t {                                                                       \
    __DUET_ID_FIELD(unsigned, WHAT, x)                                                             \
    __DUET_ID_FIELD(unsigned, WHAT, y)                                                             \
    __DUET_ID_FIELD(unsigned, WHAT, z)                                                             \
    __DUET_FN operator uint3() const { return {x, y, z}; }                                         \
    __DUET_FN operator dim3() const { return dim3(x, y, z); }                                      \
    __duet_##WHAT##_t() = delete;                                                                  \
    __duet_##WHAT##_t(const __duet_##WHAT##_t &) = delete;                                         \
    void operator=(const __duet_##WHAT##_t &) const = delete;                                      \
    void operator&() const = delete;                                                               \
  };                                                                                               \
  extern const __device__ __attribute__((weak)) __duet_##WHAT##_t NAME;
__DUET_ID(threadIdx, thread_id)
__DUET_ID(blockIdx, block_id)
__DUET_ID(blockDim, block_dim)
__DUET_ID(gridDim, grid_dim)
#undef __DUET_ID
#undef __DUET_ID_FIELD

constexpr int warpSize = 32;

namespace duet {

// The flat number of the thread in its block, x fastest.
__DUET_FN unsigned flat_thread_id() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__DUET_FN unsigned flat_block_id() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__DUET_FN unsigned lane_id() { return flat_thread_id() % 32; }

} // namespace duet
