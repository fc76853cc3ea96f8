//pass
//--check-array-bounds

#include <utility>

// Two buffers take turns.
__global__ void step(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) to[i] = (from[i - 1] + from[i + 1]) / 2;
}

int main() {
  const int n = 1000;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  for (int round = 0; round < 10; round++) {
    step<<<(n + 127) / 128, 128>>>(a, b, n);
    std::swap(a, b);
  }
}
