//xfail:NOT_ALL_VERIFIED
//
//write-write-race

// Nothing says that the matrix is as wide as the grid, so rows of the result may overlap. The
// block is known from preconditions only, and the race shows with two different sums.

#define TILE 16

__global__ void product(float *c, const float *a, const float *b, int wa, int wb) {
  __requires(blockDim.x == TILE);
  __requires(blockDim.y == TILE);
  __requires(blockDim.z == 1);
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int first = wa * TILE * blockIdx.y;
  float sum = 0.0f;
  for (int i = first, j = TILE * blockIdx.x; i < first + wa; i += TILE, j += TILE * wb) {
    as[ty][tx] = a[i + wa * ty + tx];
    bs[ty][tx] = b[j + wb * ty + tx];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[wb * TILE * blockIdx.y + TILE * blockIdx.x + wb * ty + tx] = sum;
}
