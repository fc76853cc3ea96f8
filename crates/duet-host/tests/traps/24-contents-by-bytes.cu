// runs: 16
#include <cstdlib>
__global__ void k(int *d, int n) {}
__global__ void again(int *d, int n) {}
__global__ void other(int *d, int n) {}
int main(int argc, char **argv) {
  int *d, *e;
  int n = atoi(argv[1]);
  cudaStream_t s = (cudaStream_t)argv;
  cudaMalloc(&d, 4 * n);
  cudaMalloc(&e, 4 * n);
  cudaMemset(d, 1, 4 * n);
  k<<<1, 32>>>(d, n);
  // What the kernel left there.
  again<<<1, 32>>>(d, n);
  // Another stream may come later.
  cudaMemsetAsync(e, 0, 4 * n, s);
  other<<<1, 32>>>(e, n);
}
