// runs: 3 | 33 | 40 | -1
#include <cstdlib>
__global__ void k(int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  k<<<1, 32>>>(1 << n);
}
