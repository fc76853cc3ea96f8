//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// One block does without the lock.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  if (blockIdx.x == 0) {
    count[0] += 1;
    return;
  }
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
