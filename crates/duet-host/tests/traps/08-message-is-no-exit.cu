// flags: -DNDEBUG
// runs: 5 | 5000
#include <cassert>
#include <cstdio>
#include <cstdlib>
__global__ void k(int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n > 1024) fprintf(stderr, "too large\n");
  assert(n <= 1024);
  k<<<n, 32>>>(n);
}
