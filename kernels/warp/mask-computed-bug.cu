//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1

// Planted bug: lanes 0 to 15 wait for all lanes, while the others wait for them at
// the second shuffle, whose mask is computed.

__global__ void two(const int *in, int *out, unsigned all) {
  __requires(all == 0xffffffff);
  int lane = threadIdx.x;
  int v = in[lane];
  if (lane < 16)
    v = __shfl_sync(0xffffffff, v, 0);
  v += __shfl_sync(all, v, 1);
  out[lane] = v;
}
