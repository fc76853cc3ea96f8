//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Of -1 and 0 the signed average is -1: a half goes away from zero.

__global__ void average_of_negatives(int *out) {
  unsigned average = __vavgs2(0x0000ffffu, 0u);
  if (average != 0u)
    out[0] = threadIdx.x;
}
