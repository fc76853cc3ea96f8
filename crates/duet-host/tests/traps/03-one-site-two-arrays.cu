// runs: 64
#include <cstdlib>
__global__ void k(float *a, float *b) {}
int main(int argc, char **argv) {
  float *d[2];
  for (int i = 0; i < 2; i++) cudaMalloc(&d[i], atoi(argv[1]));
  k<<<1, 32>>>(d[0], d[1]);
}
