//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//read-write-race

// The fence stands before the number is written: it publishes nothing of it.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    __threadfence();
    data[0] = 42;
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
