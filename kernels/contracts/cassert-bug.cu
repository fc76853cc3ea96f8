//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//assertion

// Wrong for odd numbers.

#include <assert.h>

__global__ void checked(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int half = i / 2;
  assert(2 * half == i);
  a[i] = half;
}
