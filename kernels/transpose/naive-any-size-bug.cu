//xfail:NOT_ALL_VERIFIED
//--blockDim=[16,16] --gridDim=[*,*]
//write-write-race

// Without the guard on y, a thread below the matrix writes into the next column.

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  __requires(width > 0);
  __requires(width < 10000);
  __requires(height > 0);
  __requires(height < 10000);
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width)
    odata[yIndex + height * xIndex] = xIndex;
}
