//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// One of five callers passes the count of the other array.
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
  scale_all(b, 1000, 32);
  scale_all(a, 7, 32);
}
