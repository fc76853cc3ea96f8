//pass
//--blockDim=16 --gridDim=2

// One thread per row of a matrix.

__global__ void row_sums(const float *m, float *sums, int columns) {
  __requires(columns == 12);
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  sums[row] = 0.0f;
  for (int c = 0; c < columns; c++)
    sums[row] += m[row * columns + c];
}
