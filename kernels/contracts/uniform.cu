//pass
//--blockDim=64 --gridDim=2

// What is the same for all threads, for all of a block, and different for any two.

__global__ void uniform(int *a, int n) {
  int offset = n * blockIdx.x;
  __assert(__uniform_int(n + 1));
  __assert(__implies(__same_group, __uniform_int(offset)));
  __assert(__implies(__same_group, __distinct_int(threadIdx.x)));
  a[blockIdx.x * blockDim.x + threadIdx.x] = offset;
  __syncthreads();
  __assert(__uniform_int(n));
  __assert(__implies(__same_group, __uniform_int(offset)));
}
