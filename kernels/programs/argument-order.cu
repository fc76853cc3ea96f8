//pass
//

// Each thread clears an element of a matrix of 64 columns and 32 rows.
__global__ void clear(float *matrix, int columns, int rows) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  matrix[row * columns + column] = 0.0f;
  (void)rows;
}

int main() {
  const int columns = 64, rows = 32;
  float *matrix;
  cudaMalloc(&matrix, columns * rows * sizeof(float));
  dim3 block(16, 16);
  dim3 grid(columns / block.x, rows / block.y);
  clear<<<grid, block>>>(matrix, columns, rows);
}
