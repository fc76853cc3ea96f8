//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The bits are half as wide as the floats and land in other threads' elements.

__global__ void to_bits(float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  short *bits = reinterpret_cast<short *>(values);
  bits[i] = (short)values[i];
}
