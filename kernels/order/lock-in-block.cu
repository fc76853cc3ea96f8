//pass
//--blockDim=64 --gridDim=1

// Within one block, fences and atomics of the block are enough.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  bool done = false;
  while (!done) {
    if (atomicCAS_block(lock, 0, 1) == 0) {
      __threadfence_block();
      count[0] += 1;
      __threadfence_block();
      atomicExch_block(lock, 0);
      done = true;
    }
  }
}
