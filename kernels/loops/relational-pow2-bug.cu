//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Without the barrier, the halves of a tree are added while they are made.
__global__ void sweep(int *data, int n) {
  __requires(n == 128);
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    if (threadIdx.x < d) {
      int ai = offset * (2 * threadIdx.x + 1) - 1;
      int bi = offset * (2 * threadIdx.x + 2) - 1;
      data[bi] += data[ai];
    }
    offset *= 2;
  }
}
