// runs: 5 | 77
#include <cstdio>
#include <cstdlib>
#include <functional>
__global__ void k(int n) {}
static void set(int &n, char **argv) { n = atoi(argv[1]) + 1; }
int main(int argc, char **argv) {
  int n = 256, m = 32;
  sscanf(argv[1], "%d", &n);
  auto change = std::bind(set, std::ref(m), argv);
  change();
  k<<<1, m>>>(n);
}
