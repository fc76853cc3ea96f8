//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The fence is in the branch of another thread than the one that sets the flag.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
    }
    if (threadIdx.x == 32)
      __threadfence();
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
