//pass
//

// The same with a width that the host makes sure of.
__global__ void fill(float *image, int width) {
  image[blockIdx.x * width + threadIdx.x] = (float)blockIdx.x;
}

int width_of_screen();

int main() {
  float *image;
  int width = width_of_screen();
  if (width < 64 || width > 4096) return 1;
  cudaMalloc(&image, 16 * width * sizeof(float));
  fill<<<16, 64>>>(image, width);
}
