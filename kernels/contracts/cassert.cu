//pass
//--blockDim=64 --gridDim=2

// The C library's assert.

#include <assert.h>

__global__ void checked(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int half = i / 2;
  assert(2 * half == i || 2 * half + 1 == i);
  a[i] = half;
}
