//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The fences reach the block only.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence_block();
  count[0] += 1;
  __threadfence_block();
  atomicExch(lock, 0);
}
