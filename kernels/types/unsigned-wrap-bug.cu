//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// A remainder that is no power of two does not survive the wrap.

__global__ void ring(const int *in, int *out) {
  unsigned i = threadIdx.x - 5u;
  out[i % 63] = threadIdx.x;
}
