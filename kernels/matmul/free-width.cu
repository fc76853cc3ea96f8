//pass
//
// Tiled product of matrices whose sizes and launch are free: the width of the result is what
// the grid covers, and no index outgrows an int.

#define TILE 16

__global__ void product(float *c, const float *a, const float *b, int wa, int wb) {
  __requires(blockDim.x == TILE);
  __requires(blockDim.y == TILE);
  __requires(blockDim.z == 1);
  __requires(wa > 0);
  __requires(wb == TILE * gridDim.x);
  __requires((long long)wa * TILE * gridDim.y <= 2147483647);
  __requires((long long)wb * TILE * gridDim.y <= 2147483647);
  __requires((long long)wa * wb <= 2147483647);
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
