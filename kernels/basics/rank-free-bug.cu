//xfail:NOT_ALL_VERIFIED
//--gridDim=*
//write-write-race

#include <cooperative_groups.h>

// The rank in the block is not unique in the grid.

namespace cg = cooperative_groups;

__global__ void fill(int *out) {
  auto block = cg::this_thread_block();
  out[block.thread_rank()] = blockIdx.x;
}
