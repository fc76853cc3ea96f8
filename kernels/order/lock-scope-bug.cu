//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock is taken by an operation that is atomic within the block only.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (atomicCAS_block(lock, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
