//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

#include <stdlib.h>

// The host rounds up and allocates no more than it needs.
__global__ void scale(float *data, float factor) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n <= 0 || n > 1 << 20) return 1;
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(data, 3.0f);
  cudaFree(data);
}
