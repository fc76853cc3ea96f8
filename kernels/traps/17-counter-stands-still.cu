//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Adding zero hands out the same value again and again.

__global__ void still(unsigned *counter, int *out) {
  out[atomicAdd(counter, 0u)] = threadIdx.x;
}
