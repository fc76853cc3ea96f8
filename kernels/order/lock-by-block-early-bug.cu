//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// The first thread gives the lock back while others still write.

__global__ void locked(int *total, const int *in, int *lock) {
  __requires(*lock == 0);
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
  }
  __syncthreads();
  total[threadIdx.x] += in[blockIdx.x * blockDim.x + threadIdx.x];
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
