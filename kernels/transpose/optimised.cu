//pass
//--blockDim=[8,8] --gridDim=[4,3]

// The papers' optimised transpose: a padded tile makes reads and writes coalesced.

#define TILE 8

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  __requires(width == 32);
  __requires(height == 24);
  __shared__ int block[TILE][TILE + 1];

  int xIndex = blockIdx.x * TILE + threadIdx.x;
  int yIndex = blockIdx.y * TILE + threadIdx.y;
  if (xIndex < width && yIndex < height)
    block[threadIdx.y][threadIdx.x] = idata[yIndex * width + xIndex];

  __syncthreads();

  xIndex = blockIdx.y * TILE + threadIdx.x;
  yIndex = blockIdx.x * TILE + threadIdx.y;
  if (xIndex < height && yIndex < width)
    odata[yIndex * height + xIndex] = block[threadIdx.x][threadIdx.y];
}
