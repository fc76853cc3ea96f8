//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// The first block takes itself for the last one.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    if (blockIdx.x == 0)
      is_last = true;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
