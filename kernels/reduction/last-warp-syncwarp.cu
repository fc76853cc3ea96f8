//pass
//--blockDim=64 --gridDim=2

// The last warp goes on alone with __syncwarp between every read and write.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();

  if (tid < 32) {
    int v = s[tid] + s[tid + 32];
    for (int k = 16; k > 0; k >>= 1) {
      __syncwarp();
      s[tid] = v;
      __syncwarp();
      v += s[(tid + k) & 31];
    }
    if (tid == 0)
      out[blockIdx.x] = v;
  }
}
