//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock is given back by a plain store.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  *lock = 0;
}
