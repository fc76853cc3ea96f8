// runs: 1 | 0
#include <cstdlib>
__global__ void k(int n) {}
static void dirty() { volatile int a[64]; for (int i = 0; i < 64; i++) a[i] = 1000 + i; }
int main(int argc, char **argv) {
  dirty();
  int ok = atoi(argv[1]);
  int n;
  if (ok) n = 5;
  k<<<1, 32>>>(n);
}
