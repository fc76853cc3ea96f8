//pass
//--blockDim=[16,16] --gridDim=[4,4]

// Tiled product of square matrices of any size.

#define TILE 16

__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (n + TILE - 1) / TILE; t++) {
    int k = t * TILE;
    int across = k + threadIdx.x, down = k + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < n && across < n ? a[row * n + across] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = col < n && down < n ? b[down * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}
