//pass
//

// A launch by the addresses of its arguments.
__global__ void add(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
}

int main() {
  int n = 1000;
  int *out, *in;
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&in, n * sizeof(int));
  void *args[] = {&out, &in, &n};
  cudaLaunchKernel((void *)add, dim3((n + 255) / 256), dim3(256), args, 0, 0);
}
