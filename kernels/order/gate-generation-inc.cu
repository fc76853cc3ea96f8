//pass
//--blockDim=32 --gridDim=3

// The counter starts again at 0 by itself; what was written before the loop and in it is read
// behind it.

__global__ void gate(int *a, unsigned *count, unsigned *generation) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  a[2 * n + i] = i;
  for (int k = 0; k < 3; k++) {
    int v = a[(k & 1) * n + (i + 32) % n];
    a[((k + 1) & 1) * n + i] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned now = atomicAdd(generation, 0u);
      __threadfence();
      if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1) {
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
  a[3 * n + i] = a[n + (i + 32) % n] + a[2 * n + (i + 32) % n];
}
