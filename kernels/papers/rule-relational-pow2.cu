//pass
//--blockDim=32 --gridDim=1

// Candidate invariants, r14 to r17: one variable doubles while the other halves.

__global__ void pow2(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[t];
  s[t + 32] = data[t + 32];
  int offset = 1;
  for (int d = 32; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset <<= 1;
  }
  if (t == 0)
    data[0] = s[63];
}
