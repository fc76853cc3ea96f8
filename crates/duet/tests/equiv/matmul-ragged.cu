// Tiles of 16×16, padded with zeros, for any n.
__global__ void matmul(float *c, const float *a, const float *b, int n) {
  __requires(blockDim.x == 16); __requires(blockDim.y == 16);
  __requires(0 < n && n < 20000);
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int m = 0; m < (n + 15) / 16; m++) {
    as[ty][tx] = row < n && m * 16 + tx < n ? a[row * n + m * 16 + tx] : 0;
    bs[ty][tx] = m * 16 + ty < n && col < n ? b[(m * 16 + ty) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
