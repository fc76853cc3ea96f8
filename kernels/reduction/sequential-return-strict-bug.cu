//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --strict
//exit-before-barrier

// The upper half returns before the loop, while the others still meet its barrier.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  unsigned tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  if (tid >= blockDim.x / 2)
    return;
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k)
      s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = s[0];
}
