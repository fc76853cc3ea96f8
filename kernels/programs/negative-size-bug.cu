//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// The same with memory whose size is no matter of n: a negative n passes the comparison.
#include <cstdlib>
#include <cuda.h>

__global__ void label(int *out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n > 1000)
    return 1;
  int *out;
  cudaMalloc(&out, 1000 * sizeof(int));
  label<<<128, 256>>>(out, n);
}
