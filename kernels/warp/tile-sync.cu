//pass
//--blockDim=64 --gridDim=2

// Tiles of 16 lanes reduce a part of shared memory each; the barrier is that of the tile, by a
// group that is known at run time only.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group group, int *x, int value) {
  int lane = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    x[lane] = value;
    group.sync();
    if (lane < i)
      value += x[lane + i];
    group.sync();
  }
  return value;
}

__global__ void tiles(int *out) {
  __shared__ int x[64];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int rank = block.thread_rank();
  int result = sum(tile, x + (rank - tile.thread_rank()), rank);
  if (tile.thread_rank() == 0)
    out[blockIdx.x * 4 + rank / 16] = result;
}
