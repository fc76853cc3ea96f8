//pass
//--blockDim=1 --gridDim=2

// The place of the data is published, not a flag.

__global__ void publish(int *pool, int *slot, int *out) {
  __requires(*slot == 0);
  if (blockIdx.x == 0) {
    pool[3] = 42;
    __threadfence();
    atomicExch(slot, 3);
  } else {
    int at = atomicAdd(slot, 0);
    if (at != 0) {
      __threadfence();
      out[0] = pool[at];
    }
  }
}
