#ifndef T
#define T int
#endif
__global__ void scan(T *out, const T *in) {
  __requires(__is_pow2(blockDim.x));
  __shared__ T s[1024];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    T v = s[t];
    if (t >= d) v += s[t - d];
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = s[t];
}
