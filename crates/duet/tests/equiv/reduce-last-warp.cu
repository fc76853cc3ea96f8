// The last warp goes on by itself.
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
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    T v = s[t] + s[t + 32];
    __syncwarp(); s[t] = v; __syncwarp(); v += s[t + 16];
    __syncwarp(); s[t] = v; __syncwarp(); v += s[t + 8];
    __syncwarp(); s[t] = v; __syncwarp(); v += s[t + 4];
    __syncwarp(); s[t] = v; __syncwarp(); v += s[t + 2];
    __syncwarp(); s[t] = v; __syncwarp(); v += s[t + 1];
    if (t == 0) out[blockIdx.x] = v;
  }
}
