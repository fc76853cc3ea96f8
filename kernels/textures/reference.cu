//pass
//--blockDim=[8,8] --gridDim=[2,2]

// Samples a texture reference.

texture<float, cudaTextureType2D, cudaReadModeElementType> image;

__global__ void rotate(float *out, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x * cosf(angle) - y * sinf(angle);
  float v = x * sinf(angle) + y * cosf(angle);
  out[y * 16 + x] = tex2D(image, u + 0.5f, v + 0.5f);
}
