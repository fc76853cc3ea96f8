__global__ void scan(float *out, const float *in) {
  __shared__ float s[128];
  int t = threadIdx.x, p = 0;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int q = 1 - p;
    s[q * 64 + t] = t >= d ? s[p * 64 + t] + s[p * 64 + t - d] : s[p * 64 + t];
    p = q;
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = s[p * 64 + t];
}
