//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// What is assumed contradicts what is claimed at the barrier before it: no run comes to the
// write, and nothing is proved by that.

__global__ void assumed_against_claim(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;
  a[t] = t;
  __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, threadIdx.x);
  __syncthreads();
  __assume(a[t] == 100);
  out[0] = t;
}
