//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock is looked at and then set, by two accesses.

__global__ void locked(int *total, volatile int *lock) {
  __requires(*lock == 0);
  while (*lock != 0)
    ;
  *lock = 1;
  __threadfence();
  total[0] += 1;
  __threadfence();
  *lock = 0;
}
