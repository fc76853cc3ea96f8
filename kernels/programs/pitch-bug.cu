//xfail:NOT_ALL_VERIFIED
//
//write-write-race

// Rows are taken to be half as long as they are.
__global__ void fill(float *image, size_t pitch, int width) {
  float *row = (float *)((char *)image + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] = threadIdx.x;
}

int main() {
  float *image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, 200 * sizeof(float), 64);
  fill<<<64, 256>>>(image, 100 * sizeof(float), 200);
}
