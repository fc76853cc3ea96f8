//pass
//--blockDim=[16,16] --gridDim=[4,4]

// One step of a relaxation on a grid of nx times ny, from one array to another.

__global__ void relax(float *next, const float *grid, const float *source, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    int at = y * nx + x;
    float around = grid[at - 1] + grid[at + 1] + grid[at - nx] + grid[at + nx];
    next[at] = 0.25f * (around - source[at]);
  }
}
