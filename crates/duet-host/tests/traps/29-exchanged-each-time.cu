// runs: 5
#include <cstdlib>
#include <utility>
__global__ void k(float *a, float *b, int i) {}
__global__ void both(float *a, float *b, float *c) {}
int main(int argc, char **argv) {
  float *a, *b, *first;
  cudaMalloc(&a, 64);
  cudaMalloc(&b, 64);
  first = a;
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) {
    k<<<1, 32>>>(a, b, i);
    both<<<1, 32>>>(a, b, first);
    std::swap(a, b);
  }
}
