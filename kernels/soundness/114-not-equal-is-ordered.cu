//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A NaN is neither equal to anything nor, by `__hne`, not equal.

#include <cuda_fp16.h>

__global__ void not_equal_is_ordered(int *out, __half x, __half y) {
  if (!__heq(x, y) && !__hne(x, y))
    out[0] = threadIdx.x;
}
