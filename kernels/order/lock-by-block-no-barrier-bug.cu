//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// The others do not wait until the first thread has the lock.

__global__ void locked(int *total, const int *in, int *lock) {
  __requires(*lock == 0);
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
  }
  total[threadIdx.x] += in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
