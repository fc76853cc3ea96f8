//pass
//--blockDim=32 --gridDim=4

// Who finds 1 sleeps longer and longer. Nothing but 0 and 1 is ever put there, so who finds
// something else has found 0.

__global__ void locked(int *lock, int *sum) {
  __requires(*lock == 0);
  if (threadIdx.x == 0) {
    unsigned pause = 8;
    while (atomicCAS(lock, 0, 1) == 1) {
      __nanosleep(pause);
      if (pause < 256)
        pause *= 2;
    }
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
