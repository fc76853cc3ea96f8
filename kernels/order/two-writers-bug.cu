//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=3
//race

// Two blocks set the same flag: seeing it says nothing about one of them.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x < 2) {
    data[blockIdx.x] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
