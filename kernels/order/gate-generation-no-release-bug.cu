//xfail:UNPROVEN
//--blockDim=32 --gridDim=3 --no-refute
//race

// No fence between what all have added and the next generation: behind a read-modify-write and
// a barrier, so runs leave it open.

__global__ void gate(int *a, unsigned *count, unsigned *generation) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; k++) {
    int v = a[(k & 1) * n + (i + 32) % n];
    a[((k + 1) & 1) * n + i] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned now = atomicAdd(generation, 0u);
      __threadfence();
      if (atomicAdd(count, 1u) == gridDim.x - 1) {
        atomicExch(count, 0u);
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
