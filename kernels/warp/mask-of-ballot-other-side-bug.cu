//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Planted bug: lanes for which the predicate does not hold go in too late, and others not.

__global__ void sums(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  unsigned some = __ballot_sync(0xffffffff, threadIdx.x < n);
  if (threadIdx.x < n - 1)
    v += __shfl_sync(some, v, 0);
  out[i] = v;
}
