//pass
//--blockDim=64 --gridDim=1

// A tile of places is written by rows and read by columns.

__global__ void other_transposed(int *out) {
  __shared__ unsigned place[8][8];
  unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
  place[y][x] = y * 8 + x;
  __syncthreads();
  out[place[x][y]] = x;
}
