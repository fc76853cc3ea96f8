//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock is taken in the first round only, and given back in each.

__global__ void locked(int *total, int *lock) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  for (int k = 0; k < 2; k++) {
    total[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
