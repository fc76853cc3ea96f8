//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The third block waits for a flag that another block sets.

__global__ void relay(int *data, int *flags, int *out) {
  __requires(flags[0] == 0);
  __requires(flags[1] == 0);
  __requires(flags[2] == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flags, 1);
  } else if (blockIdx.x == 1) {
    atomicExch(flags + 2, 1);
  } else if (blockIdx.x == 2) {
    while (atomicAdd(flags + 2, 0) != 1)
      ;
    __threadfence();
    atomicExch(flags + 1, 1);
  } else {
    while (atomicAdd(flags + 1, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
