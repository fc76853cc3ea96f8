//pass
//--check-array-bounds

#include <stdlib.h>

// There is no guard: the host launches it for whole blocks only.
__global__ void scale(float *data, float factor) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n <= 0 || n > 1 << 20 || n % 256 != 0) return 1;
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  scale<<<n / 256, 256>>>(data, 3.0f);
  cudaFree(data);
}
