//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The flag is read by a plain load.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (flag[0] != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
