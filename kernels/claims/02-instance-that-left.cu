//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Half of the threads return before the barrier: they claim nothing there.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  if (t >= 32)
    return;
  a[t] = t;
  __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, threadIdx.x + 32);
  __syncthreads();
  out[a[t + 32] == t + 32 ? t : 0] = t;
}
