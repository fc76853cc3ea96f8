//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --no-refute
//assertion-failed

// The same for the threads of a block, but there are two blocks.

__global__ void uniform(int *a, int n) {
  int offset = n * blockIdx.x;
  __assert(__uniform_int(offset));
  a[blockIdx.x * blockDim.x + threadIdx.x] = offset;
}
