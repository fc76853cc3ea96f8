//pass
//--blockDim=[8,8] --gridDim=[4,3]

// The papers' naive transpose: coalesced reads, strided writes.

__global__ void transpose(int *odata, const int *idata, int width, int height) {
  __requires(width == 32);
  __requires(height == 24);
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width && yIndex < height) {
    int index_in = xIndex + width * yIndex;
    int index_out = yIndex + height * xIndex;
    odata[index_out] = idata[index_in];
  }
}
