//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//read-write-race

// The reader waits for a flag that was set without a fence behind the number.

__global__ void message(int *data, int *flag, int *out) {
  __requires(flag[0] == 0 && flag[1] == 0);
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);
    data[0] = 42;
    __threadfence();
    atomicExch(flag + 1, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
