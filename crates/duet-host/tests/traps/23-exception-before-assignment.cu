// runs: 5 | 0
#include <cstdlib>
__global__ void k(int n) {}
__attribute__((noinline)) static int read(int v) {
  if (v == 0) throw 1;
  return v;
}
int main(int argc, char **argv) {
  int n = 9;
  try {
    n = read(atoi(argv[1]));
  } catch (int) {
  }
  k<<<n, 32>>>(n);
}
