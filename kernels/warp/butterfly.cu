//pass
//--blockDim=32 --gridDim=2

// An all-reduce: every lane ends with the warp's maximum.

__global__ void maxima(const float *in, float *out) {
  int gid = blockIdx.x * 32 + threadIdx.x;
  float v = in[gid];
  for (int m = 16; m >= 1; m >>= 1)
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, m));
  out[gid] = in[gid] - v;
}
