//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=3
//race

// The second block passes the word on whether it has seen the first flag or not.

__global__ void relay(int *data, int *flags, int *out) {
  __requires(flags[0] == 0);
  __requires(flags[1] == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flags, 1);
  } else if (blockIdx.x == 1) {
    out[1] = atomicAdd(flags, 0);
    __threadfence();
    atomicExch(flags + 1, 1);
  } else {
    while (atomicAdd(flags + 1, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
