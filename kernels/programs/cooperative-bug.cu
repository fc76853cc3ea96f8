//xfail:NOT_ALL_VERIFIED
//
//race

// The same memory is passed twice.
#include <cooperative_groups.h>

__global__ void twice(int *data, int *copy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  copy[i] = data[i];
  cooperative_groups::this_grid().sync();
  data[i] = copy[gridDim.x * blockDim.x - 1 - i];
}

int main() {
  int *data, *copy;
  cudaMalloc(&data, 2048 * sizeof(int));
  cudaMalloc(&copy, 2048 * sizeof(int));
  void *args[] = {&data, &data};
  cudaLaunchCooperativeKernel((void *)twice, dim3(16), dim3(128), args);
}
