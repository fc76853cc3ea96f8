//pass
//--blockDim=32 --gridDim=3

// A barrier of the grid by hand in a loop, with a number to wait for that grows.

__global__ void gate(int *a, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned target = 0;
  for (int k = 0; k < 3; k++) {
    int v = a[(k & 1) * n + (i + 32) % n];
    a[((k + 1) & 1) * n + i] = v + 1;
    __syncthreads();
    target += gridDim.x;
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (atomicAdd(count, 0u) < target)
        ;
      __threadfence();
    }
    __syncthreads();
  }
}
