// runs: 1000 | 31
#include <cstdlib>
__global__ void k(float *d, int n) {}
static int width;
static int ceil_div(int a, int b) { return (a + b - 1) / b; }
static void run(float *d, int n, int threads) { k<<<ceil_div(n, threads), threads>>>(d, n); }
int main(int argc, char **argv) {
  width = atoi(argv[1]);
  if (width <= 0) return 1;
  float *d;
  cudaMalloc(&d, sizeof(float) * width * 2);
  run(d, width, 128);
  run(d + width, width, 256);
  for (int i = 0; i < width; i += 10) k<<<1, 64>>>(d + i, width - i);
}
