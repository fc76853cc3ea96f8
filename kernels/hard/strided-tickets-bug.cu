//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The run is longer than what was reserved.

__global__ void reserve(unsigned *next, int *out) {
  unsigned first = atomicAdd(next, 4u);
  for (int i = 0; i < 5; i++)
    out[first + i] = threadIdx.x;
}
