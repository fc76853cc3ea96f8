//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=3
//race

// The wait asks for what was added before this iteration.

__global__ void gate(int *a, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; k++) {
    int v = a[(k & 1) * n + (i + 32) % n];
    a[((k + 1) & 1) * n + i] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (atomicAdd(count, 0u) < k * gridDim.x)
        ;
      __threadfence();
    }
    __syncthreads();
  }
}
