//pass
//--blockDim=1 --gridDim=4

// The lock is looked at before it is tried.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (true) {
    if (*(volatile int *)lock == 0 && atomicCAS(lock, 0, 1) == 0)
      break;
  }
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
