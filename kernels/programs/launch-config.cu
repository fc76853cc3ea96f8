//pass
//

// A launch with a configuration that is filled member by member.
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
  config.blockDim = dim3(128);
  cudaLaunchKernelEx(&config, reverse, data);
}
