//xfail:UNPROVEN
//--blockDim=32 --gridDim=3 --no-refute
//race

// With the largest argument the loop never ends, and what is waited for begins at the first number
// again; no run gets so far.

__global__ void gate(int *a, unsigned long long *count, unsigned last) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k <= last; k++) {
    int v = a[(k & 1) * n + (i + 32) % n];
    a[((k + 1) & 1) * n + i] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1ull);
      while (atomicAdd(count, 0ull) < (k + 1ull) * gridDim.x)
        ;
      __threadfence();
    }
    __syncthreads();
  }
}
