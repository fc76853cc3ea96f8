// runs: 1000 | 5
#include <cstdlib>
__global__ void k(int n) {}
static dim3 blocks(int n, dim3 b) { return dim3((n + b.x - 1) / b.x); }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  dim3 b(256);
  dim3 g = blocks(n, b);
  b.x = 128;
  k<<<g, b>>>(n);
}
