//pass
//--blockDim=64 --gridDim=1

// Pairs of bytes written as one short.

__global__ void pairs(char *text) {
  short *p = (short *)text;
  p[threadIdx.x] = (short)(threadIdx.x * 257);
}
