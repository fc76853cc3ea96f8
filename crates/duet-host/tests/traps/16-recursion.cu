// runs: 100
#include <cstdlib>
__global__ void k(int *d, int n) {}
static void sort(int *d, int n) {
  if (n < 1) return;
  k<<<1, 32>>>(d, n);
  sort(d, n / 2);
  sort(d + n / 2, n / 3);
}
int main(int argc, char **argv) {
  int *d;
  cudaMalloc(&d, 4096);
  sort(d, atoi(argv[1]));
}
