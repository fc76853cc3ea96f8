// runs: 1
// An algorithm of a library calls a function object, which writes a variable that nobody
// else writes.
#include <thrust/generate.h>
static int n = 64;
struct Grow {
  int operator()() const { return n = 128; }
};
__global__ void k(int m) {}
int main() {
  int x[1];
  thrust::generate(x, x + 1, Grow());
  k<<<1, n>>>(n);
}
