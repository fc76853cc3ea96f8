// widths: 8,4,8
// runs: 12
#include <cstdlib>
__global__ void k(float *d, int n, long m) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  long m = n * 3L;
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  void *args[] = {&d, &n, &m};
  cudaLaunchKernel(k, dim3(n), dim3(32), args, 0, 0);
  n = 3;
  cudaLaunchCooperativeKernel(k, dim3(n, 2), dim3(64), args, 0, 0);
}
