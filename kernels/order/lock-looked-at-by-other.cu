//pass
//--blockDim=1 --gridDim=4

// A block that does not hold the lock only looks at it.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  if (blockIdx.x == 3) {
    atomicAdd(lock, 0);
    return;
  }
  while (atomicExch(lock, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
