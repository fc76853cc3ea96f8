//pass
//--blockDim=[8,2] --gridDim=[2,2]

// Each thread moves four rows of its tile.

#define TILE 8
#define ROWS 2

__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[TILE][TILE + 1];
  int width = gridDim.x * TILE;

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];

  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
