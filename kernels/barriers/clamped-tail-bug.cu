//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//barrier-divergence

// The barrier has slipped into the guard; the rest of the block goes on to another one.

__global__ void smooth(const float *in, float *out, int n) {
  __requires(n == 100);
  __shared__ float s[64];
  int t = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + t;
  if (gid < n) {
    s[t] = in[gid];
    __syncthreads();
    out[gid] = 0.5f * (s[t] + s[t > 0 ? t - 1 : 0]);
  }
  __syncthreads();
  s[t] = 0.0f;
}
