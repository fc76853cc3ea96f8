//pass
//--blockDim=32 --gridDim=3

// A barrier by hand that is used again and again: the counter goes on, and each use waits for
// the next multiple.

__global__ void gate(int *a, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 1; round <= 2; round++) {
    int next = a[n - 1 - i];
    for (int half = 0; half < 2; half++) {
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1u);
        while (atomicAdd(count, 0u) < gridDim.x * (2 * round - 1 + half))
          ;
        __threadfence();
      }
      __syncthreads();
      if (half == 0)
        a[i] = next;
    }
  }
}
