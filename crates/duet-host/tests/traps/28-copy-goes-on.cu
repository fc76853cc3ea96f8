// runs: 7
#include <cstdlib>
#include <cstring>
__global__ void k(int n, int m) {}
static void *destination;
// The copy comes to its end when it is waited for.
static void wait(const char *text) {
  int value = atoi(text);
  memcpy(destination, &value, sizeof value);
}
int main(int argc, char **argv) {
  int n = 3;
  int *d;
  cudaMalloc(&d, 4);
  cudaMemcpyAsync(&n, d, 4, cudaMemcpyDeviceToHost);
#ifdef __DUET_NATIVE__
  destination = &n;
#endif
  int before = n;
  cudaDeviceSynchronize();
#ifdef __DUET_NATIVE__
  wait(argv[1]);
#endif
  k<<<1, 32>>>(before, n);
}
