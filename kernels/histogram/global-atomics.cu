//pass
//--blockDim=64 --gridDim=4

// Every thread adds its elements to one histogram in global memory.

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  __requires(n == 1000);
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&bins[data[i]], 1u);
}
