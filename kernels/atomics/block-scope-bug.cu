//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// A block-scope atomic on a cell that two blocks share.

__global__ void count(const int *in, int *counts) {
  __shared__ int positive;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    positive = 0;
  __syncthreads();
  atomicAdd_block(&counts[0], 1);
  __syncthreads();
  if (threadIdx.x == 0)
    counts[2 * blockIdx.x + 1] = positive;
}
