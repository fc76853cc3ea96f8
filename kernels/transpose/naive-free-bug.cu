//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[1,2]
//race

// Rows of the result are as long as the columns of the input, not as the rows: two
// elements meet where the input is higher than wide.

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  __requires(width == 8);
  __requires(height == 16);
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width && yIndex < height) {
    int index_in = xIndex + width * yIndex;
    int index_out = yIndex + width * xIndex;
    odata[index_out] = idata[index_in] + xIndex;
  }
}
