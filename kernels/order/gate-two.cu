//pass
//--blockDim=32 --gridDim=3

// Two barriers of the grid by hand, each with a counter of its own.

__device__ void wait_for_all(unsigned *count) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
}

__global__ void gate(int *a, int *b, unsigned *first, unsigned *second) {
  __requires(*first == 0);
  __requires(*second == 0);
  unsigned n = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  wait_for_all(first);
  b[i] = a[n - 1 - i];
  wait_for_all(second);
  a[i] = b[n - 1 - i] + 1;
}
