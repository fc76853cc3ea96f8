//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=1
//read-write-race

// The sums are taken before the tile is complete.

__device__ int row_sum(const int (*tile)[8], int row) {
  const int *p = tile[row];
  int sum = 0;
  for (int i = 0; i < 8; i++)
    sum += p[i];
  return sum;
}

__global__ void sums(const int *in, int *out) {
  __shared__ int tile[8][8];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 8 + threadIdx.x];
  if (threadIdx.x == 0)
    out[threadIdx.y] = row_sum(tile, threadIdx.y);
}
