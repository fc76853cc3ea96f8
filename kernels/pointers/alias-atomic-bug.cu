//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --may-alias
//race

// Planted bug: the plain store may hit the counter under another name, so that the
// places it gives out repeat.

__global__ void places(unsigned *counter, unsigned *reset, int *out) {
  unsigned at = atomicAdd(counter, 1u);
  out[at] = threadIdx.x;
  if (threadIdx.x == 0)
    *reset = 0;
}
