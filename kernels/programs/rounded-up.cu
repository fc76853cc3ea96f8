//pass
//

// The number of blocks is rounded up by way of floating-point numbers.
#include <cmath>
#include <cstdlib>

__global__ void first(int *out) {
  if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 1 || n > 1000000) return 1;
  int blocks = (int)ceil(n / 256.0);
  int *out;
  cudaMalloc(&out, blocks * sizeof(int));
  first<<<blocks, 256>>>(out);
}
