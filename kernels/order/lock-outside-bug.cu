//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The counter is read again when the lock was given back.

__global__ void locked(int *lock, int *count, int *seen) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
  seen[blockIdx.x] = count[0];
}
