//pass
//--blockDim=[16,16] --gridDim=[4,4]

// Mean of nine pixels, rows of nx pixels.

__global__ void blur(const float *in, float *out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x + 1 < nx && y >= 1 && y + 1 < ny) {
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        sum += in[(y + dy) * nx + x + dx];
    out[y * nx + x] = sum / 9.0f;
  }
}
