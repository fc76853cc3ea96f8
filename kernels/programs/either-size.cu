//pass
//

#include <stdlib.h>

// One of two sizes, chosen by a condition.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main(int argc, char **argv) {
  bool large = atoi(argv[1]) > 5;
  int n = large ? 2048 : 512;
  float *data;
  cudaMalloc(&data, (large ? 2048 : 512) * sizeof(float));
  scale<<<n / 128, 128>>>(data, n);
}
