//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//barrier-divergence

// Threads leave the loop as soon as they have nothing left to add, while others go on to its
// barrier: devices that unroll the loop hang.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  unsigned tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid >= k)
      return;
    s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = s[0];
}
