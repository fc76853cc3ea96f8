// runs: 1000 | 16777217 | 255
#include <cmath>
#include <cstdlib>
__global__ void k(int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  k<<<(int)ceil((double)(n / 256)), 256>>>(n);
  k<<<(int)ceilf(n / 256.f), 256>>>(n);
}
