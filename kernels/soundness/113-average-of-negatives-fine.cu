//pass
//--blockDim=64 --gridDim=1

// Of -1 and 0 the signed average is -1, and of 1 and 0 it is 1.

__global__ void average_of_negatives(int *out) {
  unsigned average = __vavgs2(0x0001ffffu, 0u);
  if (average != 0x0001ffffu)
    out[0] = threadIdx.x;
}
