//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// Five bytes are written for every four.

union Bits {
  float f;
  unsigned char byte[4];
};

__global__ void split(const float *in, unsigned char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Bits bits;
  bits.f = in[i];
  for (int k = 0; k < 5; k++)
    out[4 * i + k] = k < 4 ? bits.byte[3 - k] | 1 : 0;
}
