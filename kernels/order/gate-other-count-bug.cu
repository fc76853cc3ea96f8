//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=3
//race

// Blocks add to one counter and wait for another.

__global__ void gate(int *a, int *b, unsigned *count, unsigned *early) {
  __requires(*count == 0);
  __requires(*early == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    atomicAdd(early, 1u);
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(early, 0u) < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  b[i] = a[n - 1 - i];
}
