// The last warp adds by shuffles.
#ifndef T
#define T int
#endif
__global__ void reduce(T *out, const T *in, unsigned n) {
  __requires(blockDim.x >= 64 && (blockDim.x & (blockDim.x - 1)) == 0);
  __shared__ T s[1024];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k >= 32; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    T v = s[t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
