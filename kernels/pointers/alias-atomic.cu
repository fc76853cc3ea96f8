//pass
//--blockDim=64 --gridDim=1

// The same with distinct arrays, the default.

__global__ void places(unsigned *counter, unsigned *reset, int *out) {
  unsigned at = atomicAdd(counter, 1u);
  out[at] = threadIdx.x;
  if (threadIdx.x == 0)
    *reset = 0;
}
