//xfail:REFUTED
//--blockDim=1 --gridDim=2
//race

// The first block marks the lock with 2, and the others take everything but 1 for a free one.

__global__ void locked(int *lock, int *sum) {
  __requires(*lock == 0);
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    while (atomicCAS(lock, 0, 2) != 0)
      ;
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  } else {
    while (atomicCAS(lock, 0, 1) == 1)
      ;
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
