//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//warp-deadlock|barrier-divergence

// Half of a tile of 8 lanes stays away.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void first_tile(int *out) {
  __shared__ int x[8];
  if (threadIdx.x < 4) {
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    x[threadIdx.x] = threadIdx.x;
    tile.sync();
    out[threadIdx.x] = x[threadIdx.x ^ 3];
  }
  __syncthreads();
  out[64 + threadIdx.x] = 1;
}
