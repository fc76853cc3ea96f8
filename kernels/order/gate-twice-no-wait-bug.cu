//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// Blocks add for the first barrier and do not wait there: the sum says nothing.

__device__ void wait(unsigned *count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < goal)
      ;
    __threadfence();
  }
  __syncthreads();
}

__global__ void twice(int *a, int *b, unsigned *count) {
  __requires(*count == 0);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
  }
  b[i] = a[n - 1 - i];
  wait(count, gridDim.x);
  a[i] = b[(i + 7) % n];
}
