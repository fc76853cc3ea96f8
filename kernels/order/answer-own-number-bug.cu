//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The first block takes its own number for the answer.

__global__ void answer(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(flag, 1);
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    out[0] = data[1];
  } else {
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    data[1] = data[0];
    __threadfence();
    atomicExch(flag, 2);
  }
}
