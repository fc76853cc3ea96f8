//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[2,2]
//write-write-race

// The row is not scaled by the size of the register tile, so neighbours overlap.

#define N 32

__global__ void matmul(const float *a, const float *b, float *c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  float acc[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
  for (int k = 0; k < N; k++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        acc[i][j] += a[(row + i) * N + k] * b[k * N + col + j];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      c[(row + i) * N + col + j] = acc[i][j] + i;
}
