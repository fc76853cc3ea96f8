//xfail:NOT_ALL_VERIFIED
//
//race

// The second address is that of the first argument's neighbour in the same allocation.
__global__ void add(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
}

int main() {
  int n = 1000;
  int *out;
  cudaMalloc(&out, (n + 1) * sizeof(int));
  int *in = out + 1;
  void *args[] = {&out, &in, &n};
  cudaLaunchKernel((void *)add, dim3((n + 255) / 256), dim3(256), args, 0, 0);
}
