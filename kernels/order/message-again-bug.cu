//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The writer goes on writing behind its flag, and says so by the same number again.

__global__ void message(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    for (int i = 0; i < 2; i++) {
      data[0] = i;
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
