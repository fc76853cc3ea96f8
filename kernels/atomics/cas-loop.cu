//pass
//--blockDim=32 --gridDim=2

// A multiplication made atomic by compare-and-swap; the first look at the cell is atomic, too.

__device__ unsigned atomic_multiply(unsigned *address, unsigned factor) {
  unsigned old = atomicAdd(address, 0u);
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
