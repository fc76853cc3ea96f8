//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//barrier-divergence

// The condition depends on the thread.

__global__ void shift(const int *in, int *out, bool left) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int gid = blockIdx.x * 64 + t;
  int v = in[gid];
  if (t < 40) {
    s[t] = v;
    __syncthreads();
    v = s[(t + 1) & 63];
  }
  __syncthreads();
  out[gid] = v;
}
