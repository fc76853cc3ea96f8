//pass
//--blockDim=2 --gridDim=2

// Fences of the block are enough for the counter of a block: exchanges keep the chain.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence_block();
      count[blockIdx.x] += 1;
      __threadfence_block();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
