//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock is taken without a fence before what it guards.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
