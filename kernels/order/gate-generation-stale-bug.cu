//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=3
//race

// The generation is read before the loop only, so the second wait is none.

__global__ void gate(int *a, unsigned *count, unsigned *generation) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned now = 0;
  if (threadIdx.x == 0)
    now = atomicAdd(generation, 0u);
  for (int k = 0; k < 3; k++) {
    int v = a[(k & 1) * n + (i + 32) % n];
    a[((k + 1) & 1) * n + i] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
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
}
