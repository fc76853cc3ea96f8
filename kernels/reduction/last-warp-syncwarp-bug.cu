//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// Only one of the two warp barriers: the next write may overtake a neighbour's read.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();

  if (tid < 32) {
    int v = s[tid] + s[tid + 32];
    for (int k = 16; k > 0; k >>= 1) {
      s[tid] = v;
      __syncwarp();
      v += s[(tid + k) & 31];
    }
    if (tid == 0)
      out[blockIdx.x] = v;
  }
}
