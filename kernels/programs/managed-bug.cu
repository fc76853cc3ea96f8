//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// Managed memory of as many bytes as there are elements.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  const int n = 1 << 12;
  float *data;
  cudaMallocManaged(&data, n);
  for (int i = 0; i < n; i++) data[i] = i;
  scale<<<n / 256, 256>>>(data, n);
  cudaDeviceSynchronize();
}
