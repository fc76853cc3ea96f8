__global__ void matmul(float *c, const float *a, const float *b, int n) {
  __requires(blockDim.x == 16); __requires(blockDim.y == 16);
  __requires(0 < n && n < 20000);
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}
