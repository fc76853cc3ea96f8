__global__ void matmul(float *c, const float *a, const float *b, int n) {
  __requires(n % 16 == 0); __requires(blockDim.x == 16); __requires(blockDim.y == 16);
  __requires(gridDim.x * 16 == n); __requires(gridDim.y * 16 == n);
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int m = 0; m < n / 16; m++) {
    as[ty][tx] = a[row * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
