//pass
//

#include <stdlib.h>

// A block size that a switch chooses, and a condition that admits one of them.
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
  case 2: threads = 128; break;
  default: return 1;
  }
  int *data;
  cudaMalloc(&data, 8 * 256 * sizeof(int));
  if (threads == 128) reverse<<<8, threads>>>(data);
}
