//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=2
//race

// Accumulates by column, so all threads update the same sums.

__global__ void row_sums(const float *m, float *sums, int columns) {
  __requires(columns == 12);
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  sums[row] = 0.0f;
  for (int c = 0; c < columns; c++)
    sums[c] += m[row * columns + c];
}
