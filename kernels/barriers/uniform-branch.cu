//pass
//--blockDim=64 --gridDim=2

// A barrier under a condition that is the same for all threads.

__global__ void shift(const int *in, int *out, bool left) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int gid = blockIdx.x * 64 + t;
  int v = in[gid];
  if (left) {
    s[t] = v;
    __syncthreads();
    v = s[(t + 1) & 63];
  }
  out[gid] = v;
}
