//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Whoever fails to take the lock goes on all the same.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  atomicCAS(lock, 0, 1);
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
