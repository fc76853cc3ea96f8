//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// Shared memory that nobody writes holds something else in each block.

__global__ void never_written(int *a) {
  __shared__ int s[64];
  if (threadIdx.x == 0)
    a[blockIdx.x + s[0]] = blockIdx.x;
}
