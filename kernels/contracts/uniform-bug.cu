//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --no-refute
//assertion-failed

// Not the same for all threads of a block.

__global__ void uniform(int *a, int n) {
  int offset = n * threadIdx.x;
  __assert(__implies(__same_group, __uniform_int(offset)));
  a[blockIdx.x * blockDim.x + threadIdx.x] = offset;
}
