//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-invariant-failed

// The claim holds when the barrier is reached first, and not later.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  for (int i = 0; i < 3; i++) {
    a[t] = i;
    __barrier_invariant_1(a[threadIdx.x] == 0, threadIdx.x);
    __syncthreads();
    out[a[t] ? 0 : t] = t;
    __syncthreads();
  }
}
