//xfail:NOT_ALL_VERIFIED
//
//race

// The host makes a block for each 16 columns, but a block writes 32.
#include <cstdlib>

__global__ void fill(float *out, int width) {
  int down = blockIdx.y, across = blockIdx.x;
  int first = width * 32 * down + 32 * across;
  int row = threadIdx.y, column = threadIdx.x;
  out[first + width * row + column] = threadIdx.x;
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  float *out;
  cudaMalloc(&out, (size_t)width * height * 2 * sizeof(float));
  dim3 threads(32, 32);
  dim3 blocks(width / 16, height / threads.y);
  fill<<<blocks, threads>>>(out, width);
  cudaFree(out);
}
