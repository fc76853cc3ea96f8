//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// At one barrier threads may be in different iterations, with different counters.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  for (int i = 0; i < 2; i++) {
    if (i == (t & 1))
      continue;
    a[t] = i;
    __barrier_invariant_1(a[threadIdx.x] == i, threadIdx.x ^ 1);
    __syncthreads();
    out[a[t ^ 1] == i ? t : 0] = t;
    __syncthreads();
  }
}
