//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion

// A trap that some thread reaches.

__global__ void check(const int *in, int *out) {
  if (threadIdx.x > 50)
    __trap();
  out[threadIdx.x] = in[threadIdx.x];
}
