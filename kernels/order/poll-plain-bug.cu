//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The flag is read plainly in the loop.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    for (int k = 0; k < 100; k++)
      if (flag[0] == 1)
        break;
    __threadfence();
    if (atomicAdd(flag, 0) == 1)
      out[0] = 1;
  }
}
