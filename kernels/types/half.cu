//pass
//--blockDim=64 --gridDim=2

// Half precision: scaled and stored in sixteen bits.

#include <cuda_fp16.h>

__global__ void scale(const float *in, __half *out, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __float2half(in[i] * factor);
}
