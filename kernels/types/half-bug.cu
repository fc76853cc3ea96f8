//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Pairs are written from every element, so they overlap.

#include <cuda_fp16.h>

__global__ void scale(const float *in, __half *out, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __float2half(in[i] * factor);
  out[i + 1] = __float2half(factor);
}
