// runs: 16
#include <cstdlib>
__global__ void k(int *d, int n) {}
int main(int argc, char **argv) {
  int *d;
  int n = atoi(argv[1]);
  cudaMalloc(&d, 4 * n);
  cudaMemset(d, 1, 4 * n);
  k<<<1, 32>>>(d, n);
}
