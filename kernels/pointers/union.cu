//pass
//--blockDim=32 --gridDim=2

// A union splits a float into its bytes.

union Bits {
  float f;
  unsigned char byte[4];
};

__global__ void split(const float *in, unsigned char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Bits bits;
  bits.f = in[i];
  for (int k = 0; k < 4; k++)
    out[4 * i + k] = bits.byte[3 - k];
}
