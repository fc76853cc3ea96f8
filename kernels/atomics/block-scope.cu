//pass
//--blockDim=64 --gridDim=2

// Block-scope atomics on a counter of the block's own, in shared and in global memory.

__global__ void count(const int *in, int *counts) {
  __shared__ int positive;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    positive = 0;
  __syncthreads();
  if (in[gid] > 0)
    atomicAdd_block(&positive, 1);
  else
    atomicAdd_block(&counts[2 * blockIdx.x], 1);
  __syncthreads();
  if (threadIdx.x == 0)
    counts[2 * blockIdx.x + 1] = positive;
}
