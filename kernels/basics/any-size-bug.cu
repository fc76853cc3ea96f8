//xfail:NOT_ALL_VERIFIED
//--blockDim=* --gridDim=*
//write-write-race

// Adds instead of multiplying: distinct for no launch with more than one block.

__global__ void identity(int *a) {
  unsigned i = blockIdx.x + blockDim.x + threadIdx.x;
  a[i] = threadIdx.x;
}
