//pass
//--blockDim=32 --gridDim=2

// Who does not get the lock goes without.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  if (atomicCAS(lock, 0, 1) == 0) {
    __threadfence();
    count[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
