//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The data are changed before the wait.

__global__ void lock(int *slot, unsigned *tail, int *data) {
  __requires(*tail == 0);
  __requires(slot[0] == 0 && slot[1] == 0 && slot[2] == 0 && slot[3] == 0);
  unsigned own = atomicAdd(tail, 1u);
  *data = *data + 1;
  if (own > 0) {
    while (atomicAdd(slot + own - 1, 0) == 0)
      ;
    __threadfence();
  }
  __threadfence();
  atomicExch(slot + own, 1);
}
