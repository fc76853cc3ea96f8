//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Adds without an atomic.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reduce(const int *in, int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    v += tile.shfl_down(v, offset);
  if (tile.thread_rank() == 0)
    *out += v;
}
