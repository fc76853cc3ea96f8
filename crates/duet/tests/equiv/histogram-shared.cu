// Each block counts in shared memory first.

__global__ void histogram(unsigned *bins, const unsigned char *in, int n) {
  __shared__ unsigned s[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) s[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&s[in[i]], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&bins[k], s[k]);
}
