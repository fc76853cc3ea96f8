// runs: 3 | 1
// Each element of the array is memory of another size, and the loop's last value is that of
// none of those that are passed.
#include <cstdlib>
__global__ void k(float *a, float *b, int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *d[4] = {};
  for (int i = 0; i < 4; i++)
    cudaMalloc(&d[i], 4 * (i + n));
  for (int i = 0; i < 3; i++)
    k<<<n, 32>>>(d[i], d[i + 1], n);
}
