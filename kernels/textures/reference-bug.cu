//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[2,2]
//write-write-race

// Adds the coordinates instead of addressing a row.

texture<float, cudaTextureType2D, cudaReadModeElementType> image;

__global__ void rotate(float *out, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x * cosf(angle) - y * sinf(angle);
  float v = x * sinf(angle) + y * cosf(angle);
  out[y + x] = tex2D(image, u + 0.5f, v + 0.5f) + x;
}
