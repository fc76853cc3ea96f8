//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=3
//race

// No fence before a block counts itself.

__global__ void gate(int *a, int *b, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  b[i] = a[n - 1 - i];
}
