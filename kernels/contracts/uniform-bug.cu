//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --no-refute
//assertion-failed

// The offset is not the same for all threads of a block.

__global__ void uniform(int *a, int n) {
  int offset = n * threadIdx.x;
  __assert(__uniform_int(n + 1));
  __assert(__implies(__same_group, __uniform_int(offset)));
  __assert(__implies(__same_group, __distinct_int(threadIdx.x)));
  a[blockIdx.x * blockDim.x + threadIdx.x] = offset;
  __syncthreads();
  __assert(__uniform_int(n));
}
