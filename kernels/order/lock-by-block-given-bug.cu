//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// The second thread gives the lock back too, perhaps after another block has taken it.

__global__ void locked(int *total, const int *in, int *lock) {
  __requires(*lock == 0);
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
  }
  __syncthreads();
  total[threadIdx.x] += in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 2) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
