// runs: 5
#include <cstdlib>
__global__ void k(int n) {}
static int next(int *n) { return ++*n; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  k<<<next(&n), 256>>>(n++);
  k<<<n, 32>>>(n);
}
