//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=3
//race

// The block in the middle stores to the flag, and so ends the chain that the first one heads.

__global__ void chain(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) != 1)
      ;
    *(volatile int *)flag = 2;
  } else {
    while (atomicAdd(flag, 0) != 2)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
