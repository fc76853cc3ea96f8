//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Two locks guard one counter.

__global__ void locked(int *locks, int *count) {
  __requires(locks[0] == 0 && locks[1] == 0);
  int *lock = locks + blockIdx.x % 2;
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
