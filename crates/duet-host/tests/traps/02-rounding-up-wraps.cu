// runs: 1000 | 0 | -300 | 2147483640 | 1
#include <cstdlib>
__global__ void k(int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  k<<<(n + 255) / 256, 256>>>(n);
}
