//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The first look at the cell is a plain read, unordered with the other threads' swaps.

__device__ unsigned atomic_multiply(unsigned *address, unsigned factor) {
  unsigned old = *address;
  unsigned expected;
  do {
    expected = old;
    old = atomicCAS(address, expected, expected * factor);
  } while (old != expected);
  return old;
}

__global__ void product(const unsigned *in, unsigned *out) {
  atomic_multiply(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
