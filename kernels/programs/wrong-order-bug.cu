//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// The width is passed twice.
__global__ void mix(float *to, const float *from, int width, int rows) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  for (int y = 0; y < rows; y++) to[y * width + x] = from[y * width + x];
}

static void run(float *to, const float *from, int width, int rows) {
  mix<<<(width + 63) / 64, 64>>>(to, from, width, rows);
}

int main() {
  float *to, *from;
  cudaMalloc(&to, 100 * 10 * sizeof(float));
  cudaMalloc(&from, 100 * 10 * sizeof(float));
  run(to, from, 100, 100);
}
