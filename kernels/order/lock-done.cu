//pass
//--blockDim=32 --gridDim=2

// Threads of a warp take the lock in turn: each does its part inside of the loop.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      count[0] += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
