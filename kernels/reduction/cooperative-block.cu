//pass
//--blockDim=64 --gridDim=2

// Block reduction with a cooperative group as the barrier.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int sum(cg::thread_block group, int *scratch, int value) {
  int rank = group.thread_rank();
  for (int k = group.size() / 2; k > 0; k /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < k)
      value += scratch[rank + k];
    group.sync();
  }
  return value;
}

__global__ void reduce(const int *in, int *out) {
  __shared__ int scratch[64];
  cg::thread_block block = cg::this_thread_block();
  int total = sum(block, scratch, in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (block.thread_rank() == 0)
    out[blockIdx.x] = total;
}
