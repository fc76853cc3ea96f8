// runs: 1 | 700 | 1000
#include <cstdlib>
__global__ void k(int n) {}
int main(int argc, char **argv) {
  int b = atoi(argv[1]);
  do {
    k<<<1, b>>>(b);
    b *= 2;
  } while (b <= 512);
}
