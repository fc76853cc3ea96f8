// runs: 12 | 64 | 1000 | 1 | -8
#include <cstdlib>
__global__ void k(int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  for (int s = n / 2; s; s /= 2) k<<<1, 64>>>(s);
  for (unsigned s = n; s > 0; s >>= 1) k<<<1, 32>>>(s);
}
