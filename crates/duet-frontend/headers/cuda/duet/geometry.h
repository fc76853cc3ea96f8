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

// The flat number of the thread in its block, x fastest. Ids and sizes that only such
// ranks read don't make a launch one of two or three dimensions, so they are asked for
// under a name of their own.
__DUET_FN unsigned flat_thread_id() {
  return threadIdx.x +
         blockDim.x * (__duet_rank_thread_id_y() + __duet_rank_block_dim_y() * __duet_rank_thread_id_z());
}
__DUET_FN unsigned block_threads() {
  return blockDim.x * __duet_rank_block_dim_y() * __duet_rank_block_dim_z();
}
__DUET_FN unsigned long long flat_block_id() {
  return blockIdx.x + (unsigned long long)gridDim.x *
                          (__duet_rank_block_id_y() +
                           (unsigned long long)__duet_rank_grid_dim_y() * __duet_rank_block_id_z());
}
__DUET_FN unsigned long long grid_blocks() {
  return (unsigned long long)gridDim.x * __duet_rank_grid_dim_y() * __duet_rank_grid_dim_z();
}
__DUET_FN unsigned lane_id() { return flat_thread_id() % 32; }

} // namespace duet
