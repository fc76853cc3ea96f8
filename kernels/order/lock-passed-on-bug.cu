//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// One holder gives the lock back by a store without a fence: what the one before did is not
// passed on to the next.

__global__ void locked(int *lock, int *count, int *turns) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  if (blockIdx.x == 1) {
    turns[0] = 1;
    *(volatile int *)lock = 0;
    return;
  }
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
