// runs: 0 | 1
#include <cstdlib>
__global__ void k(float *a, float *b) {}
int main(int argc, char **argv) {
  float *d, *p;
  cudaMalloc(&d, 64);
  p = d;
  if (atoi(argv[1])) cudaMalloc(&d, 128);
  k<<<1, 32>>>(p, d);
}
