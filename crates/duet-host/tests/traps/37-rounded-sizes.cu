// runs: 1000 256 | 255 1 | 0 3 | 16777217 7 | -1 5 | -300 256 | 2147483647 2 | 8388609 3
// Sizes by way of floating-point numbers: rounded up or down, beyond what they hold, and
// converted where they don't fit.
#include <cmath>
#include <cstdlib>
__global__ void k(int n, int m) {}
__global__ void f(int n, int m) {}
__global__ void g(int n, int m) {}
__global__ void h(int n, int m) {}
__global__ void p(int n, int m) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  k<<<(int)ceil(n / 256.0), 256>>>(n, m);
  f<<<(int)ceilf((float)n / m), 256>>>(n, m);
  g<<<dim3((unsigned)floor((double)n / m) + 1), 256>>>(n, m);
  h<<<(int)((n + 255.0f) / 256), 256>>>(n, m);
  p<<<(unsigned char)(n * 0.5 * 2.0 + m * 3.0), (int)ceilf((n * 2.0f) / (m + 1.0f))>>>(n, m);
}
