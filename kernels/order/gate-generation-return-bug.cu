//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=3
//race

// Threads that return before the loop have written, and come to no barrier.

__global__ void gate(int *a, unsigned *count, unsigned *generation) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  a[2 * n + i] = i;
  if (threadIdx.x > 3)
    return;
  for (int k = 0; k < 3; k++) {
    int v = a[(k & 1) * n + (i + 32) % n];
    a[((k + 1) & 1) * n + i] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned now = atomicAdd(generation, 0u);
      __threadfence();
      if (atomicAdd(count, 1u) == gridDim.x - 1) {
        atomicExch(count, 0u);
        __threadfence();
        atomicAdd(generation, 1u);
      } else {
        while (atomicAdd(generation, 0u) == now)
          ;
      }
      __threadfence();
    }
    __syncthreads();
  }
  a[3 * n + i] = a[2 * n + (i + 36) % n];
}
