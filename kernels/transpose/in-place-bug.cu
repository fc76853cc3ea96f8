//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[2,2]
//race

// Both threads of a pair do the swap.

#define N 16

__global__ void transpose(int *m) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col != row) {
    int t = m[row * N + col];
    m[row * N + col] = m[col * N + row];
    m[col * N + row] = t;
  }
}
