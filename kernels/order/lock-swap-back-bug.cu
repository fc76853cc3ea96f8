//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Who fails to take the lock puts it back to free.

__global__ void locked(int *total, int *lock) {
  __requires(*lock == 0);
  if (atomicCAS(lock, 0, 1) == 0) {
    __threadfence();
    total[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  } else {
    atomicCAS(lock, 1, 0);
  }
}
