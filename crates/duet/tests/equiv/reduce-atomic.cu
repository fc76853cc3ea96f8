// Each thread adds its elements to the result by itself.
#ifndef T
#define T int
#endif
__global__ void reduce(T *out, const T *in, unsigned n) {
  __requires(blockDim.x > 0 && (blockDim.x & (blockDim.x - 1)) == 0);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(out, in[i]);
}
