__global__ void transpose(float *out, const float *in, int width, int height) {
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (row < height && col < width) { float v = in[col + width * row]; out[row + height * col] = v; }
}
