//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//misplaced-barrier-invariant

// Only half of the threads make the claim.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t < 32 ? t : 0;
  if (t < 32) {
    __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, threadIdx.x + 32);
  }
  __syncthreads();
  if (t < 32)
    out[a[t + 32]] = t;
}
