//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Planted bug: the lanes of the mask go round the loop as often as each likes.

__global__ void sums(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  unsigned some = __ballot_sync(0xffffffff, threadIdx.x < n);
  if (threadIdx.x < n)
    for (int d = 0; d < threadIdx.x; d++)
      v += __shfl_xor_sync(some, v, 1);
  out[i] = v;
}
