//pass
//--blockDim=64 --gridDim=1

// By `__hneu` a NaN is not equal to anything.

#include <cuda_fp16.h>

__global__ void not_equal_is_ordered(int *out, __half x, __half y) {
  if (!__heq(x, y) && !__hneu(x, y))
    out[0] = threadIdx.x;
}
