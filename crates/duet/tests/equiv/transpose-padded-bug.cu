__global__ void transpose(float *out, const float *in, int width, int height) {
  __requires(blockDim.x == blockDim.y);
  extern __shared__ float tile[];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.x + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y * (blockDim.x + 1) + threadIdx.x] = in[y * width + x];
  __syncthreads();
  int tx = blockIdx.y * blockDim.x + threadIdx.x;
  int ty = blockIdx.x * blockDim.x + threadIdx.y;
  if (tx < height && ty < width) out[ty * height + tx] = tile[threadIdx.y * (blockDim.x + 1) + threadIdx.x];
}
