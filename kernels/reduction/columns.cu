//pass
//--blockDim=[8,8] --gridDim=2

// Sums the columns of a tile: threads with the same x share a column.

__global__ void columns(const int *in, int *out) {
  __shared__ int s[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[(blockIdx.x * 8 + y) * 8 + x];
  __syncthreads();
  for (int k = 4; k > 0; k >>= 1) {
    if (y < k)
      s[y][x] += s[y + k][x];
    __syncthreads();
  }
  if (y == 0)
    out[blockIdx.x * 8 + x] = s[0][x];
}
