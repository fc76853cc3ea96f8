//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

#include <vector>

// Memory for half of the elements.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  std::vector<float> host(1000, 1.0f);
  float *data;
  cudaMalloc(&data, 500 * sizeof(float));
  scale<<<8, 128>>>(data, 1000);
}
