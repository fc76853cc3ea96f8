//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// Two numbers are published one after the other, the second without a fence.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
    data[1] = 43;
    atomicExch(flag, 2);
  } else {
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    out[0] = data[0];
    while (atomicAdd(flag, 0) != 2)
      ;
    __threadfence();
    out[1] = data[1];
  }
}
