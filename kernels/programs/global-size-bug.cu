//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

#include <stdlib.h>

// The size is changed after the memory was allocated.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

static int size = 256;
static float *data;

static void prepare(int n) {
  size = n;
  cudaMalloc(&data, size * sizeof(float));
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 1 || n > 4096) return 1;
  prepare(n);
  size = 4096;
  scale<<<(size + 63) / 64, 64>>>(data, size);
}
