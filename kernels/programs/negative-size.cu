//pass
//
//proved

// A negative number of elements would be one of nearly 2^64 bytes, which no allocation has; so
// the unsigned comparison in the kernel means what it says.
#include <cstdlib>
#include <cuda.h>

__global__ void label(int *out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *out;
  cudaMalloc(&out, n * sizeof(int));
  label<<<128, 256>>>(out, n);
}
