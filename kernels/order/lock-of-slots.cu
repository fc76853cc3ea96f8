//pass
//--blockDim=1 --gridDim=4

// A lock whose users queue: each waits for the flag of the one before it.

__global__ void lock(int *slot, unsigned *tail, int *data) {
  __requires(*tail == 0);
  __requires(slot[0] == 0 && slot[1] == 0 && slot[2] == 0 && slot[3] == 0);
  unsigned own = atomicAdd(tail, 1u);
  if (own > 0) {
    while (atomicAdd(slot + own - 1, 0) == 0)
      ;
    __threadfence();
  }
  *data = *data + 1;
  __threadfence();
  atomicExch(slot + own, 1);
}
