//pass
//

#include <algorithm>
#include <stdlib.h>

// A block of at most as many threads as the kernel has room for.
__global__ void shift(int *data) {
  __shared__ int row[256];
  row[threadIdx.x % 256] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = row[(threadIdx.x + 1) % 256];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 1 || n > 1024) return 1;
  int *data;
  cudaMalloc(&data, 1024 * sizeof(int));
  shift<<<1, std::min(n, 256)>>>(data);
}
