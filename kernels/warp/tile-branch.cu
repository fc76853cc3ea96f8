//pass
//--blockDim=64 --gridDim=1

// Only the first tile of 8 lanes comes to the exchange and the barrier: whole tiles may stay away.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void first_tile(int *out) {
  __shared__ int x[8];
  if (threadIdx.x < 8) {
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int value = threadIdx.x;
    for (int offset = tile.size() / 2; offset > 0; offset /= 2)
      value += tile.shfl_down(value, offset);
    x[threadIdx.x] = value;
    tile.sync();
    out[threadIdx.x] = x[threadIdx.x ^ 7];
  }
}
