//xfail:NOT_ALL_VERIFIED
//
//write-write-race

// Columns and rows are exchanged in the call: rows of 32 elements are 64 long.
__global__ void clear(float *matrix, int columns, int rows) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  matrix[row * columns + column] += (float)rows;
}

int main() {
  const int columns = 64, rows = 32;
  float *matrix;
  cudaMalloc(&matrix, columns * rows * sizeof(float));
  dim3 block(16, 16);
  dim3 grid(columns / block.x, rows / block.y);
  clear<<<grid, block>>>(matrix, rows, columns);
}
