#ifndef T
#define T int
#endif
__global__ void reduce(T *out, const T *in, unsigned n) {
  __requires(blockDim.x > 0 && (blockDim.x & (blockDim.x - 1)) == 0);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}
