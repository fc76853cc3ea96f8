//pass
//

// A lambda launches, with what it captures.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  int n = 3000;
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  auto run = [&](int skip) { scale<<<(n + 255) / 256, 256>>>(data + skip, n - skip); };
  run(0);
  run(100);
}
