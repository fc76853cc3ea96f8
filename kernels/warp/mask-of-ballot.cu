//pass
//--blockDim=64 --gridDim=2

// The lanes of the mask are those that go into the branch, and all of them do.

__global__ void sums(const int *in, int *out, unsigned all, int n) {
  __requires(all == 0xffffffff);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  unsigned some = __ballot_sync(all, threadIdx.x < n);
  if (threadIdx.x < n) {
    for (int d = 16; d > 0; d /= 2)
      v += __shfl_sync(some, v, 0);
    __syncwarp(some);
  }
  out[i] = v;
}
