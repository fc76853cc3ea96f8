//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//race

// No barrier after the single thread's write at the end of a round.

__global__ void passes(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    for (int d = 1; d < 32; d *= 2) {
      int v = s[t ^ d];
      __syncthreads();
      s[t] += v;
      __syncthreads();
    }
    if (t == 0)
      s[0] = round;
  }
  data[t] = s[t];
}
