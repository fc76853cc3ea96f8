//xfail:NOT_ALL_VERIFIED
//--blockDim=[16,8] --gridDim=[2,3]
//write-write-race

// The pitch of the destination is smaller than a row of the grid.

__global__ void copy(float *dst, const float *src, int pitch) {
  __requires(pitch == 48);
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  dst[y * blockDim.x + x] = src[y * pitch + x];
}
