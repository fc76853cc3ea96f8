//pass
//

#include <stdlib.h>

// The index of the last element, where there is one.
__global__ void clear(int *data, unsigned last) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= last) data[i] = 0;
}

int main(int argc, char **argv) {
  unsigned n = atoi(argv[1]);
  if (n == 0 || n > 4096) return 0;
  int *data;
  cudaMalloc(&data, n * sizeof(int));
  clear<<<16, 256>>>(data, n - 1);
}
