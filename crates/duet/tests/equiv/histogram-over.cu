// All threads go through the whole input.

__global__ void histogram(unsigned *bins, const unsigned char *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&bins[in[i]], 1u);
}
