//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=4
//race

// The barrier is inside of the guard: threads beyond the end read the tile without waiting.

__global__ void smooth(const float *in, float *out, int n, int last) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + t;
  tile[t] = in[gid < n ? gid : last];
  if (gid < n)
    __syncthreads();
  float left = t > 0 ? tile[t - 1] : tile[t];
  out[gid] = 0.5f * (left + tile[t]);
}
