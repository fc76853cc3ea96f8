//xfail:NOT_ALL_VERIFIED
//--blockDim=[64,2] --gridDim=[2,2]
//race

// Tiles of neighbouring warps overlap in a row.

#include <mma.h>

using namespace nvcuda;

__global__ void product(const half *a, const half *b, float *c, int rows, int columns, int depth) {
  __requires(rows == 64 && columns == 64 && depth == 32);
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize * 15;
  int column = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < depth; k += 16)
    if (row < rows && column < columns) {
      wmma::load_matrix_sync(left, a + row * depth + k, depth);
      wmma::load_matrix_sync(right, b + column * depth + k, depth);
      wmma::mma_sync(sum, left, right, sum);
    }
  if (row < rows && column < columns)
    wmma::store_matrix_sync(c + row * columns + column, sum, columns, wmma::mem_row_major);
}
