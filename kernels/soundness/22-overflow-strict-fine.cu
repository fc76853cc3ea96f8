//pass
//--blockDim=[8,8] --gridDim=[*,*]
//no signed overflow at line 11

// The same without --strict: the line is listed with the verdict.

__global__ void fill(int *a, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    a[y * width + x] = x;
}
