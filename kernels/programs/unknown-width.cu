//xfail:UNPROVEN
//
//does not show whether that can be

// Rows overlap if the width is less than a block, and the host does not show what it is:
// neither proved nor refuted.
__global__ void fill(float *image, int width) {
  image[blockIdx.x * width + threadIdx.x] = (float)blockIdx.x;
}

int width_of_screen();

int main() {
  float *image;
  int width = width_of_screen();
  cudaMalloc(&image, 16 * width * sizeof(float));
  fill<<<16, 64>>>(image, width);
}
