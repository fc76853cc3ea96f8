//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// Two threads of each block count.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (threadIdx.x == 0)
    is_last = false;
  __syncthreads();
  if (threadIdx.x < 2) {
    if (threadIdx.x == 0)
      part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    bool last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
    if (threadIdx.x == 0)
      is_last = last;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
