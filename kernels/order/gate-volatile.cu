//pass
//--blockDim=32 --gridDim=3

// The wait reads the counter as a volatile.

__global__ void gate(int *a, int *b, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (*(volatile unsigned *)count < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  b[i] = a[n - 1 - i];
}
