//pass
//--blockDim=1 --gridDim=4

// One holder has no fence, but gives the lock back by an exchange, which continues the chain.

__global__ void locked(int *lock, int *count, int *turns) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  if (blockIdx.x == 1) {
    turns[0] = 1;
    atomicExch(lock, 0);
    return;
  }
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
