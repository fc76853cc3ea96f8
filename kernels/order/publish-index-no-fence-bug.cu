//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The place of the data is published without a fence.

__global__ void publish(int *pool, int *slot, int *out) {
  __requires(*slot == 0);
  if (blockIdx.x == 0) {
    pool[3] = 42;
    
    atomicExch(slot, 3);
  } else {
    int at = atomicAdd(slot, 0);
    if (at != 0) {
      __threadfence();
      out[0] = pool[at];
    }
  }
}
