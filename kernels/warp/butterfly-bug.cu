//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The values travel through shared memory with nothing to order them.

__global__ void maxima(const float *in, float *out) {
  int gid = blockIdx.x * 32 + threadIdx.x;
  __shared__ float s[32];
  float v = in[gid];
  for (int m = 16; m >= 1; m >>= 1) {
    s[threadIdx.x] = v;
    v = fmaxf(v, s[threadIdx.x ^ m]);
  }
  out[gid] = in[gid] - v;
}
