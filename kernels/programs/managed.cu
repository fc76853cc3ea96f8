//pass
//

// Managed memory that the host fills itself.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  const int n = 1 << 12;
  float *data;
  cudaMallocManaged(&data, n * sizeof(float));
  for (int i = 0; i < n; i++) data[i] = i;
  scale<<<n / 256, 256>>>(data, n);
  cudaDeviceSynchronize();
}
