//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//misplaced-barrier-invariant

// The cell changes between the claim and the barrier.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __barrier_invariant_1(a[threadIdx.x] == 0, threadIdx.x);
  a[t] = 1;
  __syncthreads();
  out[a[t] ? 0 : t] = t;
}
