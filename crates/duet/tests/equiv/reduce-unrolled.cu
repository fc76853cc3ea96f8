// Every round is written out; blocks have at least 64 threads.
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
  if (blockDim.x >= 1024) { if (t < 512) s[t] += s[t + 512]; __syncthreads(); }
  if (blockDim.x >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
  if (blockDim.x >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (blockDim.x >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
  if (t < 32) {
    T v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
