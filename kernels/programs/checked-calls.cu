//pass
//

#include <stdio.h>
#include <stdlib.h>

// A program that looks at the result of each call.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != cudaSuccess) {                                                                   \
      fprintf(stderr, "line %d\n", __LINE__);                                                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

int main() {
  const size_t n = 5000, bytes = n * sizeof(float);
  float *data;
  CHECK(cudaMalloc(&data, bytes));
  CHECK(cudaMemset(data, 0, bytes));
  scale<<<(n + 127) / 128, 128>>>(data, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(data));
}
