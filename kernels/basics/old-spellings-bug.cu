//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

#include <cuda.h>

// A vote without a mask orders no memory: the barrier is missing.

__global__ void old(int *out, const int *in) {
  __device__ __shared__ int row[64];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = in[x];
  if (__any(in[x] > 3))
    out[x] = row[63 - threadIdx.x];
}
