//pass
//

// A tile of 32 by 32 elements for each block, as many as fit into the width. Nothing tests
// the width, but a launch of width / 32 blocks shows that it is not negative: there would be
// too many threads.
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
  cudaMalloc(&out, (size_t)width * height * sizeof(float));
  dim3 threads(32, 32);
  dim3 blocks(width / threads.x, height / threads.y);
  fill<<<blocks, threads>>>(out, width);
  cudaFree(out);
}
