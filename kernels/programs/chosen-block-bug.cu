//xfail:NOT_ALL_VERIFIED
//
//write-write-race

#include <stdlib.h>

// The block is twice what the kernel is made for.
__global__ void number(int *data) { data[blockIdx.x * 128 + threadIdx.x] = threadIdx.x; }

int main(int argc, char **argv) {
  int threads;
  switch (atoi(argv[1])) {
  case 1: threads = 64; break;
  case 2: threads = 256; break;
  default: return 1;
  }
  int *data;
  cudaMalloc(&data, 8 * 256 * sizeof(int));
  if (threads == 256) number<<<8, threads>>>(data);
}
