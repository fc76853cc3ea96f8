//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

#include <stdlib.h>

// The memory is that of the default, whatever the command line says.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024;
  if (n < 1 || n > 1 << 20) return 1;
  float *data;
  cudaMalloc(&data, 1024 * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(data, n);
}
