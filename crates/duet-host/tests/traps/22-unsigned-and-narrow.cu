// runs: 0 | 4294967299 | 5
#include <cstdlib>
__global__ void k(unsigned n) {}
int main(int argc, char **argv) {
  size_t n = strtoull(argv[1], nullptr, 10);
  unsigned g = n - 1;
  k<<<g, 32>>>(g);
  k<<<n, 64>>>(n);
}
