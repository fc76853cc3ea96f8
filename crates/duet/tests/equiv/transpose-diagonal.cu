// Blocks are renumbered along diagonals of a grid that is square, against camping on one
// partition of the memory.
__global__ void transpose(float *out, const float *in, int width, int height) {
  __requires(blockDim.x == blockDim.y && gridDim.x == gridDim.y);
  extern __shared__ float tile[];
  int by = blockIdx.x;
  int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = bx * blockDim.x + threadIdx.x;
  int y = by * blockDim.x + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y * (blockDim.x + 1) + threadIdx.x] = in[y * width + x];
  __syncthreads();
  int tx = by * blockDim.x + threadIdx.x;
  int ty = bx * blockDim.x + threadIdx.y;
  if (tx < height && ty < width) out[ty * height + tx] = tile[threadIdx.x * (blockDim.x + 1) + threadIdx.y];
}
