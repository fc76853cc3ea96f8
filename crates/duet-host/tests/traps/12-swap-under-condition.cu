// runs: 6 | 9
#include <cstdlib>
#include <utility>
__global__ void k(float *a, float *b, int i) {}
int main(int argc, char **argv) {
  float *a, *b;
  cudaMalloc(&a, 64);
  cudaMalloc(&b, 128);
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) {
    if (i % 3 != 1) std::swap(a, b);
    k<<<1, 32>>>(a, b, i);
  }
}
