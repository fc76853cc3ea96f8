//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The fence is in the body of the loop that waits: none follows the read that ends it.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      __threadfence();
    out[0] = data[0];
  }
}
