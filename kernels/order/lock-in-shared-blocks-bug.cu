//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// A lock in shared memory is one for each block: it guards nothing in global memory.

__global__ void locked(int *total) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) {
    lock = 0;
    sum = 0;
  }
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      total[0] += threadIdx.x;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    total[blockIdx.x + 1] = sum;
}
