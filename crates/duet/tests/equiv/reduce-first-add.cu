// Each thread adds two elements while it loads.
#ifndef T
#define T int
#endif
__global__ void reduce(T *out, const T *in, unsigned n) {
  __requires(blockDim.x > 0 && (blockDim.x & (blockDim.x - 1)) == 0);
  __shared__ T s[1024];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * (2 * blockDim.x) + t;
  T sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  s[t] = sum;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
