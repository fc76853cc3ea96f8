//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// The first block puts 1 there: who sees the last number may have missed a block.

__global__ void last(unsigned *count, int *part, int *out) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    atomicExch(count, 1u);
  part[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last)
    out[threadIdx.x] = part[threadIdx.x];
}
