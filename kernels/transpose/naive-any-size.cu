//pass
//--blockDim=[16,16] --gridDim=[*,*]

// The naive transpose for any matrix: the guards keep the columns apart.

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  __requires(width > 0);
  __requires(width < 10000);
  __requires(height > 0);
  __requires(height < 10000);
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width && yIndex < height)
    odata[yIndex + height * xIndex] = idata[xIndex + width * yIndex];
}
