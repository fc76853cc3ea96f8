//xfail:NOT_ALL_VERIFIED
//
//write-write-race

// The table would keep the blocks apart, but the host fills it with what it reads.
#include <cstdio>
__constant__ int first[4] = {0, 64, 128, 192};

__global__ void number(int *out) { out[first[blockIdx.x] + threadIdx.x] = blockIdx.x; }

int main() {
  int *out, places[4];
  for (int i = 0; i < 4; i++) scanf("%d", &places[i]);
  cudaMemcpyToSymbol(first, places, sizeof(places));
  cudaMalloc(&out, 256 * sizeof(int));
  number<<<4, 64>>>(out);
}
