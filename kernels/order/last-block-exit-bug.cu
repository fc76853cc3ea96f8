//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// Some threads return between the fence and the barrier: nobody waits for what they wrote.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  if (threadIdx.x >= 32)
    return;
  __syncthreads();
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
