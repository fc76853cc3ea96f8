//xfail:NOT_ALL_VERIFIED
//--blockDim=[16,4] --gridDim=[2,2]
//write-write-race

// The right halo is stored one column too far to the left, over the last column of the tile.

#define RADIUS 4
#define TILE_W 16
#define TILE_H 4

__constant__ float weights[2 * RADIUS + 1];

__global__ void rows(const float *in, float *out, int pitch) {
  __requires(pitch == 64);
  __shared__ float tile[TILE_H][TILE_W + 2 * RADIUS];
  int x = blockIdx.x * TILE_W + threadIdx.x;
  int y = blockIdx.y * TILE_H + threadIdx.y;
  const float *row = in + y * pitch + RADIUS;

  tile[threadIdx.y][threadIdx.x + RADIUS] = row[x];
  if (threadIdx.x < RADIUS)
    tile[threadIdx.y][threadIdx.x] = row[x - RADIUS];
  if (threadIdx.x >= TILE_W - RADIUS)
    tile[threadIdx.y][threadIdx.x + 2 * RADIUS - 1] = row[x + RADIUS];
  __syncthreads();

  float sum = 0.0f;
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += weights[RADIUS + k] * tile[threadIdx.y][threadIdx.x + RADIUS + k];
  out[y * pitch + x] = sum;
}
