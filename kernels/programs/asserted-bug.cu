//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

#include <assert.h>
#include <stdlib.h>

// Nothing makes sure that blocks are whole.
__global__ void clear(int *data) { data[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 64 || n > 1 << 16) return 1;
  int *data;
  cudaMalloc(&data, n * sizeof(int));
  clear<<<(n + 63) / 64, 64>>>(data);
}
