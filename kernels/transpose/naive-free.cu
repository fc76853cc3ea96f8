//pass
//--blockDim=[*,*] --gridDim=[*,*]
//no signed overflow at line 12

// The papers' naive transpose for any width, height, block and grid.

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width && yIndex < height) {
    int index_in = xIndex + width * yIndex;
    int index_out = yIndex + height * xIndex;
    odata[index_out] = idata[index_in];
  }
}
