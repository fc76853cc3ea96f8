// Each thread first adds up elements with the stride of the grid.
#ifndef T
#define T int
#endif
__global__ void reduce(T *out, const T *in, unsigned n) {
  __requires(blockDim.x > 0 && (blockDim.x & (blockDim.x - 1)) == 0);
  __shared__ T s[1024];
  unsigned t = threadIdx.x;
  T sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  s[t] = sum;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
