// runs: 10 | -5 | 1073741824 | 1431655766
#include <cstdlib>
__global__ void k(float *d, int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *d;
  cudaMalloc(&d, n * 4);
  k<<<1, 32>>>(d, n);
}
