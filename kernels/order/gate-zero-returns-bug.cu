//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=3
//race

// In one block the thread that is to wait returns instead.

__global__ void gate(int *a, int *b, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    if (blockIdx.x == 0)
      return;
    while (atomicAdd(count, 0u) < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  b[i] = a[n - 1 - i];
}
