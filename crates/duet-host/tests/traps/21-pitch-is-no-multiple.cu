// runs: 100 | 7
#include <cstdlib>
struct Pixel { char c[3]; };
__global__ void k(Pixel *p, int pitch, int rows) {}
int main(int argc, char **argv) {
  Pixel *p;
  size_t pitch;
  int w = atoi(argv[1]);
  cudaMallocPitch(&p, &pitch, w * sizeof(Pixel), 16);
  k<<<1, 32>>>(p, pitch / sizeof(Pixel), 16);
}
