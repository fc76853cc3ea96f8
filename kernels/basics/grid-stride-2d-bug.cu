//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,4] --gridDim=[2,2]
//write-write-race

// Rows are half as long in memory as in the loop, so they overlap.

__global__ void brighten(unsigned char *image, int width, int height) {
  __requires(width == 40);
  __requires(height == 20);
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height;
       y += blockDim.y * gridDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width;
         x += blockDim.x * gridDim.x)
      image[y * (width / 2) + x] = y;
}
