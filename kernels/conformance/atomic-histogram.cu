//pass
//--blockDim=64 --gridDim=2

// The CUDA version of atomic-histogram.cl: atomicAdd in both kinds of memory.

__global__ void atomic_histogram(unsigned *bins, const unsigned char *a) {
  __shared__ unsigned s[16];
  unsigned l = threadIdx.x;
  if (l < 16)
    s[l] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + l; i < 1024; i += blockDim.x * gridDim.x)
    atomicAdd(&s[a[i] >> 4], 1u);
  __syncthreads();
  if (l < 16)
    atomicAdd(bins + l, s[l]);
}
