//pass
//

// A launch in a helper function with five callers, each with its own sizes.
#include <cstdlib>

__global__ void scale(float *data, int n, int width) {
  int i = blockIdx.x * width + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

static void scale_all(float *data, int n, int width) {
  scale<<<(n + width - 1) / width, width>>>(data, n, width);
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4096 * sizeof(float));
  cudaMalloc(&b, 100 * sizeof(float));
  scale_all(a, 4096, 256);
  scale_all(a, 1000, 128);
  scale_all(b, 100, 64);
  scale_all(b, 100, 32);
  scale_all(a, 7, 32);
}
