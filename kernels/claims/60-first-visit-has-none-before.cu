//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The loop may end before it began: that its test held at the visit before is said only of
// visits that have one before them.

__global__ void first_visit(int *out, unsigned n) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;
  unsigned off = 1;
  for (unsigned d = n; d > 0; d >>= 1) {
    a[t] = t;
    __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, threadIdx.x);
    __syncthreads();
    off *= 2;
  }
  __assert(off != 1);
  out[t] = off;
}
