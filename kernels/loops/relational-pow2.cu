//pass
//--blockDim=64 --gridDim=1

// The first half of a scan of any power of two up to 128: d * offset stays n / 2, so
// no index wraps around.
__global__ void sweep(int *data, int n) {
  __requires(n > 0);
  __requires(n <= 128);
  __requires((n & (n - 1)) == 0);
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (threadIdx.x < d) {
      int ai = offset * (2 * threadIdx.x + 1) - 1;
      int bi = offset * (2 * threadIdx.x + 2) - 1;
      data[bi] += data[ai];
    }
    offset *= 2;
  }
}
