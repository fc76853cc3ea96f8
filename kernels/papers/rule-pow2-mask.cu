//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r14: a power of two less one is a mask.

__global__ void masks(int *out) {
  __shared__ int s[64];
  for (int d = 32; d > 0; d >>= 1) {
    if (threadIdx.x < d)
      s[threadIdx.x & (d - 1)] = threadIdx.x;
    __syncthreads();
  }
  out[threadIdx.x] = s[threadIdx.x & 31];
}
