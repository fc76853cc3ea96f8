//pass
//--blockDim=[8,8] --gridDim=[2,2]

// The CUDA version of matrix-multiply.cl: a tile size from a template.

template <int Tile>
__global__ void matrix_multiply(int *c, const int *a, const int *b, int n) {
  __requires(n == 16);
  __shared__ int ta[Tile][Tile];
  __shared__ int tb[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * Tile + y;
  int column = blockIdx.x * Tile + x;
  int sum = 0;
  for (int t = 0; t < n; t += Tile) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + column];
    __syncthreads();
    for (int k = 0; k < Tile; k++)
      sum += ta[y][k] * tb[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template __global__ void matrix_multiply<8>(int *, const int *, const int *, int);
