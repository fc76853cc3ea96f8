//xfail:NOT_ALL_VERIFIED
//--blockDim=[*,*] --gridDim=[*,*]
//write-write-race

// Rows are taken to be as long as columns.

__global__ void copy(const float *src, float *dst, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    dst[y * h + x] = src[y * w + x];
}
