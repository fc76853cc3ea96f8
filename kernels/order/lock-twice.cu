//pass
//--blockDim=1 --gridDim=4

// The lock is taken twice, one time after the other.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 2;
  __threadfence();
  atomicExch(lock, 0);
}
