__global__ void scan(float *out, const float *in) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    float v = s[t];
    if (t >= d) v += s[t - d];
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = s[t];
}
