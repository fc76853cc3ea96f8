//xfail:UNPROVEN
//--blockDim=[8,8] --gridDim=[*,*] --strict
//race

// Proved only if the product does not overflow, which --strict does not assume.
// A run that overflows is no witness of a race.

__global__ void fill(int *a, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    a[y * width + x] = x;
}
