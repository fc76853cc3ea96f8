//pass
//--blockDim=32 --gridDim=4

// A barrier of the grid by hand that is used twice.

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
  wait(count, gridDim.x);
  b[i] = a[n - 1 - i];
  wait(count, 2 * gridDim.x);
  a[i] = b[(i + 7) % n];
}
