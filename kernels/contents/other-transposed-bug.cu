//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Places on a diagonal are the same.

__global__ void other_transposed(int *out) {
  __shared__ unsigned place[8][8];
  unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
  place[y][x] = y + x;
  __syncthreads();
  out[place[x][y]] = x;
}
