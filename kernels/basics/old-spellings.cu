//pass
//--blockDim=64 --gridDim=2

#include <cuda.h>

// Spellings of old kernels: a local variable that is `__device__ __shared__`, votes and
// shuffles without a mask, cooperative groups with no header but cuda.h.

using namespace cooperative_groups;

__global__ void old(int *out, const int *in) {
  __device__ __shared__ int row[64];
  __shared__ __device__ int total;
  thread_block block = this_thread_block();
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[x];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down(v, d) + __shfl_xor(v, d) + __shfl_up(v, d) + __shfl(v, 0);
  if (__any(v > 3) || __all(v < 7))
    v += __popc(__ballot(v & 1));
  row[threadIdx.x] = v;
  if (threadIdx.x == 0)
    total = v;
  block.sync();
  out[x] = row[63 - threadIdx.x] + total;
}
