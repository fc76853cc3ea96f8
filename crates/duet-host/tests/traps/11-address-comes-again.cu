// runs: 64
#include <cstdlib>
__global__ void k(float *a, float *b) {}
int main(int argc, char **argv) {
  float *a, *b;
  size_t s = atoi(argv[1]);
  cudaMalloc(&a, s);
  cudaFree(a);
  cudaMalloc(&b, s);
  k<<<1, 32>>>(a, b);
}
