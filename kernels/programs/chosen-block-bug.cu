//xfail:NOT_ALL_VERIFIED
//

#include <stdlib.h>

// The block is twice what the kernel is made for.
__global__ void reverse(int *data) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  tile[127 - t] = data[blockIdx.x * 128 + t];
  __syncthreads();
  data[blockIdx.x * 128 + t] = tile[t];
}

int main(int argc, char **argv) {
  int threads;
  switch (atoi(argv[1])) {
  case 1: threads = 64; break;
  case 2: threads = 256; break;
  default: return 1;
  }
  int *data;
  cudaMalloc(&data, 8 * 256 * sizeof(int));
  if (threads == 256) reverse<<<8, threads>>>(data);
}
