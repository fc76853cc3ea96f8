//pass
//--blockDim=[*,*] --gridDim=[*,*]
//no signed overflow at line 22

// The papers' optimised transpose for any width, height and grid, and any square
// block: the tile is as large as the block.

extern __shared__ int tile[];

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  __requires(blockDim.x == blockDim.y);
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width && yIndex < height)
    tile[threadIdx.y * blockDim.x + threadIdx.x] = idata[yIndex * width + xIndex];

  __syncthreads();

  xIndex = blockIdx.y * blockDim.y + threadIdx.x;
  yIndex = blockIdx.x * blockDim.x + threadIdx.y;
  if (xIndex < height && yIndex < width)
    odata[yIndex * height + xIndex] = tile[threadIdx.x * blockDim.x + threadIdx.y];
}
