//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// The part that is left out is not taken off the count.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  int n = 3000;
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  auto run = [&](int skip) { scale<<<(n + 255) / 256, 256>>>(data + skip, n); };
  run(0);
  run(100);
}
