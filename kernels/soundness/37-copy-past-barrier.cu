//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//not-modelled

// The copy may still be under way behind the barrier, which does not wait for it.
// Copies of groups are not modelled on purpose, in runs as in proofs.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void copy_past_barrier(const int *in, int *out) {
  __shared__ int tile[64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(tile));
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  cg::wait(block);
}
