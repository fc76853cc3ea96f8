//pass
//--blockDim=8 --gridDim=1

// Candidate invariants, r17: what one variable is doubled the other is halved, so that products
// stay below a bound.

__global__ void doubled_and_halved(int *out) {
  __shared__ int s[16];
  int stride = 1;
  for (int d = 8; d > 0; d >>= 1) {
    if (threadIdx.x < d)
      s[threadIdx.x * stride] = threadIdx.x;
    __syncthreads();
    stride <<= 1;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
