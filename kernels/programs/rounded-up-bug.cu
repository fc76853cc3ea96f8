//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// The division drops its remainder before it is rounded up.
#include <cmath>
#include <cstdlib>

__global__ void first(int *out) {
  if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 1 || n > 1000000) return 1;
  int *out;
  cudaMalloc(&out, (int)ceil((double)(n / 256)) * sizeof(int));
  first<<<(int)ceil(n / 256.0), 256>>>(out);
}
