//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The fence of the reader is only on one of two paths.

__global__ void message(int *data, int *flag, int *out, int n) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    if (n > 3)
      __threadfence();
    out[0] = data[0];
  }
}
