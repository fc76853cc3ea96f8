//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: the first value is no power of two.

__global__ void masks(int *out) {
  __shared__ int s[64];
  for (int d = 48; d > 0; d >>= 1) {
    if (threadIdx.x < d)
      s[threadIdx.x & (d - 1)] = threadIdx.x;
    __syncthreads();
  }
  out[threadIdx.x] = s[threadIdx.x & 31];
}
