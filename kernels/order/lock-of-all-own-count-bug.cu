//xfail:NOT_ALL_VERIFIED
//--blockDim=2 --gridDim=2
//race

// Fences of the block, and a lock of all blocks that is given back by a store: between two
// threads of a block another block may have held it, and nothing passes on.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence_block();
      count[blockIdx.x] += 1;
      __threadfence_block();
      *(volatile int *)lock = 0;
      done = true;
    }
  }
}
