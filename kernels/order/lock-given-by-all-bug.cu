//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Who did not get the lock gives it back all the same.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  if (atomicCAS(lock, 0, 1) == 0) {
    __threadfence();
    count[0] += 1;
    __threadfence();
  }
  atomicExch(lock, 0);
}
