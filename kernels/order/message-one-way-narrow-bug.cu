//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// On one of two ways to the flag the fence is that of the block.

__global__ void message(int *data, int *flag, int *out, int fast) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    if (fast)
      __threadfence_block();
    else
      __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
