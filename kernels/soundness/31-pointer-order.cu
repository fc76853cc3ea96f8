//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Either array may come first in memory.

__global__ void pointer_order(int *a, int *b) {
  if (a < b)
    b[0] = threadIdx.x;
}
