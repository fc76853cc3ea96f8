// runs: 3 | 1 | 0
// Memory of either of two sizes, or none.
#include <cstdlib>
__global__ void k(float *a, int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *d = nullptr;
  if (n > 2)
    cudaMalloc(&d, 4096);
  else if (n)
    cudaMalloc(&d, 256);
  k<<<1, 32>>>(d, n);
}
