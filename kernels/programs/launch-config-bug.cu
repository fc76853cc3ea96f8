//xfail:NOT_ALL_VERIFIED
//

// The configuration has a block that the kernel is not made for.
__global__ void reverse(int *data) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  tile[127 - t] = data[blockIdx.x * 128 + t];
  __syncthreads();
  data[blockIdx.x * 128 + t] = tile[t];
}

int main() {
  int *data;
  cudaMalloc(&data, 16 * 128 * sizeof(int));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(16);
  config.blockDim = dim3(192);
  cudaLaunchKernelEx(&config, reverse, data);
}
