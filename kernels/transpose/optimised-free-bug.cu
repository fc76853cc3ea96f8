//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,4] --gridDim=[2,2]
//race

// The block is not square: where blocks change places, their results overlap.

extern __shared__ int tile[];

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  __requires(width == 16);
  __requires(height == 16);
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width && yIndex < height)
    tile[threadIdx.y * blockDim.x + threadIdx.x] = idata[yIndex * width + xIndex] + xIndex;

  __syncthreads();

  xIndex = blockIdx.y * blockDim.y + threadIdx.x;
  yIndex = blockIdx.x * blockDim.x + threadIdx.y;
  if (xIndex < height && yIndex < width)
    odata[yIndex * height + xIndex] = tile[threadIdx.y * blockDim.x + threadIdx.x];
}
