//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// A block that does not hold the lock gives it back.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  if (blockIdx.x == 3) {
    atomicExch(lock, 0);
    return;
  }
  while (atomicExch(lock, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
