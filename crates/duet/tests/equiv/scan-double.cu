#ifndef T
#define T int
#endif
__global__ void scan(T *out, const T *in) {
  __requires(__is_pow2(blockDim.x));
  __shared__ T s[2048];
  unsigned t = threadIdx.x, p = 0;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    unsigned q = 1 - p;
    s[q * 1024 + t] = t >= d ? s[p * 1024 + t] + s[p * 1024 + t - d] : s[p * 1024 + t];
    p = q;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = s[p * 1024 + t];
}
