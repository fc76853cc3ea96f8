//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The run is longer than what was reserved.

__global__ void reserve(int *next, int *out) {
  int first = atomicAdd(next, 4);
  for (int i = 0; i < 5; i++)
    out[first + i] = threadIdx.x;
}
